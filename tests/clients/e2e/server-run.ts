import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCluster } from "../control-plane/cluster.ts";
import type { ServerName } from "../control-plane/server-under-control.ts";
import { kubeconfigText } from "../kubeconfig-text.ts";
import type { E2ePrograms } from "./e2e-programs.ts";
import type { SpecResult } from "./ginkgo-report.ts";
import { runGinkgo } from "./ginkgo-run.ts";
import { PodOutcomes } from "./pod-outcomes.ts";
import { PodProcesses } from "./pod-processes.ts";
import { ServiceForwarder } from "./service-forwarder.ts";

/** Plain data: it goes from one process to another. */
export interface ServerRun {
  readonly server: ServerName;
  readonly programs: E2ePrograms;
  readonly tests: readonly string[];
  readonly processes: number;
  /** Where logs and reports are kept; undefined: nowhere. */
  readonly logs?: string;
}

/** Runs the tests against one server, in a private network (private-network.ts). */
export async function runAgainstServer(
  run: ServerRun,
  print: (line: string) => void,
): Promise<readonly SpecResult[]> {
  const { server: name, programs, tests, processes, logs } = run;
  const outcomes = new PodOutcomes();
  await using undo = new AsyncDisposableStack();
  const pods = undo.use(new PodProcesses(programs.agnhost));
  const cluster = undo.use(
    await startCluster(name, {
      // Of no interest: tests delete pods under the hands of the nodes.
      onError: () => undefined,
      exitCodeOf: (pod) => outcomes.exitCodeOf(pod),
      processes: pods,
    }),
  );
  const { folder } = cluster.server.files;
  pods.serve(cluster.api, join(folder, "pods"));
  undo.use(new ServiceForwarder(cluster.api));
  const kubeconfig = join(folder, "administrator.kubeconfig");
  writeFileSync(kubeconfig, kubeconfigText(cluster.server.access), { mode: 0o600 });
  const done = await runGinkgo({ programs, kubeconfig, tests, processes, folder, print });
  if (logs !== undefined) {
    mkdirSync(logs, { recursive: true });
    writeFileSync(join(logs, `${name}.log`), done.output);
    for (const program of cluster.programs) {
      writeFileSync(join(logs, `${name}-${program.name}.log`), program.log());
    }
  }
  return done.results;
}
