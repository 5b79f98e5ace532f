/**
 * `npm run clients -- envtest`: the tests of a small operator (operator/, an ordinary Go module) on the
 * unmodified envtest of controller-runtime, first with what `homeostat envtest-assets` writes and
 * then with the real etcd and kube-apiserver. Both have to be green; the times stand side by side.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { realClock } from "@homeostat/concurrency";
import { goVersion, runGo } from "../../../scripts/assets/go-command.ts";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { ENVTEST_SIDES, missingPrograms, provideEnvtestPrograms } from "../envtest-programs.ts";
import { chosen } from "../suite-options.ts";
import { type GoTestRun, runGoTests } from "./go-test-run.ts";

const operator = fileURLToPath(new URL("operator/", import.meta.url));

export const suite: ClientSuite = {
  about:
    "an operator's tests on envtest, ours beside the real ones [--only homeostat|kube-apiserver] [--run REGEXP]",
  missing: () => [
    ...(goVersion() === undefined ? ["Go 1.26 or newer: https://go.dev/dl/"] : []),
    ...missingPrograms(),
  ],
  run,
};

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: "string" }, run: { type: "string" } },
  });
  const sides = chosen("--only", values.only, ENVTEST_SIDES);
  const folder = mkdtempSync(join(tmpdir(), "homeostat-envtest-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const program = join(folder, "operator.test");
    const begun = realClock.monotonic();
    await runGo(["test", "-c", "-o", program, "."], {
      folder: operator,
      temporaryFolder: folder,
      signal: new AbortController().signal,
      onLine: (line) => print(line),
    });
    print(`compiled in ${seconds(realClock.monotonic() - begun)}`);
    const runs = new Map<string, GoTestRun>();
    for (const name of sides) {
      print(`\n${name}:`);
      const assets = join(folder, name);
      provideEnvtestPrograms(name, assets);
      const options = { folder: operator, assets, pattern: values.run ?? ".", print };
      runs.set(name, await runGoTests(program, options));
    }
    report(runs, print);
    return [...runs].flatMap(([name, { failures }]) => failures.map((each) => `${name}: ${each}`));
  } finally {
    remove();
  }
}

function report(runs: ReadonlyMap<string, GoTestRun>, print: (line: string) => void): void {
  const columns = [...runs.values()];
  const names = [...new Set(columns.flatMap(({ tests }) => [...tests.keys()]))];
  const row = (label: string, cells: readonly string[]): void =>
    print(`${label.padEnd(45)}${cells.map((cell) => cell.padStart(16)).join("")}`);
  const milliseconds = (values: readonly number[]): string =>
    values.length === 0 ? "-" : `${median(values)} ms`;
  print("");
  row("", [...runs.keys()]);
  for (const name of names) {
    row(
      name,
      columns.map(({ tests }) => seconds(tests.get(name) ?? 0)),
    );
  }
  row(
    "all",
    columns.map(({ total }) => seconds(total)),
  );
  row(
    "start of an environment (median)",
    columns.map(({ starts }) => milliseconds(starts)),
  );
  row(
    "stop of an environment (median)",
    columns.map(({ stops }) => milliseconds(stops)),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
