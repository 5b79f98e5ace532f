/** Lists that may only be so long. Of one that is longer nothing else is said. */
import { FieldError, FieldPath } from "@homeostat/object-model";
import type { Place, Rule } from "@homeostat/schema";

/** False where it is too long, and the place knows. */
export function isWithin(size: number, max: number, place: Place): boolean {
  if (size <= max) return true;
  place.add(FieldError.tooMany(place.path ?? FieldPath.of(""), size, max));
  return false;
}

export function upTo<E, C = unknown>(max: number, rule: Rule<E, C>): Rule<readonly E[], C> {
  return (list = [], place) => {
    if (!isWithin(list.length, max, place)) return;
    for (const [index, element] of list.entries()) rule(element, place.index(index));
  };
}

interface DistinctOptions<E, C> {
  readonly max?: number;
  readonly rule: Rule<E, C>;
  /** What may occur once; it is shown where it occurs again. */
  readonly keyOf: (element: E) => unknown;
}

/** Doubles are told after everything else, at the element. */
export function distinctUpTo<E, C = unknown>(
  options: DistinctOptions<E, C>,
): Rule<readonly E[], C> {
  const elements = upTo(options.max ?? Number.POSITIVE_INFINITY, options.rule);
  return (list = [], place) => {
    elements(list, place);
    if (list.length > (options.max ?? list.length)) return;
    const seen = new Set<string>();
    for (const [index, element] of list.entries()) {
      const key = options.keyOf(element);
      const text = JSON.stringify(key);
      if (seen.has(text)) place.index(index).duplicate(key);
      seen.add(text);
    }
  };
}

export function itself(text: string): string {
  return text;
}
