/**
 * Regular expressions in RE2's syntax, matched in time linear in the text: the one place that knows
 * the library. Three engines give the same answers: JavaScript's own where it cannot go wrong, RE2's
 * for short texts, and machines of our own that work in steps for all that takes long. Compiled
 * patterns are kept, the least recently used of them dropped, since the same few are asked for
 * with every object.
 */
import { RE2JS, RE2JSException } from "re2js";
import { FindMachine } from "./find-machine.ts";
import { MatchMachine } from "./match-machine.ts";
import { type NativePattern, nativePattern } from "./native-pattern.ts";
import { type CompiledProgram, PatternProgram } from "./pattern-program.ts";
import { finishNow, REST_AFTER, WORK_PER_SLICE, type WorkSteps } from "./work-steps.ts";

/** What the engines do in a microsecond at least. */
const LOOKS_PER_MICROSECOND = 600;
const PLACES_PER_MICROSECOND = 30;
/** Where it is at its worst, our own machine is several times as fast as RE2's; below, there is no telling. */
const WORTH_A_MACHINE = 500;

export class Pattern {
  readonly #source: string;
  readonly #native: NativePattern | undefined;
  readonly #tester: RE2JS;
  readonly #size: number;
  #finder: RE2JS | undefined;
  #program: PatternProgram | undefined;

  /** Throws {@link PatternError}. */
  constructor(source: string) {
    this.#source = source;
    this.#tester = compile(source);
    // For a yes or no its automaton is three times as fast as the engine it would take first.
    Object.assign(this.#tester.re2(), { onepass: null });
    this.#size = programOf(this.#tester).inst.length;
    this.#native = nativePattern(source);
  }

  /** How long looking for a match in the text may take, in microseconds: the order of magnitude. */
  work(text: string): number {
    return this.#native === undefined
      ? (text.length * this.#size) / PLACES_PER_MICROSECOND
      : (text.length * this.#native.looks) / LOOKS_PER_MICROSECOND;
  }

  /** Whether the text holds a match anywhere. */
  test(text: string): boolean {
    const work = this.work(text);
    if (this.#native !== undefined && work <= WORK_PER_SLICE) {
      return text.search(this.#native.expression) !== -1;
    }
    return work > WORTH_A_MACHINE ? finishNow(this.testInSteps(text)) : this.#tester.test(text);
  }

  testInSteps(text: string): WorkSteps<boolean> {
    return new MatchMachine(this.#ownProgram(), text).test();
  }

  /** The first match; empty where there is none. */
  find(text: string): string {
    if (this.work(text) > WORK_PER_SLICE) return finishNow(this.findInSteps(text));
    for (const { match } of this.#matches(text)) return match;
    return "";
  }

  *findInSteps(text: string): WorkSteps<string> {
    // To know that there is none is much less work than to know where one is.
    if (!(yield* this.testInSteps(text))) return "";
    const found = yield* new FindMachine(this.#ownProgram(), text).find(0);
    return found === undefined ? "" : text.slice(found.start, found.end);
  }

  /** From left to right; an empty match right behind another one is none. */
  findAll(text: string, limit: number = Number.POSITIVE_INFINITY): string[] {
    if (this.work(text) > WORK_PER_SLICE) return finishNow(this.findAllInSteps(text, limit));
    if (this.#native?.mayBeEmpty === false && limit === Number.POSITIVE_INFINITY) {
      // The engine's own way to find all is many times as fast as asking for one after another.
      return text.match(this.#native.expression) ?? [];
    }
    return finishNow(this.#collectMatches(text, limit));
  }

  *findAllInSteps(text: string, limit: number = Number.POSITIVE_INFINITY): WorkSteps<string[]> {
    const isNative = this.#native !== undefined && this.work(text) <= WORK_PER_SLICE;
    if (isNative) return yield* this.#collectMatches(text, limit);
    if (!(yield* this.testInSteps(text))) return [];
    return yield* new FindMachine(this.#ownProgram(), text).findAll(limit);
  }

  *#collectMatches(text: string, limit: number): WorkSteps<string[]> {
    const found: string[] = [];
    let end = -1;
    for (const { match, start } of this.#matches(text)) {
      if (found.length >= limit) break;
      if (match !== "" || start !== end) found.push(match);
      end = start + match.length;
      if (found.length % REST_AFTER.elements === 0) yield;
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

  #ownProgram(): PatternProgram {
    return (this.#program ??= new PatternProgram(programOf(this.#tester)));
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
/** The last one too long to be kept with the others: who asks for one asks again at once. */
let latest: { readonly source: string; readonly pattern: Pattern } | undefined;

/** Throws {@link PatternError}. */
export function compilePattern(source: string): Pattern {
  if (source.length > KEPT_LENGTH) {
    if (latest?.source !== source) latest = { source, pattern: new Pattern(source) };
    return latest.pattern;
  }
  const known = kept.get(source);
  kept.delete(source);
  const pattern = known ?? new Pattern(source);
  kept.set(source, pattern);
  if (kept.size > KEPT_PATTERNS) {
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
  return pattern;
}

function programOf(pattern: RE2JS): CompiledProgram {
  return pattern.re2().prog as CompiledProgram;
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
