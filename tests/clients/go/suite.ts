/**
 * `npm run clients -- go`: Go programs on unmodified libraries. client-go/ has the clients and caches of
 * the Kubernetes release that we serve; controller-runtime/ a manager, whose release brings a newer
 * client-go along. `--only NAME` takes one server, `--program NAME` one program.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DataFolder } from "../../../bench/harness/data-folder.ts";
import { KubeApiserverPeer } from "../../../bench/harness/kube-apiserver-peer.ts";
import { type BareServerName, startBareServer } from "../bare-server.ts";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { runProgram } from "../program-run.ts";
import { chosen } from "../suite-options.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const PROGRAMS: readonly string[] = ["client-go", "controller-runtime"];
const SERVERS: readonly BareServerName[] = ["homeostat", "kube-apiserver"];

export const suite: ClientSuite = {
  about: "client-go and controller-runtime [--program NAME] [--only SERVER]",
  missing: () => [
    ...(spawnSync("go", ["version"]).status === 0 ? [] : ["go: install the Go toolchain"]),
    ...KubeApiserverPeer.missingAssets().map((name) => `${name}: npm run assets -- ${name}`),
  ],
  run,
};

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  const { values } = parseArgs({
    args: [...args],
    options: { program: { type: "string" }, only: { type: "string" } },
  });
  const programs = chosen("--program", values.program, PROGRAMS);
  const servers = chosen("--only", values.only, SERVERS);
  const failures: string[] = [];
  await using binaries = new DataFolder("go-programs");
  for (const program of programs) {
    const folder = join(here, program);
    const binary = join(binaries.path, program);
    const built = await runProgram({ command: "go", args: ["build", "-o", binary, "."], folder });
    if (built.code !== 0) {
      failures.push(`${program} does not compile:\n${built.output}`);
      continue;
    }
    for (const name of servers) {
      await using server = await startBareServer(name);
      print(`${program} against ${name}:`);
      const { code, output } = await runProgram({
        command: binary,
        args: [],
        folder: server.folder,
        environment: { KUBECONFIG: server.kubeconfig },
        onLine: (line) => {
          if (/^(?:ok|FAIL) /.test(line)) print(`  ${line}`);
        },
      });
      if (code !== 0) failures.push(`${program} against ${name}:\n${output}`);
    }
  }
  return failures;
}
