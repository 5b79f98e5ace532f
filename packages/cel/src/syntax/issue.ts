import { codePointCount } from "../text/code-points.ts";

/** Why an expression is refused, and where. */
export interface Issue {
  /** An index into the text (UTF-16); undefined where it is about no place. */
  readonly at: number | undefined;
  readonly message: string;
}

const MAX_ISSUES = 100;
/** From here on nobody counts. */
const MANY_ISSUES = 10_000;
const MAX_SNIPPET_BYTES = 16_384;

/** The issues of nodes that are looked at once and stand in several places: told once for each of them. */
export class RepeatedIssues {
  readonly #issues: Issue[];
  readonly #ofNodes = new Map<number, readonly Issue[]>();

  constructor(issues: Issue[]) {
    this.#issues = issues;
  }

  /** Remembers what was told of a node, which is everything since there were `before` issues. */
  keep(id: number, before: number): void {
    if (this.#issues.length > before) this.#ofNodes.set(id, this.#issues.slice(before));
  }

  repeat(id: number): void {
    if (this.#issues.length > MANY_ISSUES) return;
    for (const issue of this.#ofNodes.get(id) ?? []) this.#issues.push(issue);
  }
}

/** All issues in the order of their places, each with its line and a mark under it. */
export function printIssues(text: string, issues: readonly Issue[]): string {
  const located = issues.slice(0, MAX_ISSUES).map((issue) => locate(text, issue));
  located.sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = located.map((issue) => print(issue));
  if (issues.length > MAX_ISSUES) {
    lines.push(`${issues.length - MAX_ISSUES} more errors were truncated`);
  }
  return lines.join("\n");
}

interface LocatedIssue {
  readonly message: string;
  /** From 1; -1 for no place. */
  readonly line: number;
  /** In code points from 0; -1 for no place. */
  readonly column: number;
  readonly snippet: string | undefined;
}

function locate(text: string, { at, message }: Issue): LocatedIssue {
  if (at === undefined) return { message, line: -1, column: -1, snippet: undefined };
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const column = codePointCount(text.slice(start, at));
  // Nothing has no first column.
  if (text === "") return { message, line, column: -1, snippet: undefined };
  const snippet = text.slice(start, end === -1 ? text.length : end);
  return { message, line, column, snippet };
}

function print({ message, line, column, snippet }: LocatedIssue): string {
  const head = `ERROR: <input>:${line}:${column + 1}: ${message}`;
  if (snippet === undefined || new TextEncoder().encode(snippet).length > MAX_SNIPPET_BYTES) {
    return head;
  }
  const shown = snippet.replaceAll("\t", " ");
  const characters = Array.from(shown);
  const marks = characters.slice(0, column).map((character) => (isWide(character) ? "．" : "."));
  const mark = isWide(characters[column] ?? "") ? "＾" : "^";
  return `${head}\n | ${shown}\n | ${marks.join("")}${mark}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
