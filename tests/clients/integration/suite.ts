/**
 * `npm run clients -- integration`: Kubernetes' own integration tests. They start kube-apiserver inside their
 * process; copies of their modules start the program of a folder instead: what `homeostat envtest-assets`
 * writes, and for those that fail with that, the real one. A test that passes only there has failed, unless
 * `known-outcomes.txt` says why.
 */
import { goVersion } from "../../../scripts/assets/go-command.ts";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { type EnvtestSide, missingPrograms } from "../envtest-programs.ts";
import { SuiteOptionError } from "../suite-options.ts";
import { IntegrationModules, type TestProgram } from "./integration-modules.ts";
import { readIntegrationOptions } from "./integration-options.ts";
import { IntegrationRun } from "./integration-run.ts";
import { failuresOf, judge, type TestResult, type TestResults } from "./judgement.ts";
import { knownOutcomes, skipPattern } from "./known-outcomes.ts";

export const suite: ClientSuite = {
  about:
    'Kubernetes\' integration tests: [--packages "apiserver/apply dryrun"] [--tests REGEXP] [--known] [--only homeostat|kube-apiserver]',
  missing: () => [
    ...(goVersion() === undefined ? ["Go 1.26 or newer: https://go.dev/dl/"] : []),
    ...missingPrograms(),
  ],
  run,
};

/** Of tests, by package and name. */
type Wants = (name: string) => boolean;

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  const options = readIntegrationOptions(args);
  const modules = await IntegrationModules.prepare(print);
  const unknown = options.packages.filter((name) => !modules.has(name));
  if (unknown.length > 0) {
    throw new SuiteOptionError(
      `--packages: there are no tests in ${unknown.join(", ")} of k8s.io/kubernetes/test/integration; apiextensions is that of k8s.io/apiextensions-apiserver`,
    );
  }
  const programs: TestProgram[] = [];
  for (const name of options.packages) programs.push(await modules.compile(name, print));
  const known = knownOutcomes();
  const skip = (name: string): string => (options.known ? "" : skipPattern(known, name));
  const on = (side: EnvtestSide, wants: Wants): Promise<TestResults> =>
    runSide({ side, programs, wants, skip, logs: modules.logs, print });
  const wanted: Wants = (name) =>
    options.tests.test(name.split(" ")[1]!) && (options.known || !known.has(name));
  const first = await on(options.only ?? "homeostat", wanted);
  if (first.size === 0) {
    throw new SuiteOptionError(
      "--tests: the packages have no such test, or only such with a known outcome: --known runs those",
    );
  }
  if (options.only !== undefined) return failuresOf(first);
  const failed = (name: string): boolean => first.get(name)?.outcome === "failed";
  const second = [...first.keys()].some(failed) ? await on("kube-apiserver", failed) : new Map();
  // Nothing is known of what was left to run.
  const { failures, remarks } = judge(first, second, options.known ? known : new Map());
  for (const remark of remarks) print(remark);
  return failures;
}

interface SideRun {
  readonly side: EnvtestSide;
  readonly programs: readonly TestProgram[];
  readonly wants: Wants;
  /** Which parts of a test to leave out, as a pattern of Go; empty: none. */
  readonly skip: (name: string) => string;
  readonly logs: string;
  readonly print: (line: string) => void;
}

async function runSide(sideRun: SideRun): Promise<TestResults> {
  const { side, programs, wants, print } = sideRun;
  await using integration = await IntegrationRun.start(side, sideRun.logs);
  const results = new Map<string, TestResult>();
  const tell = (seconds: number, text: string): void =>
    print(`  ${seconds.toFixed(1).padStart(6)} s  ${text}`);
  print(`${side}:`);
  for (const program of programs) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    let total = 0;
    for (const test of await integration.testsOf(program)) {
      const name = `${program.name} ${test}`;
      if (!wants(name)) continue;
      const result = await integration.run(program, test, sideRun.skip(name));
      results.set(name, result);
      counts[result.outcome] += 1;
      total += result.seconds;
      if (result.outcome === "failed") tell(result.seconds, `FAIL ${name}`);
    }
    const { passed, failed, skipped } = counts;
    if (passed + failed + skipped === 0) continue;
    tell(total, `${program.name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
  return results;
}
