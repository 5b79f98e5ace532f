/**
 * Regular expressions in RE2's syntax, matched in time linear in the text: the one place that knows
 * the library. Compiled patterns are kept, the least recently used of them dropped, since the same
 * few are asked for with every object.
 */
import { RE2JS, RE2JSException } from "re2js";

export class Pattern {
  readonly #compiled: RE2JS;

  constructor(compiled: RE2JS) {
    this.#compiled = compiled;
  }

  /** Whether the text holds a match anywhere. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** The first match; empty where there is none. */
  find(text: string): string {
    const matcher = this.#compiled.matcher(text);
    return matcher.find() ? (matcher.group() ?? "") : "";
  }

  /** From left to right; an empty match right behind another one is none. */
  findAll(text: string, limit: number = Number.POSITIVE_INFINITY): string[] {
    const found: string[] = [];
    const matcher = this.#compiled.matcher(text);
    let end = -1;
    while (found.length < limit && matcher.find()) {
      const match = matcher.group() ?? "";
      if (match !== "" || matcher.start() !== end) found.push(match);
      end = matcher.end();
    }
    return found;
  }
}

/** The message is that of Go's regexp package. */
export class PatternError extends Error {
  readonly code = "CEL_PATTERN";
  override readonly name = "PatternError";
}

const KEPT_PATTERNS = 500;
const KEPT_LENGTH = 2_000;
const kept = new Map<string, Pattern>();

/** Throws {@link PatternError}. */
export function compilePattern(text: string): Pattern {
  const known = kept.get(text);
  kept.delete(text);
  const pattern = known ?? new Pattern(compile(text));
  if (text.length > KEPT_LENGTH) return pattern;
  kept.set(text, pattern);
  if (kept.size > KEPT_PATTERNS) {
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
  return pattern;
}

function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    // Go shows what is left of the pattern, which is nothing here.
    const shown = error.message.endsWith("at end of expression") ? ": ``" : "";
    throw new PatternError(error.message + shown);
  }
}
