// A benchmark in parts, of which a run may leave out some.

class UnknownPartError extends Error {
  readonly code = "UNKNOWN_PART";
}

/** Those that $HOMEOSTAT_BENCH_PARTS ("lists,custom") names; all without it. */
export function wantedParts<Part extends string>(
  known: readonly Part[],
  asked: string | undefined = process.env["HOMEOSTAT_BENCH_PARTS"],
): ReadonlySet<Part> {
  if (asked === undefined || asked === "") return new Set(known);
  const names = asked.split(",");
  const unknown = names.filter((name) => !known.some((part) => part === name));
  if (unknown.length > 0) {
    throw new UnknownPartError(
      `HOMEOSTAT_BENCH_PARTS names "${unknown.join(",")}"; there are: ${known.join(", ")}`,
    );
  }
  return new Set(known.filter((part) => names.includes(part)));
}
