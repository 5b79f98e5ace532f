/**
 * `npm run clients -- e2e`: those end-to-end tests of Kubernetes' own suite that need an API server, its
 * controllers and nodes, and no real container (focused-tests.txt), against our server and then against
 * kube-apiserver. A test that fails on ours and not on theirs is a failure; what fails on both is told.
 * README.md says how to look at one of them. Each server runs with everything around it in a private
 * network, where this command runs itself (`--inside`).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DataFolder } from "../../../bench/harness/data-folder.ts";
import { HomeostatPeer } from "../../../bench/harness/homeostat-peer.ts";
import { assetPath } from "../../../scripts/assets/asset-path.ts";
import { goVersion } from "../../../scripts/assets/go-command.ts";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { PROGRAMS } from "../control-plane/real-controllers.ts";
import type { ServerName } from "../control-plane/server-under-control.ts";
import { runProgram } from "../program-run.ts";
import { chosen, positive, regularExpression } from "../suite-options.ts";
import { compilePrograms } from "./e2e-programs.ts";
import { focusedTests } from "./focused-tests.ts";
import { type SpecResult, summaryLines } from "./ginkgo-report.ts";
import { hasPrivateNetworks, inPrivateNetwork } from "./private-network.ts";
import { runAgainstServer, type ServerRun } from "./server-run.ts";

const SERVERS: readonly ServerName[] = ["homeostat", "kube-apiserver"];
const main = fileURLToPath(new URL("../main.ts", import.meta.url));

export const suite: ClientSuite = {
  about:
    "the end-to-end tests of Kubernetes [--focus REGEXP] [--processes 6] [--only SERVER] [--logs DIR]",
  missing: () => [
    ...(goVersion() === undefined ? ["Go 1.26 or newer: https://go.dev/dl/"] : []),
    ...[...PROGRAMS, "kube-apiserver", "etcd", "kubectl"]
      .filter((name) => assetPath(name) === undefined)
      .map((name) => `${name}: npm run assets -- ${name}`),
    ...(hasPrivateNetworks() ? [] : ["network namespaces: Linux, util-linux and iproute2"]),
  ],
  run,
};

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      focus: { type: "string", default: "" },
      processes: { type: "string", default: "6" },
      only: { type: "string" },
      logs: { type: "string" },
      inside: { type: "string" },
    },
  });
  if (values.inside !== undefined) return runInside(values.inside, print);
  const servers = chosen("--only", values.only, SERVERS);
  const processes = positive("--processes", values.processes);
  const focus = regularExpression("--focus", values.focus);
  const tests = focusedTests().filter((each) => focus.test(each));
  await using folder = new DataFolder("e2e");
  const programs = await compilePrograms(folder.path, print);
  HomeostatPeer.prepare();
  const runs = new Map<ServerName, readonly SpecResult[]>();
  for (const server of servers) {
    print(`\n${tests.length} tests against ${server}:`);
    const logs = values.logs === undefined ? {} : { logs: resolve(values.logs) };
    const plan: ServerRun = { server, programs, tests, processes, ...logs };
    runs.set(server, await sendInside(plan, { folder: folder.path, print }));
  }
  print("");
  for (const line of summaryLines(runs)) print(line);
  return compare(runs, print);
}

/** Runs this command in a private network; plan and results are files. */
async function sendInside(
  plan: ServerRun,
  { folder, print }: { readonly folder: string; readonly print: SuiteContext["print"] },
): Promise<readonly SpecResult[]> {
  const file = join(folder, `${plan.server}.json`);
  writeFileSync(file, JSON.stringify(plan));
  const node = [process.execPath, "--conditions=@homeostat/source"];
  const { code, output } = await runProgram({
    ...inPrivateNetwork([...node, main, "e2e", "--inside", file]),
    folder,
    // What the tests say, and not that the command in there has ended.
    onLine: (line) => {
      if (line.startsWith("  ")) print(line);
    },
  });
  if (code !== 0) throw new Error(`the run against ${plan.server} broke off:\n${output}`);
  return JSON.parse(readFileSync(resultsOf(file), "utf8")) as readonly SpecResult[];
}

async function runInside(file: string, print: SuiteContext["print"]): Promise<readonly string[]> {
  const plan = JSON.parse(readFileSync(file, "utf8")) as ServerRun;
  const results = await runAgainstServer(plan, print);
  writeFileSync(resultsOf(file), JSON.stringify(results));
  return [];
}

function resultsOf(file: string): string {
  return `${file}.results`;
}

/** What only ours fails; alone, whatever it fails. */
function compare(
  runs: ReadonlyMap<ServerName, readonly SpecResult[]>,
  print: SuiteContext["print"],
): string[] {
  const failed = (name: ServerName): readonly SpecResult[] =>
    (runs.get(name) ?? []).filter(({ state }) => state === "failed");
  const theirs = new Set(failed("kube-apiserver").map(({ name }) => name));
  const ours = failed("homeostat");
  for (const { name } of ours) if (theirs.has(name)) print(`fails on both: ${name}`);
  for (const name of theirs) {
    if (!ours.some((each) => each.name === name)) print(`fails on kube-apiserver alone: ${name}`);
  }
  return ours
    .filter(({ name }) => !theirs.has(name))
    .map(({ name, message }) => `${name}\n${message}`);
}
