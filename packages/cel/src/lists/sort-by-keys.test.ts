import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finishNow } from "../text/work-steps.ts";
import { Failure } from "../values/failure.ts";
import { ArrayList, elementsOf } from "../values/list-value.ts";
import type { ListValue } from "../values/value.ts";
import { sortByKeys } from "./sort-by-keys.ts";

test("elements come in the order of their keys, equal keys in the order they had", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 9n }), { maxLength: 12 }), (keys) => {
      const names = keys.map((key, index) => `${key}-${String(index).padStart(2, "0")}`);
      const sorted = finishNow(sortByKeys(new ArrayList(names), new ArrayList(keys))) as ListValue;
      expect([...elementsOf(sorted)]).toEqual(names.toSorted());
    }),
  );
});

test("keys must be of one type that has an order", () => {
  const sort = (keys: ArrayList): unknown => finishNow(sortByKeys(keys, keys));
  expect(sort(new ArrayList([1n, "a"]))).toEqual(
    new Failure("list elements must have the same type"),
  );
  expect(sort(new ArrayList([new ArrayList([])]))).toEqual(
    new Failure("list elements must be comparable"),
  );
});

test("long lists are sorted in steps, equal keys in the order they had", () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => BigInt((index * 7919) % 100));
  const numbers = keys.map((_, index) => BigInt(index));
  const steps = sortByKeys(new ArrayList(numbers), new ArrayList(keys));
  let rests = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) rests++;
  const expected = numbers.toSorted((a, b) => Number(keys[Number(a)]! - keys[Number(b)]!));
  expect([...elementsOf(step.value as ListValue)]).toEqual(expected);
  expect(rests).toBeGreaterThan(3);
});
