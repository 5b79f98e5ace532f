// Rounds in turn: A B A B. What disturbs the machine for a while then disturbs both sides, and
// neither has the warm caches of the end to itself.

/** One side: measures once and answers what it saw. Rounds are counted from 0, warming up included. */
export type Side<Result> = (round: number) => Result | Promise<Result>;

export interface AlternateOptions {
  /** Those that count. */
  readonly rounds: number;
  /**
   * Rounds before them whose results do not count (default 0): of a server that compiles while it runs
   * the first seconds of a load are the dearest.
   */
  readonly warmUpRounds?: number;
  /** Called before each measurement. */
  readonly onRound?: (side: string, round: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs each side once per round, in the order of the keys; answers each side's results of the rounds that
 * count, in their order.
 */
export async function alternate<Results extends Record<string, unknown>>(
  sides: { readonly [Name in keyof Results]: Side<Results[Name]> },
  options: AlternateOptions,
): Promise<{ [Name in keyof Results]: Results[Name][] }> {
  const names = Object.keys(sides) as (keyof Results & string)[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as {
    [Name in keyof Results]: Results[Name][];
  };
  const { rounds, warmUpRounds = 0 } = options;
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (const name of names) {
      options.signal?.throwIfAborted();
      options.onRound?.(name, round);
      const result = await sides[name](round);
      if (round >= warmUpRounds) results[name].push(result);
    }
  }
  return results;
}
