import { expect, test } from "vitest";
import { wantedParts } from "./wanted-parts.ts";

test("without a wish every part runs; with one only those that are named", () => {
  expect([...wantedParts(["lists", "pods", "custom"], "")]).toEqual(["lists", "pods", "custom"]);
  expect([...wantedParts(["lists", "pods", "custom"], "custom,lists")]).toEqual([
    "lists",
    "custom",
  ]);
});

test("a part that is not there is refused, with those that are", () => {
  expect(() => wantedParts(["lists", "pods"], "pods,custmo")).toThrow(
    'HOMEOSTAT_BENCH_PARTS names "custmo"; there are: lists, pods',
  );
});
