/** Whether two servers answered a probe alike, and if not, in what. */
import type { JsonObject } from "@homeostat/object-model";
import type { Answer } from "./answer.ts";
import { changesBetween } from "./object-changes.ts";
import type { Probe } from "./probe.ts";
import { type Cause, causesOf } from "./refusal.ts";
import { textOf } from "./walk-fields.ts";

export interface Judged {
  readonly probe: Probe;
  readonly sent: JsonObject;
  readonly expected: Answer;
  readonly got: Answer;
  /** Empty where they agree: one line for each thing that is missing (-), too much (+) or other. */
  readonly differences: readonly string[];
}

export function differencesOf(expected: Answer, got: Answer): string[] {
  const differences: string[] = [];
  const left = [...(causesOf(expected.body) ?? [])];
  const right = [...(causesOf(got.body) ?? [])];
  if (left.length > 0 || right.length > 0) {
    const print = expected.unordered === true ? printPlaceless : printCause;
    const [leftTexts, rightTexts] = [left.map(print), right.map(print)];
    const missing = without(leftTexts, rightTexts);
    const extra = without(rightTexts, leftTexts);
    differences.push(...missing.map((each) => `- ${each}`), ...extra.map((each) => `+ ${each}`));
    const isOrdered = leftTexts.join("\n") === rightTexts.join("\n");
    if (differences.length === 0 && !isOrdered && expected.unordered !== true) {
      differences.push(`order of causes: ${leftTexts.join(" | ")}`);
    }
  }
  if (differences.length === 0 && expected.status !== got.status) {
    differences.push(`status: expected ${summary(expected)}, got ${summary(got)}`);
  }
  if (differences.length === 0 && expected.unordered !== true) {
    differences.push(...changesBetween(got.body, expected.body).map((each) => `object: ${each}`));
  }
  if (differences.length === 0 && expected.managers !== got.managers) {
    differences.push(...managerDifferences(expected, got));
  }
  // Whoever refuses what the other accepts also warns of other things.
  if (expected.status !== got.status) return differences;
  const [leftWarnings, rightWarnings] = [[...expected.warnings], [...got.warnings]];
  differences.push(
    ...without(leftWarnings, rightWarnings).map((each) => `- warning: ${each}`),
    ...without(rightWarnings, leftWarnings).map((each) => `+ warning: ${each}`),
  );
  return differences;
}

/** Field by field where both are known, otherwise only that they differ. */
function managerDifferences(expected: Answer, got: Answer): string[] {
  if (expected.managedFields === undefined || got.managedFields === undefined) {
    return [`managedFields: got ${JSON.stringify(got.managedFields ?? null)}`];
  }
  const changes = changesBetween(got.managedFields, expected.managedFields);
  return changes.length === 0
    ? ["managedFields: order of keys"]
    : changes.map((each) => `managedFields: ${each}`);
}

function printCause({ field, reason, message }: Cause): string {
  return `${field}: ${reason}: ${message}`;
}

/** What comes first by chance gets the first index. */
function printPlaceless(cause: Cause): string {
  return printCause(cause).replaceAll(/\[\d+\]/g, "[*]");
}

/** As multisets. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const left = [...some];
  return all.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function summary({ status, body }: Answer): string {
  const message = textOf(body, "message");
  return message === "" ? String(status) : `${status} ${JSON.stringify(message)}`;
}

/** A difference without the values it is about, so that equal rules fall together. */
export function shapeOf(difference: string): string {
  return difference
    .replaceAll(/\[\d+\]/g, "[*]")
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/(?:"…"(?:, )?){2,}/g, '"…", …')
    .replaceAll(/(: (?:Invalid|Unsupported|Duplicate) value: )(?!"…")(?:[^:]|:(?! ))+/g, "$1…")
    .replaceAll(/^(object: [^=]+=).*$/gs, "$1…")
    .replaceAll(/^managedFields: .*$/gs, "managedFields: …")
    .replaceAll(/\b\d+\b/g, "N")
    .slice(0, 400);
}
