import { printTypeName } from "../expression-types/print-type.ts";
import { REST_AFTER, type WorkSteps } from "../text/work-steps.ts";
import { compareValues } from "../values/compare.ts";
import { Failure } from "../values/failure.ts";
import { ArrayList } from "../values/list-value.ts";
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
export function* sortByKeys(list: ListValue, keys: ListValue): WorkSteps<Value> {
  if (list.size !== keys.size) {
    const counts = `${list.size} and ${keys.size} elements respectively`;
    const rule = "expected a list of the same size as the associated keys list";
    return new Failure(`@sortByAssociatedKeys() ${rule}, but got ${counts}`);
  }
  if (list.size === 0) return list;
  const first = typeOfValue(keys.at(0));
  if (!COMPARABLE_KINDS.has(first.kind)) return new Failure("list elements must be comparable");
  const values: Value[] = [];
  for (let index = 0; index < keys.size; index++) {
    const key = keys.at(index);
    if (printTypeName(typeOfValue(key)) !== printTypeName(first)) {
      return new Failure("list elements must have the same type");
    }
    values.push(key);
    if (values.length % REST_AFTER.elements === 0) yield;
  }
  const places = yield* placesInOrder(values);
  const elements: Value[] = [];
  for (const place of places) {
    elements.push(list.at(place));
    if (elements.length % REST_AFTER.elements === 0) yield;
  }
  return new ArrayList(elements);
}

/** Up to this many, kube-apiserver inserts one by one, which shows where NaN has no order. */
const INSERTION_LIMIT = 12;

/**
 * The places of the keys in their order: runs are sorted by insertion, neighbours merged until one is
 * left. Equal ones keep their order. Nothing is made but two lists of numbers.
 */
function* placesInOrder(keys: readonly Value[]): WorkSteps<Uint32Array> {
  const { length } = keys;
  let places = Uint32Array.from(keys, (_, index) => index);
  for (let start = 0; start < length; start += INSERTION_LIMIT) {
    insertEach(keys, places.subarray(start, start + INSERTION_LIMIT));
    if (start % (INSERTION_LIMIT * 256) === 0) yield;
  }
  let spare = new Uint32Array(length);
  for (let width = INSERTION_LIMIT; width < length; width *= 2) {
    for (let start = 0; start < length; start += width * 2) {
      const middle = Math.min(start + width, length);
      const end = Math.min(middle + width, length);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const takesRight =
          left === middle ||
          (right < end && compareKeys(keys[places[right]!]!, keys[places[left]!]!) < 0);
        spare[at] = takesRight ? places[right++]! : places[left++]!;
        if (at % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
      }
    }
    [places, spare] = [spare, places];
  }
  return places;
}

function insertEach(keys: readonly Value[], places: Uint32Array): void {
  for (let index = 1; index < places.length; index++) {
    const place = places[index]!;
    let at = index;
    for (; at > 0 && compareKeys(keys[place]!, keys[places[at - 1]!]!) < 0; at--) {
      places[at] = places[at - 1]!;
    }
    places[at] = place;
  }
}

function compareKeys(a: Value, b: Value): number {
  const order = compareValues(a, b);
  return typeof order === "number" ? order : 0;
}
