import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../values/failure.ts";
import { ArrayList, elementsOf } from "../values/list-value.ts";
import type { ListValue } from "../values/value.ts";
import { sortByKeys } from "./sort-by-keys.ts";

test("elements come in the order of their keys, equal keys in the order they had", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 9n }), { maxLength: 12 }), (keys) => {
      const names = keys.map((key, index) => `${key}-${String(index).padStart(2, "0")}`);
      const sorted = sortByKeys(new ArrayList(names), new ArrayList(keys)) as ListValue;
      expect([...elementsOf(sorted)]).toEqual(names.toSorted());
    }),
  );
});

test("keys must be of one type that has an order", () => {
  const sort = (keys: ArrayList): unknown => sortByKeys(keys, keys);
  expect(sort(new ArrayList([1n, "a"]))).toEqual(
    new Failure("list elements must have the same type"),
  );
  expect(sort(new ArrayList([new ArrayList([])]))).toEqual(
    new Failure("list elements must be comparable"),
  );
});
