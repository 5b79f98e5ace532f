import { readFileSync } from "node:fs";

/** The names of the tests to run, as Ginkgo prints them. */
export function focusedTests(): readonly string[] {
  return readFileSync(new URL("focused-tests.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** A regular expression of Go that finds this name and no other. */
export function focusOf(test: string): string {
  return `${test.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
}
