/**
 * `npm run clients -- rust`: a program on kube-rs as published, against our server and kube-apiserver.
 * `--only NAME` takes one server.
 */
import { spawnSync } from "node:child_process";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { KubeApiserverPeer } from "../../../bench/harness/kube-apiserver-peer.ts";
import { type BareServerName, startBareServer } from "../bare-server.ts";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { runProgram } from "../program-run.ts";
import { chosen } from "../suite-options.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const SERVERS: readonly BareServerName[] = ["homeostat", "kube-apiserver"];
/** On the path, or where rustup puts it. */
const CARGO = ["cargo", join(homedir(), ".cargo/bin/cargo")];

export const suite: ClientSuite = {
  about: "kube-rs: clients, watcher, controller [--only SERVER]",
  missing: () => [
    ...(cargo() === undefined ? ["cargo: install the Rust toolchain"] : []),
    ...KubeApiserverPeer.missingAssets().map((name) => `${name}: npm run assets -- ${name}`),
  ],
  run,
};

function cargo(): string | undefined {
  return CARGO.find((each) => spawnSync(each, ["--version"]).status === 0);
}

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  const { values } = parseArgs({ args: [...args], options: { only: { type: "string" } } });
  const servers = chosen("--only", values.only, SERVERS);
  // Compiling takes minutes: what is compiled stays for the next time.
  const target = process.env["CARGO_TARGET_DIR"] ?? join(tmpdir(), "homeostat-kube-rs-target");
  const built = await runProgram({
    command: cargo()!,
    args: ["build", "--locked"],
    folder: here,
    environment: { CARGO_TARGET_DIR: target },
  });
  if (built.code !== 0) return [`it does not compile:\n${built.output}`];
  const failures: string[] = [];
  for (const name of servers) {
    await using server = await startBareServer(name);
    print(`against ${name}:`);
    const { code, output } = await runProgram({
      command: join(target, "debug/homeostat-kube-rs-client"),
      args: [],
      folder: server.folder,
      environment: { KUBECONFIG: server.kubeconfig },
      onLine: (line) => {
        if (/^(?:ok|FAIL) /.test(line)) print(`  ${line}`);
      },
    });
    if (code !== 0) failures.push(`against ${name}:\n${output.slice(-4000)}`);
  }
  return failures;
}
