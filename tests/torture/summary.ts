import type { PartResult } from "./torture-part.ts";

/** How many violations of one kind are told in full. */
const toldPerKind = 5;

/** What a part found, as a table and the violations below it. */
export function summarize(result: PartResult, seconds: number): string {
  const rows = [
    ...result.facts,
    ["time", `${seconds.toFixed(1)} s`],
    ["violations", String(result.violations.length)],
  ] as const;
  const width = Math.max(...rows.map(([label]) => label.length));
  const table = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
  return [result.name, ...table, ...describeViolations(result)].join("\n");
}

function describeViolations(result: PartResult): string[] {
  const lines: string[] = [];
  for (const [kind, violations] of Map.groupBy(result.violations, (each) => each.kind)) {
    lines.push(`  ${kind}: ${violations.length}`);
    for (const { detail } of violations.slice(0, toldPerKind)) lines.push(`    ${detail}`);
    const rest = violations.length - toldPerKind;
    if (rest > 0) lines.push(`    and ${rest} more`);
  }
  return lines;
}
