// The JSON codec beside native JSON.parse and JSON.stringify, with every safety of the codec on.
// Ordinary objects are held to the aim; the hard ones leave the fast path and show what that costs.
import type { BenchContext } from "../harness/bench-context.ts";
import { median, medianInterval } from "../harness/statistics.ts";
import { type CodecCase, hardCases, ordinaryCases } from "./codec-cases.ts";

/** What ordinary objects may cost, as a multiple of native JSON. */
const aim = 1.2;

/** How long one side is measured in one round. */
const roundMicroseconds = 10_000;

interface CodecResult {
  readonly name: string;
  /** Microseconds for one call, the median of the rounds. */
  readonly native: number;
  readonly ours: number;
  /** Ours to native, of each round: what disturbs a round disturbs both halves of it. */
  readonly ratios: readonly number[];
}

export async function run(context: BenchContext): Promise<void> {
  const ordinary = ordinaryCases().map((each) => measure(each, context));
  context.table({
    title: "JSON codec on ordinary objects",
    columns: ["case", "native us", "ours us", "ratio", "95 % interval", `within ${aim}`],
    rows: ordinary.map((result) => [...row(result), median(result.ratios) <= aim ? "yes" : "no"]),
  });
  const over = ordinary.filter(({ ratios }) => median(ratios) > aim);
  context.note(
    over.length === 0
      ? `All ordinary cases are within ${aim}x of native JSON.`
      : `${over.length} of ${ordinary.length} ordinary cases are not within ${aim}x of native JSON: ${over.map(({ name }) => name).join("; ")}.`,
  );
  context.table({
    title: "JSON codec on hard texts and values",
    columns: ["case", "native us", "ours us", "ratio", "95 % interval"],
    rows: hardCases().map((each) => row(measure(each, context))),
  });
}

function row({ name, native, ours, ratios }: CodecResult): (string | number)[] {
  const { low, high } = medianInterval(ratios);
  return [name, native, ours, median(ratios), `${low.toFixed(2)}-${high.toFixed(2)}`];
}

/** In each round both sides run, one right after the other; they take turns in beginning. */
function measure({ name, native, ours }: CodecCase, context: BenchContext): CodecResult {
  context.progress(name);
  const calls = warmUp(native, ours);
  const nativeTimes: number[] = [];
  const ourTimes: number[] = [];
  const rounds = context.quick ? 11 : 61;
  for (let round = 0; round < rounds; round++) {
    context.signal.throwIfAborted();
    if (round % 2 === 0) nativeTimes.push(timeOf(native, calls));
    ourTimes.push(timeOf(ours, calls));
    if (round % 2 === 1) nativeTimes.push(timeOf(native, calls));
  }
  return {
    name,
    native: median(nativeTimes),
    ours: median(ourTimes),
    ratios: ourTimes.map((time, round) => time / (nativeTimes[round] ?? Number.NaN)),
  };
}

/** Runs both until they are compiled; gives how many calls fill a round. */
function warmUp(native: () => unknown, ours: () => unknown): number {
  let calls = 1;
  while (timeOf(native, calls) * calls < roundMicroseconds) calls *= 2;
  for (let round = 0; round < 5; round++) timeOf(ours, calls);
  return calls;
}

/** Microseconds for one call. */
function timeOf(call: () => unknown, calls: number): number {
  const start = performance.now();
  let answers = 0;
  for (let i = 0; i < calls; i++) if (call() !== undefined) answers++;
  const microseconds = (performance.now() - start) * 1000;
  // What is looked at cannot be left out by the compiler.
  if (answers !== calls) throw new Error(`expected ${calls} answers, got ${answers}`);
  return microseconds / calls;
}
