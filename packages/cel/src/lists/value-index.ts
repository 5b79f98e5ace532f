/**
 * Values to be asked whether an equal one is among them, without comparing with all: they are kept by
 * a text that equal values share, whatever the types of their numbers and the order of their
 * elements (lists that stand for sets are equal in any order).
 */
import { equalValues } from "../values/equality.ts";
import { elementsOf, isList } from "../values/list-value.ts";
import { isMap } from "../values/map-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import { isUint } from "../values/uint-value.ts";
import type { Value } from "../values/value.ts";

export class ValueIndex {
  readonly #byMark = new Map<string, Value[]>();

  static of(values: Iterable<Value>): ValueIndex {
    const index = new ValueIndex();
    for (const value of values) index.add(value);
    return index;
  }

  add(value: Value): void {
    const mark = markOf(value);
    const marked = this.#byMark.get(mark);
    if (marked === undefined) this.#byMark.set(mark, [value]);
    else marked.push(value);
  }

  has(value: Value): boolean {
    const marked = this.#byMark.get(markOf(value)) ?? [];
    return marked.some((other) => equalValues(value, other));
  }
}

/** Equal values have equal marks; the reverse need not hold. */
function markOf(value: Value): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "bigint" || typeof value === "number") return Number(value).toString();
  if (isUint(value)) return Number(value.value).toString();
  if (isList(value)) return `[${marksOf(elementsOf(value))}]`;
  if (isMap(value)) {
    const entries = Array.from(value.keys(), (key) => {
      return `${markOf(key)}:${markOf(value.find(key) ?? null)}`;
    });
    return `{${entries.sort().join(",")}}`;
  }
  return typeof value === "boolean" ? String(value) : typeOfValue(value).kind;
}

function marksOf(values: Iterable<Value>): string {
  return Array.from(values, markOf).sort().join(",");
}
