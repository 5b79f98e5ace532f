/**
 * Patterns that JavaScript's own engine can match, as Go would and in linear time; most of those that
 * definitions have. It is twenty times faster than RE2 in JavaScript, but backtracks: so only patterns
 * that are tied to the beginning of the text and can match in few ways are given to it. Whatever is
 * not understood here is left to RE2, which is always right.
 */

/** Undefined where the pattern is not one of them. */
export function nativePattern(source: string): RegExp | undefined {
  if (!source.startsWith("^")) return undefined;
  try {
    const reader = new PatternReader(source);
    const { loops, ways } = reader.readAll();
    if (loops > 1 || ways > (loops === 0 ? 64 : 8)) return undefined;
    return new RegExp(reader.translated, "u");
  } catch {
    // Not understood, or no pattern at all: RE2 says which.
    return undefined;
  }
}

/** How a part can match: how many loops without end it has, and in how many ways besides. */
interface Freedom {
  readonly loops: number;
  readonly ways: number;
}

const ONE_WAY: Freedom = { loops: 0, ways: 1 };

class NotPlainError extends Error {
  readonly code = "pattern-not-plain";
}

/** Characters that stand for themselves after a backslash, here and there. */
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
    const freedom = this.#readSequence();
    if (this.#at < this.#source.length) throw new NotPlainError();
    return freedom;
  }

  #readSequence(): Freedom {
    let loops = 0;
    let ways = 1;
    while (this.#at < this.#source.length && !"|)".includes(this.#next())) {
      const part = this.#readQuantified();
      loops += part.loops;
      ways *= part.ways;
    }
    return { loops, ways };
  }

  #readQuantified(): Freedom {
    const atom = this.#readAtom();
    const quantifier = /^(?:[*+?]|\{(\d{1,4})(,?)(\d{0,4})\})/.exec(
      this.#source.slice(this.#at, this.#at + 12),
    );
    if (quantifier === null) return atom;
    const [text, least = "", comma = "", most = ""] = quantifier;
    this.#take(text.length);
    // Lazy ones are rare, and twice quantified is an error in Go.
    if (/^[*+?{]/.test(this.#source.slice(this.#at))) throw new NotPlainError();
    if (text === "?") return { loops: atom.loops, ways: atom.ways + 1 };
    if (atom.loops > 0 || atom.ways > 1) throw new NotPlainError();
    if (least === "" || (comma === "," && most === "")) return { loops: 1, ways: 1 };
    const max = comma === "" ? Number(least) : Number(most);
    if (max > 1000 || max < Number(least)) throw new NotPlainError();
    return { loops: 0, ways: max - Number(least) + 1 };
  }

  #readAtom(): Freedom {
    const char = this.#next();
    switch (char) {
      case "(":
        return this.#readGroup();
      case "[":
        this.#readClass();
        return ONE_WAY;
      case "\\":
        this.#readEscape();
        return ONE_WAY;
      case ".":
        this.#at++;
        // Go's stops at line feeds only.
        this.translated += "[^\\n]";
        return ONE_WAY;
      case "^":
        if (this.#at > 0) throw new NotPlainError();
        this.#take(1);
        return ONE_WAY;
      case "]":
      case "{":
      case "}":
      case "*":
      case "+":
      case "?":
        throw new NotPlainError();
      default:
        this.#take(char.length);
        return ONE_WAY;
    }
  }

  #readGroup(): Freedom {
    this.#take(1);
    if (this.#source.startsWith("?:", this.#at)) this.#take(2);
    let freedom = this.#readSequence();
    while (this.#source[this.#at] === "|") {
      this.#take(1);
      const { loops, ways } = this.#readSequence();
      freedom = { loops: Math.max(freedom.loops, loops), ways: freedom.ways + ways };
    }
    if (this.#source[this.#at] !== ")") throw new NotPlainError();
    this.#take(1);
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
