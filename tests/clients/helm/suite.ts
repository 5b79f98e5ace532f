/**
 * `npm run clients -- helm`: Helm 3 and Helm 4 install, test, upgrade, break, roll back and remove the
 * chart beside this file, which has hooks, a definition and a custom resource of it. The cluster is one with
 * the real controllers, since hooks are Jobs. What Helm says must be the same against ours and against
 * kube-apiserver, and each step must leave what the chart says.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { realClock } from "@homeostat/concurrency";
import { assetPath } from "../../../scripts/assets/asset-path.ts";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { startCluster } from "../control-plane/cluster.ts";
import type { ServerName } from "../control-plane/server-under-control.ts";
import { chosen } from "../suite-options.ts";
import { type HelmMajor, tellOfChart } from "./chart-story.ts";
import { HelmSession } from "./helm-session.ts";

const SERVERS: readonly ServerName[] = ["homeostat", "kube-apiserver"];
const MAJORS: readonly HelmMajor[] = ["helm", "helm4"];

export const suite: ClientSuite = {
  about: "install, upgrade, rollback, uninstall of a chart [--only SERVER] [--logs DIR]",
  missing: () =>
    [...MAJORS, "kube-controller-manager", "kube-scheduler", "kube-apiserver", "etcd"]
      .filter((name) => assetPath(name) === undefined)
      .map((name) => `${name}: npm run assets -- ${name}`),
  run,
};

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: "string" }, logs: { type: "string" } },
  });
  const failures: string[] = [];
  const said = new Map<ServerName, readonly string[]>();
  for (const name of chosen("--only", values.only, SERVERS)) {
    await using cluster = await startCluster(name, {
      onError: (error) => failures.push(String(error)),
    });
    const lines: string[] = [];
    for (const major of MAJORS) {
      const begun = realClock.monotonic();
      const session = new HelmSession(assetPath(major)!, cluster.server);
      const failed = await tellOfChart(major, session, cluster.api);
      failures.push(...failed.map((each) => `${major} against ${name}: ${each}`));
      lines.push(...session.transcript.map((each) => `${major} ${each}`));
      const seconds = ((realClock.monotonic() - begun) / 1000).toFixed(1);
      print(`${major} against ${name}: ${session.transcript.length} commands in ${seconds} s`);
    }
    said.set(name, lines);
    if (values.logs !== undefined)
      writeFileSync(join(values.logs, `helm-${name}.txt`), lines.join("\n"));
  }
  const [ours, theirs] = [said.get("homeostat"), said.get("kube-apiserver")];
  theirs?.forEach((line, index) => {
    if (ours !== undefined && ours[index] !== line) {
      failures.push(`ours says\n${ours[index]}\nkube-apiserver says\n${line}`);
    }
  });
  return failures;
}
