import { expect, test } from "vitest";
import { GoTestReader } from "./go-test-run.ts";

test("times and failures are read from what Go prints", () => {
  const reader = new GoTestReader();
  const output = `=== RUN   TestGood
TIME start 120 ms
TIME stop 7 ms
--- PASS: TestGood (0.86s)
=== RUN   TestBad
    operator_test.go:152: the default is missing
TIME stop 9 ms
--- FAIL: TestBad (2.15s)
FAIL`;
  for (const line of output.split("\n")) reader.read(line);
  expect([...reader.tests]).toEqual([
    ["TestGood", 860],
    ["TestBad", 2150],
  ]);
  expect([reader.starts, reader.stops]).toEqual([[120], [7, 9]]);
  expect(reader.failures()).toEqual(["TestBad\n    operator_test.go:152: the default is missing"]);
});

test("what was said last is told when Go ends without a result", () => {
  const reader = new GoTestReader();
  for (const line of ["=== RUN   TestA", "panic: test timed out"]) reader.read(line);
  expect(reader.failures()).toEqual([]);
  expect(reader.lastLines()).toBe("=== RUN   TestA\npanic: test timed out");
});
