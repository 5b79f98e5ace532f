// How large the loads of a run are, and how often each is measured.

class InvalidRoundsError extends Error {
  readonly code = "INVALID_ROUNDS";
}

export interface SizeChoice<Sizes extends { readonly rounds: number }> {
  readonly full: Sizes;
  readonly quick: Sizes;
}

/** The quick ones, or the full ones with the rounds that $HOMEOSTAT_BENCH_ROUNDS asks for. */
export function chosenSizes<Sizes extends { readonly rounds: number }>(
  { full, quick }: SizeChoice<Sizes>,
  isQuick: boolean,
  asked: string | undefined = process.env["HOMEOSTAT_BENCH_ROUNDS"],
): Sizes {
  if (isQuick) return quick;
  if (asked === undefined || asked === "") return full;
  const rounds = Number(asked);
  if (Number.isInteger(rounds) && rounds > 0) return { ...full, rounds };
  throw new InvalidRoundsError(
    `HOMEOSTAT_BENCH_ROUNDS is "${asked}"; expected a whole number of rounds from 1 on`,
  );
}
