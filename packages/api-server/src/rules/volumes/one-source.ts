import type { Place, Rule } from "@homeostat/schema";

/** One of the sources a volume may have, at its place in the order in which they are looked at. */
export interface SourceRule<V, C> {
  readonly field: keyof V & string;
  // The type of the source follows from the field; `sourceOf` is what ties them.
  readonly rule: Rule<never, C>;
  /** The name in the paths of its errors, where that is not the field. */
  readonly named?: string;
  /** The name in the path of the error that says it is one too many. */
  readonly namedTwice?: string;
  /** Looked at even where another source came before. */
  readonly always?: boolean;
  /** What is said of the volume after its source. */
  readonly thenVolume?: (volume: V, place: Place<C>, isFirst: boolean) => void;
}

/** A row of a table of sources. */
export function sourceOf<V, C, Field extends keyof V & string>(
  field: Field,
  rule: Rule<NonNullable<V[Field]>, C>,
  options: Omit<SourceRule<V, C>, "field" | "rule"> = {},
): SourceRule<V, C> {
  return { field, rule, ...options };
}

/** A volume has exactly one source: the first one is looked at, further ones are refused. */
export function oneSource<V extends object, C>(
  sources: readonly SourceRule<V, C>[],
): (volume: V, place: Place<C>) => void {
  return (volume, place) => {
    let found = false;
    for (const { field, rule, named, namedTwice, always, thenVolume } of sources) {
      const source = volume[field] ?? undefined;
      if (source === undefined) continue;
      const isFirst = !found || always === true;
      if (isFirst) rule(source as never, place.child(named ?? field));
      else place.child(namedTwice ?? field).forbidden("may not specify more than 1 volume type");
      thenVolume?.(volume, place, isFirst);
      found = true;
    }
    if (!found) place.required("must specify a volume type");
  };
}
