import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assetPath } from "../../../scripts/assets/asset-path.ts";
import { runProgram } from "../program-run.ts";
import type { E2ePrograms } from "./e2e-programs.ts";
import { focusOf } from "./focused-tests.ts";
import { readReport, type SpecResult } from "./ginkgo-report.ts";

export interface GinkgoOptions {
  readonly programs: E2ePrograms;
  readonly kubeconfig: string;
  readonly tests: readonly string[];
  /** How many tests run at the same time; those that must be alone come last. */
  readonly processes: number;
  /** For what it leaves behind. */
  readonly folder: string;
  readonly print: (line: string) => void;
}

export interface GinkgoRun {
  readonly results: readonly SpecResult[];
  readonly output: string;
}

/** Runs the tests against one server, without retries. */
export async function runGinkgo(options: GinkgoOptions): Promise<GinkgoRun> {
  const { programs, tests, folder, print } = options;
  const report = join(folder, "ginkgo.json");
  const { code, output } = await runProgram({
    command: programs.ginkgo,
    folder,
    args: [
      `--procs=${options.processes}`,
      "--timeout=3h",
      "--no-color",
      "--silence-skips",
      "--output-interceptor-mode=none",
      `--json-report=${report}`,
      ...tests.map((test) => `--focus=${focusOf(test)}`),
      programs.tests,
      "--",
      "--provider=skeleton",
      `--kubeconfig=${options.kubeconfig}`,
      `--kubectl-path=${assetPath("kubectl")}`,
      "--num-nodes=2",
      "--allowed-not-ready-nodes=-1",
      "--disable-log-dump=true",
      "--dump-logs-on-failure=false",
    ],
    onLine: (line) => {
      if (line.includes("[FAILED] [")) print(`  ${line.trim()}`);
    },
  });
  if (!existsSync(report)) throw new Error(`ginkgo ended with ${code}:\n${output.slice(-4000)}`);
  return { results: readReport(readFileSync(report, "utf8")), output };
}
