// `npm run bench [-- NAME...]`. A benchmark is a file bench/NAME/NAME.bench.ts; harness/bench-context.ts
// says what it exports. Results go to standard output as markdown, everything else to standard error.
// Exit codes: 0 all ran, 1 one failed (the others still run), 2 a mistake on the command line,
// 128 + signal when stopped.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { parseArguments, UsageError, usage } from "./harness/arguments.ts";
import type { BenchModule } from "./harness/bench-context.ts";
import { BenchReport } from "./harness/bench-report.ts";
import { describeMachine, thisMachine } from "./harness/machine.ts";
import type { Table } from "./harness/table.ts";

interface BenchOutcome {
  readonly name: string;
  readonly seconds: number;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  /** Why it did not come to its end. */
  readonly failure?: string;
}

const here = new URL("./", import.meta.url);
/** How long a benchmark has to end by itself after Ctrl-C. */
const graceMilliseconds = 2000;

function fileOf(name: string): URL {
  return new URL(`${name}/${name}.bench.ts`, here);
}

function findBenchmarks(): string[] {
  return readdirSync(here)
    .filter((name) => existsSync(fileOf(name)))
    .sort();
}

async function runOne(
  name: string,
  settings: { quick: boolean; signal: AbortSignal },
): Promise<BenchOutcome> {
  process.stdout.write(`## ${name}\n\n`);
  const report = new BenchReport({
    ...settings,
    write: (text) => void process.stdout.write(text),
    writeProgress: (text) => void process.stderr.write(text),
  });
  const begin = performance.now();
  let failure: string | undefined;
  try {
    const module = (await import(fileOf(name).href)) as BenchModule;
    await module.run(report);
  } catch (error) {
    settings.signal.throwIfAborted();
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(`${name} failed: ${failure}`);
  }
  const seconds = (performance.now() - begin) / 1000;
  process.stdout.write(`(${name}: ${seconds.toFixed(1)} s)\n\n`);
  const { tables, notes } = report;
  return { name, seconds, tables, notes, ...(failure !== undefined && { failure }) };
}

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  const known = findBenchmarks();
  const command = parseArguments(args, known);
  if (command.kind === "help") {
    process.stdout.write(usage);
    return 0;
  }
  if (command.kind === "list") {
    for (const name of known) console.log(name);
    return 0;
  }
  const machine = thisMachine();
  console.log(`${describeMachine(machine)}\n`);
  const began = new Date().toISOString();
  const benchmarks: BenchOutcome[] = [];
  for (const name of command.names) {
    benchmarks.push(await runOne(name, { quick: command.quick, signal }));
    signal.throwIfAborted();
  }
  if (command.jsonFile !== undefined) {
    const results = { began, quick: command.quick, machine, benchmarks };
    writeFileSync(command.jsonFile, `${JSON.stringify(results, undefined, 2)}\n`);
  }
  return benchmarks.some((each) => each.failure !== undefined) ? 1 : 0;
}

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    const status = 128 + constants.signals[name];
    process.exitCode = status;
    if (stopping.signal.aborted) process.exit(status);
    stopping.abort();
    setTimeout(() => process.exit(status), graceMilliseconds).unref();
  });
}
try {
  const status = await main(process.argv.slice(2), stopping.signal);
  // A benchmark may have left something open; its results are complete.
  process.exit(process.exitCode ?? status);
} catch (error) {
  if (stopping.signal.aborted) process.exit();
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
