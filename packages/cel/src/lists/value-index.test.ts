import * as fc from "fast-check";
import { expect, test } from "vitest";
import { equalValues } from "../values/equality.ts";
import { ArrayList } from "../values/list-value.ts";
import { Uint } from "../values/uint-value.ts";
import type { Value } from "../values/value.ts";
import { ValueIndex } from "./value-index.ts";

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>("a", "b", "1", true, null, Number.NaN, 0.5, 2, new Uint(1n)),
  fc.bigInt({ min: 0n, max: 3n }),
  fc.constantFrom<Value>(new ArrayList([1n]), new ArrayList([1])),
);

test("has what comparing with every value would find", () => {
  fc.assert(
    fc.property(fc.array(value), value, (values, wanted) => {
      const found = values.some((other) => equalValues(wanted, other));
      expect(ValueIndex.of(values).has(wanted)).toBe(found);
    }),
  );
});
