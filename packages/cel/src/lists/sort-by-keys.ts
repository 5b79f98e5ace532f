import { printTypeName } from "../expression-types/print-type.ts";
import { compareValues } from "../values/compare.ts";
import { Failure } from "../values/failure.ts";
import { ArrayList, elementsOf } from "../values/list-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import type { ListValue, Value } from "../values/value.ts";

const COMPARABLE_KINDS: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "int",
  "string",
  "timestamp",
  "uint",
]);

/** The elements in the order of their keys, which are all of one type that has an order. */
export function sortByKeys(list: ListValue, keys: ListValue): Value {
  if (list.size !== keys.size) {
    const counts = `${list.size} and ${keys.size} elements respectively`;
    const rule = "expected a list of the same size as the associated keys list";
    return new Failure(`@sortByAssociatedKeys() ${rule}, but got ${counts}`);
  }
  if (list.size === 0) return list;
  const first = typeOfValue(keys.at(0));
  if (!COMPARABLE_KINDS.has(first.kind)) return new Failure("list elements must be comparable");
  const entries: SortEntry[] = [];
  for (const key of elementsOf(keys)) {
    if (printTypeName(typeOfValue(key)) !== printTypeName(first)) {
      return new Failure("list elements must have the same type");
    }
    entries.push({ key, element: list.at(entries.length) });
  }
  return new ArrayList(sorted(entries).map(({ element }) => element));
}

interface SortEntry {
  readonly key: Value;
  readonly element: Value;
}

/** Up to this many, kube-apiserver inserts one by one, which shows where NaN has no order. */
const INSERTION_LIMIT = 12;

function sorted(entries: readonly SortEntry[]): readonly SortEntry[] {
  if (entries.length > INSERTION_LIMIT) return entries.toSorted(compareEntries);
  const placed: SortEntry[] = [];
  for (const entry of entries) {
    let index = placed.length;
    while (index > 0 && compareEntries(entry, placed[index - 1] as SortEntry) < 0) index--;
    placed.splice(index, 0, entry);
  }
  return placed;
}

function compareEntries(a: SortEntry, b: SortEntry): number {
  const order = compareValues(a.key, b.key);
  return typeof order === "number" ? order : 0;
}
