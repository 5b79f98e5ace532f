import { expect, test } from "vitest";
import { complaintsOf, outcomeOf } from "./test-outcome.ts";

const lines = (...each: string[]): string => `${each.join("\n")}\n`;

test("a test has the outcome that is told of it, not of its parts", () => {
  const parts = ["    --- SKIP: TestA/one (0.00s)", "    --- PASS: TestA/two (0.00s)"];
  const told = (result: string): string =>
    lines("=== RUN   TestA", `--- ${result}: TestA (1.20s)`, ...parts, "PASS");
  expect(outcomeOf("TestA", told("PASS"), 0)).toBe("passed");
  expect(outcomeOf("TestA", told("SKIP"), 0)).toBe("skipped");
  expect(outcomeOf("TestA", told("FAIL"), 0)).toBe("failed");
});

test("what was logged before needs no end of line", () => {
  expect(outcomeOf("TestA", "I1116 stopping--- PASS: TestA (0.10s)\nPASS\n", 0)).toBe("passed");
});

test("a program that ends badly has failed, whatever its test came to", () => {
  const output = lines("--- PASS: TestA (0.10s)", "PASS", "goleak: found 1 leaked goroutine");
  expect(outcomeOf("TestA", output, 1)).toBe("failed");
});

test("a program that ran no test has failed", () => {
  expect(outcomeOf("TestA", "testing: warning: no tests to run\nPASS\n", 0)).toBe("failed");
  expect(outcomeOf("TestA", "--- PASS: TestAB (0.10s)\nPASS\n", 0)).toBe("failed");
});

test("complaints are the last of what the test says, without what libraries log", () => {
  const output = lines(
    "=== RUN   TestA",
    "I1116 22:11:20.389913 client.go:7] noise",
    '    feature_gate.go:170: I1116 22:11:20.3] Updated featureGates={"X":true}',
    "    a_test.go:1: one",
    `    a_test.go:2: ${"x".repeat(500)}`,
    "--- FAIL: TestA (0.10s)",
    "panic: test timed out after 3m0s",
  );
  expect(complaintsOf(output, 3)).toEqual([
    `    a_test.go:2: ${"x".repeat(383)}...`,
    "--- FAIL: TestA (0.10s)",
    "panic: test timed out after 3m0s",
  ]);
  expect(complaintsOf(output, 10)).toHaveLength(4);
});
