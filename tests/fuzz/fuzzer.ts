import { type SeededRandom, seededRandom } from "@homeostat/concurrency";
import type { FuzzTarget } from "./fuzz-target.ts";
import { mutate } from "./mutate.ts";

/**
 * Milliseconds of work that one input may make. Not of waiting: a busy machine makes everybody wait, and
 * what waits without end is told by whoever runs the cases.
 */
const SLOW = 1000;

/** An input that broke a law, and how to have it again. */
export interface Finding {
  readonly seed: string;
  readonly number: number;
  readonly input: Uint8Array;
  readonly reason: string;
}

export interface FuzzOptions {
  readonly seed: string;
  /** The first case; those before it are not needed for it. Default 0. */
  readonly from?: number;
  /** Asked before every case. */
  readonly goesOn: (cases: number) => boolean;
  /** Told before every case, so that one that never ends can be saved. */
  readonly onCase?: (number: number, input: Uint8Array) => void;
}

/** The case of this number: the same for the same seed, whatever ran before. */
export function caseOf(
  target: FuzzTarget,
  seed: string,
  number: number,
): { readonly input: Uint8Array; readonly random: SeededRandom } {
  const random = seededRandom(seed).fork(number);
  const input = random.below(3) === 0 ? target.generate(random) : mutate(random, target);
  return { input, random };
}

/** Runs cases until told to stop or until a law breaks. */
export async function fuzz(
  target: FuzzTarget,
  { seed, from = 0, goesOn, onCase }: FuzzOptions,
): Promise<{ readonly cases: number; readonly finding?: Finding }> {
  let cases = 0;
  for (let number = from; goesOn(cases); number++, cases++) {
    const { input, random } = caseOf(target, seed, number);
    onCase?.(number, input);
    const reason = await judge(target, input, random);
    if (reason !== undefined) return { cases, finding: { seed, number, input, reason } };
  }
  return { cases };
}

/** What is wrong with how this input was taken; undefined when nothing is. */
export async function judge(
  target: FuzzTarget,
  input: Uint8Array,
  random: SeededRandom,
): Promise<string | undefined> {
  const begun = process.threadCpuUsage();
  try {
    await target.run(input, random);
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { user, system } = process.threadCpuUsage(begun);
  const took = (user + system) / 1000;
  return took > SLOW ? `worked ${Math.round(took)} ms; ${SLOW} ms are allowed` : undefined;
}
