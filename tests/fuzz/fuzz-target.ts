/**
 * `npm run fuzz -- <target>`: bytes that were made up, or made from good ones, and an oracle per target
 * that knows what must hold of any of them. A target names its inputs (generate), what good ones look
 * like (corpus, words) and its laws (run). Start at targets/json.ts for the shape of one, at fuzzer.ts
 * for how inputs are chosen and judged.
 */
import type { SeededRandom } from "@homeostat/concurrency";

export interface FuzzTarget extends AsyncDisposable {
  /** Good inputs, to be spoiled. */
  readonly corpus: readonly Uint8Array[];
  /** Pieces that mean something to what is under test. */
  readonly words: readonly string[];
  /** A new input, well-formed more often than not. */
  generate(random: SeededRandom): Uint8Array;
  /** Throws when a law is broken; what the input deserves (a refusal) is no failure. */
  run(input: Uint8Array, random: SeededRandom): Promise<void> | void;
}

/** Opens what the target needs: a plane, a listener, nothing. */
export type OpenTarget = () => Promise<FuzzTarget>;

/** A law that does not hold. */
export class LawBrokenError extends Error {
  readonly code = "law-broken";
  override readonly name = "LawBrokenError";
}

export function requireLaw(holds: boolean, law: string): void {
  if (!holds) throw new LawBrokenError(law);
}

export const encode = (text: string): Uint8Array => Buffer.from(text);

/** Ill-formed UTF-8 becomes replacement characters. */
export const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** One of these. */
export function pick<T>(random: SeededRandom, choices: readonly T[]): T {
  return choices[random.below(choices.length)]!;
}
