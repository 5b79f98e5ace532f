import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KeyIndex } from "./key-index.ts";

function walked(index: KeyIndex, range: { prefix: string; after?: string | undefined }): string[] {
  const keys: string[] = [];
  index.walk(range, (key) => keys.push(key) > 0);
  return keys;
}

/** The same by filtering a sorted array. */
function wanted(keys: Iterable<string>, range: { prefix: string; after?: string | undefined }) {
  const { prefix, after } = range;
  return [...keys]
    .filter((key) => key.startsWith(prefix) && (after === undefined || key > after))
    .sort();
}

const key = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 4 }) },
  fc.string({ unit: "grapheme", maxLength: 3 }),
  fc.constantFrom("__proto__", "\uffff", "\ud83d\ude42"),
);
const range = fc.record({ prefix: key, after: fc.option(key, { nil: undefined }) });

test("adds, removes and walks agree with a sorted array", () => {
  const step = fc.tuple(fc.boolean(), key);
  fc.assert(
    fc.property(fc.array(key), fc.array(step), fc.array(range), (loaded, steps, ranges) => {
      const model = new Set(loaded);
      const index = new KeyIndex();
      index.load([...model]);
      for (const [isAdd, each] of steps) {
        if (isAdd === model.has(each)) continue;
        if (isAdd) index.add(each);
        else index.remove(each);
        if (isAdd) model.add(each);
        else model.delete(each);
      }
      expect(index.size).toBe(model.size);
      expect(walked(index, { prefix: "" })).toEqual(wanted(model, { prefix: "" }));
      for (const each of ranges) expect(walked(index, each)).toEqual(wanted(model, each));
    }),
  );
});

test("many blocks, filled in any order and emptied again, keep the order", () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => index);
  const name = (number: number) => `key ${String(number).padStart(5, "0")}`;
  const orders = {
    ascending: numbers,
    descending: numbers.toReversed(),
    scattered: numbers.map((number) => (number * 2_477) % 5_000),
  };
  for (const order of Object.values(orders)) {
    const index = new KeyIndex();
    for (const number of order) index.add(name(number));
    expect(walked(index, { prefix: "key" })).toEqual(numbers.map(name));
    expect(walked(index, { prefix: "key 012", after: "key 01250" })).toEqual(
      numbers.slice(1_251, 1_300).map(name),
    );
    for (const number of order) {
      if (number % 3 !== 0) index.remove(name(number));
    }
    const left = numbers.filter((number) => number % 3 === 0);
    expect(walked(index, { prefix: "" })).toEqual(left.map(name));
    for (const number of left) index.remove(name(number));
    expect([index.size, walked(index, { prefix: "" })]).toEqual([0, []]);
    index.add("last");
    expect(walked(index, { prefix: "" })).toEqual(["last"]);
  }
});

test("loading replaces what was there", () => {
  const index = new KeyIndex();
  index.add("old");
  index.load(["b", "a"]);
  expect([index.size, walked(index, { prefix: "" })]).toEqual([2, ["a", "b"]]);
  index.load([]);
  expect([index.size, walked(index, { prefix: "" })]).toEqual([0, []]);
});

test("a walk stops when the visitor says so", () => {
  const index = new KeyIndex();
  index.load(["a", "b", "c", "d"]);
  const seen: string[] = [];
  index.walk({ prefix: "" }, (each) => seen.push(each) < 2);
  expect(seen).toEqual(["a", "b"]);
});

test("removing what is not there says so", () => {
  const index = new KeyIndex();
  index.load(["a", "c"]);
  expect(() => index.remove("b")).toThrow('key "b" is not in the index');
  expect(index.size).toBe(2);
});

test("counting a range is walking it", () => {
  const parts = fc.constantFrom("a", "b", "a/", "b/", "c");
  const keyOf = fc.array(parts, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(fc.uniqueArray(keyOf, { maxLength: 2000 }), keyOf, keyOf, (keys, prefix, after) => {
      const index = new KeyIndex();
      for (const each of keys) index.add(each);
      expect(index.count({ prefix, after })).toBe(walked(index, { prefix, after }).length);
    }),
  );
});
