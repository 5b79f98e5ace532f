// Rounds in turn: A B A B. What disturbs the machine for a while then disturbs both sides, and
// neither has the warm caches of the end to itself.

/** One side: measures once and answers what it saw. Rounds are counted from 0. */
export type Side<Result> = (round: number) => Result | Promise<Result>;

export interface AlternateOptions {
  readonly rounds: number;
  /** Called before each measurement. */
  readonly onRound?: (side: string, round: number) => void;
  readonly signal?: AbortSignal;
}

/** Runs each side once per round, in the order of the keys; answers each side's results in round order. */
export async function alternate<Results extends Record<string, unknown>>(
  sides: { readonly [Name in keyof Results]: Side<Results[Name]> },
  options: AlternateOptions,
): Promise<{ [Name in keyof Results]: Results[Name][] }> {
  const names = Object.keys(sides) as (keyof Results & string)[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as {
    [Name in keyof Results]: Results[Name][];
  };
  for (let round = 0; round < options.rounds; round++) {
    for (const name of names) {
      options.signal?.throwIfAborted();
      options.onRound?.(name, round);
      results[name].push(await sides[name](round));
    }
  }
  return results;
}
