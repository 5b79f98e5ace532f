import { type Agreement, agreementRows } from "./agreement.ts";
import type { Answer } from "./answer.ts";
import { type Judged, shapeOf } from "./judge-answers.ts";
import { probeId } from "./probe.ts";
import { textOf } from "./walk-fields.ts";

export interface JudgedKind {
  readonly kind: string;
  readonly judged: readonly Judged[];
}

export function agreementOf(kinds: readonly JudgedKind[]): Map<string, Agreement> {
  return new Map(
    kinds.map(({ kind, judged }) => [
      kind,
      {
        probes: judged.length,
        agree: judged.filter(({ differences }) => differences.length === 0).length,
      },
    ]),
  );
}

export function printAgreement(table: ReadonlyMap<string, Agreement>): string {
  const rows = [["kind", "probes", "agree", ""], ...agreementRows(table)];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((cells) => cells[i]!.length)));
  return rows
    .map((cells) =>
      cells
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join("  "),
    )
    .join("\n");
}

interface Group {
  readonly kind: string;
  readonly shape: string;
  readonly example: Judged;
  readonly difference: string;
  count: number;
}

/** What differs most often, by kind and shape, each with the first probe that shows it. */
export function printMissingRules(kinds: readonly JudgedKind[], show: number): string {
  const groups = new Map<string, Group>();
  for (const { kind, judged } of kinds) {
    for (const example of judged) {
      const shapes = new Map(example.differences.map((each) => [shapeOf(each), each]));
      for (const [shape, difference] of shapes) {
        const key = `${kind} ${shape}`;
        const group = groups.get(key) ?? { kind, shape, example, difference, count: 0 };
        group.count++;
        groups.set(key, group);
      }
    }
  }
  const sorted = [...groups.values()].sort((left, right) => right.count - left.count);
  const lines = sorted.slice(0, show).map(({ kind, shape, example, difference, count }) => {
    const { probe, expected, got } = example;
    return [
      `${count} x ${kind} ${shape}`,
      `    probe:    ${probeId(kind, probe)}`,
      `    differs:  ${clip(difference)}`,
      `    expected: ${clip(printAnswer(expected))}`,
      `    got:      ${clip(printAnswer(got))}`,
    ].join("\n");
  });
  const more = sorted.length - lines.length;
  return [...lines, ...(more > 0 ? [`... and ${more} more shapes (--show N)`] : [])].join("\n");
}

function printAnswer({ status, body, warnings }: Answer): string {
  const told = status < 300 ? "accepted" : textOf(body, "message") || JSON.stringify(body);
  return [`${status} ${told}`, ...warnings].join(" ~ ");
}

function clip(text: string): string {
  return text.length > 700 ? `${text.slice(0, 700)}…` : text;
}

export function printProbe(
  kind: string,
  { probe, sent, expected, got, differences }: Judged,
): string {
  const pretty = (value: unknown): string => JSON.stringify(value, undefined, 1);
  return [
    probeId(kind, probe),
    `edits: ${JSON.stringify(probe.edits.map(({ at, value }) => [at.join("."), value ?? "(removed)"]))}`,
    `request body (dryRun=All): ${pretty(sent)}`,
    `expected: ${pretty(expected)}`,
    `got: ${pretty(got)}`,
    differences.length === 0 ? "they agree" : `differences:\n${differences.join("\n")}`,
  ].join("\n\n");
}
