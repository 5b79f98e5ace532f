/**
 * Patterns that JavaScript's own engine matches as RE2 would and in linear time: most of those in
 * use. It is many times faster than RE2 in JavaScript, but it backtracks, so only patterns that can
 * match in few ways are given to it: with at most one loop without end, and, where a match may
 * begin anywhere, nothing behind the loop that could fail. All else is left to RE2, which is always
 * right.
 */

export interface NativePattern {
  /** Global, so that it has a place to begin at; who searches leaves that at 0. */
  readonly expression: RegExp;
  readonly mayBeEmpty: boolean;
  /** How many times it may look at a character. */
  readonly looks: number;
}

/** Undefined where the pattern is not one of them, or not a pattern at all. */
export function nativePattern(source: string): NativePattern | undefined {
  const reader = new PatternReader(source);
  try {
    const freedom = reader.readAll();
    const isTied = source.startsWith("^");
    if (!(isTied ? isLinearWhenTied(freedom) : isLinearAnywhere(freedom))) return undefined;
    // V8 begins so many UTF-16 units before the end as there are characters: astral ones have two.
    if (!isTied && freedom.loops === 0 && source.includes("$")) return undefined;
    return {
      expression: new RegExp(reader.translated, "gu"),
      mayBeEmpty: freedom.mayBeEmpty,
      looks: 1 + freedom.span * freedom.ways,
    };
  } catch (error) {
    if (error instanceof NotPlainError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** How a part can match. */
interface Freedom {
  /** Loops without end. */
  readonly loops: number;
  /** In how many ways besides. */
  readonly ways: number;
  /** How many characters are looked at besides those of loops, at most. */
  readonly span: number;
  /** Nothing follows the loop: where it is reached, the part matches. */
  readonly endsInLoop: boolean;
  readonly mayBeEmpty: boolean;
}

/** What follows a loop may be tried at every place that the loop can end. */
function isLinearWhenTied({ loops, ways, span }: Freedom): boolean {
  return loops === 0 ? ways <= 64 : loops === 1 && ways <= 8 && span * ways <= 256;
}

function isLinearAnywhere({ loops, ways, span, endsInLoop }: Freedom): boolean {
  return span * ways <= 256 && (loops === 0 || (loops === 1 && endsInLoop));
}

const NOTHING: Freedom = { loops: 0, ways: 1, span: 0, endsInLoop: false, mayBeEmpty: true };
const ONE_CHARACTER: Freedom = { ...NOTHING, span: 1, mayBeEmpty: false };

class NotPlainError extends Error {
  readonly code = "CEL_PATTERN_NOT_PLAIN";
  override readonly name = "NotPlainError";
}

/** What means the same in both languages behind a backslash. */
const ESCAPED = new Set("dw.\\/[](){}*+?|^$-");

class PatternReader {
  readonly #source: string;
  #at = 0;
  /** The same pattern for JavaScript. */
  translated = "";

  constructor(source: string) {
    this.#source = source;
  }

  readAll(): Freedom {
    // In `^a|b` only one of the alternatives is tied.
    const isTied = this.#source.startsWith("^");
    const freedom = isTied ? this.#readSequence() : this.#readAlternatives();
    if (this.#at < this.#source.length) throw new NotPlainError();
    return freedom;
  }

  #readSequence(): Freedom {
    let all = NOTHING;
    while (this.#at < this.#source.length && !"|)".includes(this.#next())) {
      const part = this.#readQuantified();
      all = {
        loops: all.loops + part.loops,
        ways: all.ways * part.ways,
        span: all.span + part.span,
        endsInLoop: part.endsInLoop,
        mayBeEmpty: all.mayBeEmpty && part.mayBeEmpty,
      };
    }
    return all;
  }

  #readQuantified(): Freedom {
    const atom = this.#readAtom();
    const quantifier = /^(?:[*+?]|\{(\d{1,4})(,?)(\d{0,4})\})/.exec(
      this.#source.slice(this.#at, this.#at + 12),
    );
    if (quantifier === null) return atom;
    const [text, least = text === "+" ? "1" : "0", comma = "", most = ""] = quantifier;
    this.#take(text.length);
    // Lazy ones are rare, and twice quantified is an error in Go.
    if (/^[*+?{]/.test(this.#source.slice(this.#at))) throw new NotPlainError();
    // JavaScript would rather try another way than take nothing for a turn.
    if (atom.mayBeEmpty) throw new NotPlainError();
    const mayBeEmpty = Number(least) === 0;
    if (text === "?") return { ...atom, ways: atom.ways + 1, mayBeEmpty };
    if (atom.loops > 0 || atom.ways > 1) throw new NotPlainError();
    if (text === "*" || text === "+" || (comma === "," && most === "")) {
      const span = atom.span * Number(least);
      return { loops: 1, ways: 1, span, endsInLoop: true, mayBeEmpty };
    }
    const max = Number(comma === "" ? least : most);
    if (max > 1000 || max < Number(least)) throw new NotPlainError();
    return { ...NOTHING, ways: max - Number(least) + 1, span: atom.span * max, mayBeEmpty };
  }

  #readAtom(): Freedom {
    const char = this.#next();
    switch (char) {
      case "(":
        return this.#readGroup();
      case "[":
        this.#readClass();
        return ONE_CHARACTER;
      case "\\":
        this.#readEscape();
        return ONE_CHARACTER;
      case ".":
        this.#at++;
        // Go's stops at line feeds only.
        this.translated += "[^\\n]";
        return ONE_CHARACTER;
      case "^":
        if (this.#at > 0) throw new NotPlainError();
        this.#take(1);
        return NOTHING;
      case "$":
        this.#take(1);
        return NOTHING;
      case "]":
      case "{":
      case "}":
      case "*":
      case "+":
      case "?":
        throw new NotPlainError();
      default:
        this.#take(char.length);
        return ONE_CHARACTER;
    }
  }

  #readGroup(): Freedom {
    this.#take(1);
    if (this.#source.startsWith("?:", this.#at)) this.#take(2);
    const freedom = this.#readAlternatives();
    if (this.#source[this.#at] !== ")") throw new NotPlainError();
    this.#take(1);
    return freedom;
  }

  #readAlternatives(): Freedom {
    let freedom = this.#readSequence();
    while (this.#source[this.#at] === "|") {
      this.#take(1);
      const other = this.#readSequence();
      freedom = {
        loops: Math.max(freedom.loops, other.loops),
        ways: freedom.ways + other.ways,
        span: freedom.span + other.span,
        endsInLoop: mayEnd(freedom) && mayEnd(other),
        mayBeEmpty: freedom.mayBeEmpty || other.mayBeEmpty,
      };
    }
    return freedom;
  }

  #readClass(): void {
    this.#take(this.#source.startsWith("[^", this.#at) ? 2 : 1);
    // A bracket that stands first is a member in Go.
    if (this.#source[this.#at] === "]") throw new NotPlainError();
    while (this.#source[this.#at] !== "]") {
      const char = this.#next();
      // Named classes.
      if (char === "[") throw new NotPlainError();
      if (char === "\\") this.#readEscape();
      else this.#take(char.length);
    }
    this.#take(1);
  }

  #readEscape(): void {
    if (!ESCAPED.has(this.#source[this.#at + 1] ?? "")) throw new NotPlainError();
    this.#take(2);
  }

  #next(): string {
    const code = this.#source.codePointAt(this.#at);
    if (code === undefined) throw new NotPlainError();
    return String.fromCodePoint(code);
  }

  #take(length: number): void {
    this.translated += this.#source.slice(this.#at, this.#at + length);
    this.#at += length;
  }
}

function mayEnd({ loops, endsInLoop }: Freedom): boolean {
  return loops === 0 || endsInLoop;
}
