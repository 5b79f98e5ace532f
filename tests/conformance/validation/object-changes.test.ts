import type { JsonObject } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyChanges, changesBetween } from "./object-changes.ts";

test("changes lead from one object to the other", () => {
  const object = fc.dictionary(
    fc.string({ minLength: 1 }),
    fc.jsonValue(),
  ) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(object, object, (from, to) => {
      const reached = applyChanges(from, changesBetween(from, to));
      expect(changesBetween(reached, to)).toEqual([]);
    }),
  );
});

test("changes are told by field", () => {
  const from = { spec: { a: 1, gone: true, list: ["x"] } };
  const to = { spec: { a: 2, list: ["y"] }, status: {} };
  expect(changesBetween(from, to)).toEqual([
    "spec.a=2",
    "-spec.gone",
    'spec.list[0]="y"',
    "status={}",
  ]);
});
