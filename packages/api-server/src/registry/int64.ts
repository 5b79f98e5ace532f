/**
 * An int64 field as a number to count with. The types say number, but what no number holds exactly
 * arrives as a bigint; those are far beyond anything that is counted here, so the nearest will do.
 */
export function countOf(value: number | bigint | undefined): number {
  return Number(value ?? 0);
}
