import type { KeyValue } from "@homeostat/store";
import type { Keeping } from "./served-resource.ts";

/** The same states with their bytes as the kind has them now. */
export function refreshStates(
  keeping: Keeping,
  states: readonly KeyValue[],
): readonly KeyValue[] | Promise<readonly KeyValue[]> {
  const values = keeping.refresh(states.map(({ value }) => value));
  const withValues = (fresh: readonly Uint8Array[]): readonly KeyValue[] =>
    states.map(({ key, revision, createRevision, version, expiresAt }, at) => {
      return { key, revision, createRevision, version, expiresAt, value: fresh[at]! };
    });
  return values instanceof Promise ? values.then(withValues) : withValues(values);
}
