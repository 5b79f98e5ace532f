/**
 * Regular expressions in RE2's syntax, matched in time linear in the text: the one place that knows
 * the library. Compiled patterns are kept, the least recently used of them dropped, since the same
 * few are asked for with every object.
 */
import { RE2JS, RE2JSException } from "re2js";
import { type NativePattern, nativePattern } from "./native-pattern.ts";

export class Pattern {
  readonly #source: string;
  readonly #native: NativePattern | undefined;
  readonly #tester: RE2JS;
  #finder: RE2JS | undefined;

  /** Throws {@link PatternError}. */
  constructor(source: string) {
    this.#source = source;
    this.#tester = compile(source);
    // For a yes or no its automaton is three times as fast as the engine it would take first.
    Object.assign(this.#tester.re2(), { onepass: null });
    this.#native = nativePattern(source);
  }

  /** Whether the text holds a match anywhere. */
  test(text: string): boolean {
    if (this.#native === undefined) return this.#tester.test(text);
    return text.search(this.#native.expression) !== -1;
  }

  /** The first match; empty where there is none. */
  find(text: string): string {
    for (const { match } of this.#matches(text)) return match;
    return "";
  }

  /** From left to right; an empty match right behind another one is none. */
  findAll(text: string, limit: number = Number.POSITIVE_INFINITY): string[] {
    if (this.#native?.mayBeEmpty === false && limit === Number.POSITIVE_INFINITY) {
      // The engine's own way to find all is many times as fast as asking for one after another.
      return text.match(this.#native.expression) ?? [];
    }
    const found: string[] = [];
    let end = -1;
    for (const { match, start } of this.#matches(text)) {
      if (found.length >= limit) break;
      if (match !== "" || start !== end) found.push(match);
      end = start + match.length;
    }
    return found;
  }

  *#matches(text: string): Iterable<{ match: string; start: number }> {
    if (this.#native !== undefined) {
      for (const { 0: match, index } of text.matchAll(this.#native.expression)) {
        yield { match, start: index };
      }
      return;
    }
    this.#finder ??= compile(this.#source);
    const matcher = this.#finder.matcher(text);
    while (matcher.find()) yield { match: matcher.group() ?? "", start: matcher.start() };
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
export function compilePattern(source: string): Pattern {
  const known = kept.get(source);
  kept.delete(source);
  const pattern = known ?? new Pattern(source);
  if (source.length > KEPT_LENGTH) return pattern;
  kept.set(source, pattern);
  if (kept.size > KEPT_PATTERNS) {
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
  return pattern;
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    // Go shows what is left of the pattern, which is nothing here.
    const shown = error.message.endsWith("at end of expression") ? ": ``" : "";
    throw new PatternError(error.message + shown);
  }
}
