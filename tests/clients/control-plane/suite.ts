/**
 * `npm run clients -- control-plane`: the real kube-controller-manager and kube-scheduler run our server
 * with two nodes of the fake kubelet, and after that kube-apiserver, under the same churn. Every story
 * has to come to its end, both programs have to live on, and neither may log an error against ours
 * that it does not log against kube-apiserver as well. Start reading at churn.ts for what happens.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { assetPath } from "../../../scripts/assets/asset-path.ts";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { chosen, positive } from "../suite-options.ts";
import { type ChurnOptions, churn, STORY_NAMES, type StoryResult } from "./churn.ts";
import { startCluster } from "./cluster.ts";
import { compareErrors, type LogError, logErrors } from "./program-log.ts";
import { PROGRAMS, type ProgramName } from "./real-controllers.ts";
import type { ServerName } from "./server-under-control.ts";

interface Options extends ChurnOptions {
  readonly servers: readonly ServerName[];
  /** Where logs are kept; undefined: nowhere. */
  readonly logs: string | undefined;
}

interface Run {
  readonly failures: readonly string[];
  readonly errors: ReadonlyMap<ProgramName, readonly LogError[]>;
}

export const suite: ClientSuite = {
  about:
    "kube-controller-manager and kube-scheduler under churn [--minutes 10] [--width 4] [--story NAME ...] [--only SERVER] [--logs DIR]",
  missing: () =>
    [...PROGRAMS, "kube-apiserver", "etcd"]
      .filter((name) => assetPath(name) === undefined)
      .map((name) => `${name}: npm run assets -- ${name}`),
  run,
};

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  const options = readOptions(args);
  const failures: string[] = [];
  const runs = new Map<ServerName, Run>();
  for (const name of options.servers) {
    const done = await runAgainst(name, options, print);
    runs.set(name, done);
    failures.push(...done.failures);
  }
  const [ours, theirs] = [runs.get("homeostat"), runs.get("kube-apiserver")];
  if (ours === undefined || theirs === undefined) return failures;
  for (const program of PROGRAMS) {
    const pair = [ours.errors.get(program)!, theirs.errors.get(program)!] as const;
    const { unknown, meetings } = compareErrors(...pair);
    print(`${program}: ${pair[0].length} kinds of errors with ours, ${pair[1].length} with theirs`);
    for (const { count, line } of meetings)
      print(`  by chance, ${count} times: ${line.slice(0, 300)}`);
    failures.push(
      ...unknown.map(
        ({ count, line }) => `${program} logs only against ours, ${count} times: ${line}`,
      ),
    );
  }
  return failures;
}

async function runAgainst(
  name: ServerName,
  options: Options,
  print: SuiteContext["print"],
): Promise<Run> {
  print(`against ${name}:`);
  const failures: string[] = [];
  await using cluster = await startCluster(name, {
    onError: (error) => failures.push(`${name}, the nodes: ${String(error)}`),
  });
  const { api, server, programs } = cluster;
  for (const result of await churn(api, options)) {
    print(resultLine(result));
    failures.push(...result.failures.map((each) => `${name}, ${each}`));
  }
  const { cpuSeconds, residentBytes } = server.usage();
  print(`  server: ${cpuSeconds.toFixed(1)} s of CPU, ${(residentBytes / 2 ** 20).toFixed(0)} MiB`);
  const errors = new Map<ProgramName, LogError[]>();
  for (const program of programs) {
    const log = program.log();
    errors.set(program.name, logErrors(log));
    if (options.logs !== undefined) {
      writeFileSync(join(options.logs, `${name}-${program.name}.log`), log);
    }
    if (!program.isAlive())
      failures.push(`${name}: ${program.name} has ended:\n${log.slice(-2000)}`);
  }
  return { failures, errors };
}

function resultLine({ story, runs, seconds, failures }: StoryResult): string {
  const failed = failures.length === 0 ? "" : `, ${failures.length} failed`;
  return `  ${story.padEnd(14)}${String(runs).padStart(4)} times, ${seconds.toFixed(1)} s each${failed}`;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: "string", default: "10" },
      width: { type: "string", default: "4" },
      story: { type: "string", multiple: true },
      only: { type: "string" },
      logs: { type: "string" },
    },
  });
  const servers: readonly ServerName[] = ["homeostat", "kube-apiserver"];
  const logs = values.logs === undefined ? undefined : resolve(values.logs);
  if (logs !== undefined) mkdirSync(logs, { recursive: true });
  return {
    minutes: positive("--minutes", values.minutes),
    width: positive("--width", values.width),
    stories: values.story?.flatMap((each) => chosen("--story", each, STORY_NAMES)) ?? STORY_NAMES,
    servers: chosen("--only", values.only, servers),
    logs,
  };
}
