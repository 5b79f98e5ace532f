/**
 * What an update may not change, said as kube-apiserver says it. Values are compared as Go compares
 * them: nothing, an empty list and an empty map are the same, and so are they in messages only where
 * the internal form prints them so.
 */

import {
  compareBytewise,
  FieldError,
  type FieldPath,
  type JsonValue,
} from "@homeostat/object-model";
import {
  type InternalType,
  internalForm,
  printIndented,
  sameForm,
  samePointer,
} from "./internal-form.ts";
import { unifiedDiff } from "./unified-diff.ts";

export const FIELD_IS_IMMUTABLE = "field is immutable";

interface FieldChange {
  readonly path: FieldPath;
  readonly value: unknown;
  readonly old: unknown;
}

/** For scalars, and for lists and maps of them. */
export function checkImmutable({ path, value, old }: FieldChange): FieldError[] {
  if (sameForm(value ?? null, old ?? null)) return [];
  return [FieldError.invalid(path, withSortedKeys(value), FIELD_IS_IMMUTABLE)];
}

/** Go prints a map in the order of its keys. */
function withSortedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compareBytewise(a, b)));
}

/** For a part that has a type of its own. */
export function checkImmutablePart(type: InternalType, change: FieldChange): FieldError[] {
  const { path, value, old } = change;
  if (samePointer(type, value, old)) return [];
  return [FieldError.invalid(path, printedPart(type, value), FIELD_IS_IMMUTABLE)];
}

/** The part as messages show it: null where there is none. */
export function printedPart(type: InternalType, value: unknown): JsonValue {
  return value === undefined ? null : internalForm(type, value);
}

/** The lines in which the internal forms of two parts differ. */
export function diffOfParts(type: InternalType, old: unknown, value: unknown): string {
  return unifiedDiff(
    printIndented(internalForm(type, old)),
    printIndented(internalForm(type, value)),
  );
}
