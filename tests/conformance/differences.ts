/**
 * Where the embedded server is known to answer differently from kube-apiserver, and why. The replay
 * test fails for a difference that is not here and for an entry that no longer happens; the table in
 * docs/reference/differences.md is printed from this list (`npm run compare -- differences`).
 */
import type { Difference } from "./compare.ts";

export interface KnownDifference {
  readonly topic: string;
  /** `*` stands for any characters here and below. */
  readonly scenario: string;
  readonly step: string;
  readonly path: string;
  /** What kube-apiserver answers there, as JSON. Default: anything. */
  readonly expected?: string;
  readonly reason: string;
}

export const knownDifferences: readonly KnownDifference[] = [];

export interface Judgement {
  /** Differences that nothing in the list explains. */
  readonly unknown: readonly Difference[];
  /** Entries of the list that explained nothing. */
  readonly stale: readonly KnownDifference[];
  readonly known: readonly Difference[];
}

export function judge(
  differences: readonly Difference[],
  list: readonly KnownDifference[] = knownDifferences,
): Judgement {
  const matchers = list.map((entry) => ({ entry, matches: matcherOf(entry), used: false }));
  const unknown: Difference[] = [];
  const known: Difference[] = [];
  for (const difference of differences) {
    const found = matchers.filter(({ matches }) => matches(difference));
    for (const each of found) each.used = true;
    (found.length > 0 ? known : unknown).push(difference);
  }
  const stale = matchers.filter(({ used }) => !used).map(({ entry }) => entry);
  return { unknown, known, stale };
}

/** A Markdown table, one row for each reason. */
export function printKnownDifferences(list: readonly KnownDifference[] = knownDifferences): string {
  const byReason = Map.groupBy(list, ({ reason }) => reason);
  const rows = [...byReason].map(([reason, entries]) => {
    const where = entries.map((each) => `${each.topic}: ${each.scenario}, \`${each.path}\``);
    return `| ${reason} | ${[...new Set(where)].join("<br>")} |`;
  });
  return ["| what differs, and why | where it shows |", "| --- | --- |", ...rows].join("\n");
}

function matcherOf(entry: KnownDifference): (difference: Difference) => boolean {
  const topic = pattern(entry.topic);
  const scenario = pattern(entry.scenario);
  const step = pattern(entry.step);
  const path = pattern(entry.path);
  const expected = pattern(entry.expected ?? "*");
  return (difference) =>
    topic.test(difference.topic) &&
    scenario.test(difference.scenario) &&
    step.test(difference.step) &&
    path.test(difference.path) &&
    expected.test(JSON.stringify(difference.expected) ?? "nothing");
}

function pattern(text: string): RegExp {
  return new RegExp(`^${text.split("*").map(escapeRegExp).join(".*")}$`, "s");
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
