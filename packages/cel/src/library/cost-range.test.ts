import { expect, test } from "vitest";
import { ArrayList } from "../values/list-value.ts";
import { Optional } from "../values/optional-value.ts";
import {
  actualSize,
  addRanges,
  MAX_COST,
  multiplyRanges,
  scaleRange,
  unionRanges,
} from "./cost-range.ts";

test("sums and products end at the largest cost", () => {
  const wide = { min: 1, max: MAX_COST };
  expect(addRanges(wide, { min: 2, max: 3 })).toEqual({ min: 3, max: MAX_COST });
  expect(multiplyRanges(wide, { min: 0, max: 3 })).toEqual({ min: 0, max: MAX_COST });
  expect(scaleRange(wide, 4)).toEqual({ min: 4, max: MAX_COST });
});

test("factors round up", () => {
  expect(scaleRange({ min: 0, max: 11 }, 0.1)).toEqual({ min: 0, max: 2 });
  expect(unionRanges({ min: 2, max: 3 }, { min: 1, max: 2 })).toEqual({ min: 1, max: 3 });
});

test("sizes are characters, bytes and elements; all else counts one", () => {
  expect(actualSize("a😀")).toBe(2);
  expect(actualSize(new Uint8Array(3))).toBe(3);
  expect(actualSize(new ArrayList([]))).toBe(0);
  expect(actualSize(new Optional("abc"))).toBe(3);
  expect(actualSize(Optional.none)).toBe(1);
  expect(actualSize(7n)).toBe(1);
});
