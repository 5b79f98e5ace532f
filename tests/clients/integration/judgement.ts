import { type KnownOutcomes, knownOf } from "./known-outcomes.ts";
import type { Outcome } from "./test-outcome.ts";

export interface TestResult {
  readonly outcome: Outcome;
  readonly seconds: number;
  /** What failed, and where all of its output is. */
  readonly message: string;
}

/** By package and test, as known outcomes are. */
export type TestResults = ReadonlyMap<string, TestResult>;

export interface Judgement {
  readonly failures: readonly string[];
  /** What is to be told, and is no failure. */
  readonly remarks: readonly string[];
}

/**
 * What fails on both sides says nothing about ours; what is known to differ does so. That a known outcome is
 * another by now is told: its line can go.
 */
export function judge(ours: TestResults, theirs: TestResults, known: KnownOutcomes): Judgement {
  const failures: string[] = [];
  const remarks: string[] = [];
  for (const [name, { outcome, message }] of ours) {
    const said = knownOf(known, name);
    const reason = said === undefined ? "" : ` (${said.reason})`;
    if (outcome !== "failed") {
      if (known.has(name)) remarks.push(`passes by now: ${name}${reason}`);
    } else if (theirs.get(name)?.outcome === "failed") {
      remarks.push(`fails on both: ${name}${reason}`);
    } else if (said?.sort === "differs") {
      remarks.push(`differs: ${name}${reason}`);
    } else {
      failures.push(`${name}\n${message}\nit passes on kube-apiserver`);
    }
  }
  return { failures, remarks };
}

export function failuresOf(results: TestResults): readonly string[] {
  return [...results]
    .filter(([, { outcome }]) => outcome === "failed")
    .map(([name, { message }]) => `${name}\n${message}`);
}
