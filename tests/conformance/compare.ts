/**
 * Two canonical recordings of one scenario, value by value; the order of an object's keys counts too.
 * An answer of another status or kind is one difference (`answer`), and what follows from it is not
 * told again: the rest of that answer, and from there on ranks of versions and numbers of uids.
 */
import { type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import type { CanonicalStep } from "./canonical.ts";

export interface Difference {
  readonly topic: string;
  readonly scenario: string;
  readonly step: string;
  /**
   * `body.items[0].metadata.name`; ends in `{order}` where only the order of keys differs, in
   * `{length}` where a list has more or fewer items, which are not compared then.
   */
  readonly path: string;
  /** Undefined: it is not there. */
  readonly expected: JsonValue | undefined;
  readonly got: JsonValue | undefined;
  /** Method, path and kube-apiserver's status, where the request is not found by its step. */
  readonly request?: string;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Single values that were looked at on both sides. */
  readonly compared: number;
}

export interface Sides {
  readonly topic: string;
  readonly scenario: string;
  readonly expected: readonly CanonicalStep[];
  readonly got: readonly CanonicalStep[];
}

export function compareRecordings({ topic, scenario, expected, got }: Sides): Comparison {
  const differences: Difference[] = [];
  let compared = 0;
  let diverged = false;
  for (const [index, step] of expected.entries()) {
    const answer = got[index]?.answer;
    const place = { topic, scenario, step: step.id };
    if (answer === undefined || !isComparable(step.answer, answer)) {
      diverged = true;
      const [left, right] = [summaryOf(step.answer), answer && summaryOf(answer)];
      differences.push({ ...place, path: "answer", expected: left, got: right });
      compared++;
      continue;
    }
    const walk = new Walk((path, [left, right]) => {
      if (diverged && isRenamed(left) && isRenamed(right)) return;
      differences.push({ ...place, path, expected: left, got: right });
    });
    walk.compare("", step.answer, answer);
    compared += walk.compared;
  }
  for (const extra of got.slice(expected.length)) {
    const place = { topic, scenario, step: extra.id, path: "answer" };
    differences.push({ ...place, expected: undefined, got: extra.answer });
  }
  return { differences, compared };
}

function isComparable(left: JsonObject, right: JsonObject): boolean {
  return left["status"] === right["status"] && kindOf(left) === kindOf(right);
}

function kindOf({ body }: JsonObject): JsonValue | undefined {
  return isObject(body) ? ownKey(body, "kind") : undefined;
}

/** Status and message, or the whole of a short answer. */
function summaryOf(answer: JsonObject): JsonValue {
  const body = answer["body"];
  const message = isObject(body) ? ownKey(body, "message") : undefined;
  return message === undefined ? answer : { status: answer["status"] ?? null, message };
}

function isRenamed(value: JsonValue | undefined): boolean {
  return typeof value === "string" && /^(?:rv\d+\+?|uid\d+)$/.test(value);
}

type Pair = readonly [JsonValue | undefined, JsonValue | undefined];

class Walk {
  compared = 0;
  readonly #report: (path: string, pair: Pair) => void;

  constructor(report: (path: string, pair: Pair) => void) {
    this.#report = report;
  }

  compare(path: string, expected: JsonValue | undefined, got: JsonValue | undefined): void {
    if (isObject(expected) && isObject(got)) return this.#compareObjects(path, expected, got);
    if (Array.isArray(expected) && Array.isArray(got)) {
      if (expected.length !== got.length) return this.#report(`${path}{length}`, [expected, got]);
      for (const [i, each] of expected.entries()) this.compare(`${path}[${i}]`, each, got[i]);
      return;
    }
    this.compared++;
    if (expected !== got && !bothEmpty(expected, got)) this.#report(path, [expected, got]);
  }

  #compareObjects(
    path: string,
    expected: Record<string, JsonValue>,
    got: Record<string, JsonValue>,
  ): void {
    const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
    for (const key of keys) {
      const below = path === "" ? key : `${path}.${key}`;
      this.compare(below, ownKey(expected, key), ownKey(got, key));
    }
    const [left, right] = [orderOf(expected, got), orderOf(got, expected)];
    if (left !== right) this.#report(`${path}{order}`, [left, right]);
  }
}

/** The keys that both have, in the order of the first. */
function orderOf(first: Record<string, JsonValue>, second: Record<string, JsonValue>): string {
  return Object.keys(first)
    .filter((key) => Object.hasOwn(second, key))
    .join(" ");
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bothEmpty(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return (
    (Array.isArray(left) && Array.isArray(right) && left.length + right.length === 0) ||
    (isObject(left) && isObject(right))
  );
}
