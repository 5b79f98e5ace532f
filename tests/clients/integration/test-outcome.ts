/** What a program of Go's test framework says with `-test.v` about the one test that it ran. */
export type Outcome = "passed" | "failed" | "skipped";

/**
 * A program that ends badly has failed whatever its test came to: goroutines that leak, or a panic in what
 * the test left behind, are told after the test. So has one that ran no test.
 */
export function outcomeOf(test: string, output: string, code: number): Outcome {
  // Not at the beginning of a line: what was logged before may have no end of line.
  const results = output.matchAll(/--- (PASS|FAIL|SKIP): (\S+) \(/g);
  const said = [...results].findLast(([, , name]) => name === test)?.[1];
  if (code !== 0 || said === undefined || said === "FAIL") return "failed";
  return said === "SKIP" ? "skipped" : "passed";
}

/** Not what the libraries log through the test, such as `feature_gate.go:170: I1116 22:11:20.4] ...`. */
const COMPLAINT = /--- FAIL: |^panic: |^\s+\S+\.go:\d+: (?![IW]\d{4} )/;
const LENGTH = 400;

/** The last lines of those that say what failed: the rest is the log of clients. */
export function complaintsOf(output: string, count: number): readonly string[] {
  return output
    .split("\n")
    .filter((line) => COMPLAINT.test(line))
    .slice(-count)
    .map((line) => (line.length > LENGTH ? `${line.slice(0, LENGTH)}...` : line));
}
