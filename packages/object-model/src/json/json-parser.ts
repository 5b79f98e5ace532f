import { DuplicateFields } from "./duplicate-fields.ts";
import { JsonDepthError, JsonNumberError, JsonSyntaxError } from "./json-error.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { setOwnKey } from "./own-key.ts";

/** An object or list whose end has not been read yet. */
interface OpenContainer {
  readonly parent: OpenContainer | undefined;
  readonly depth: number;
  /** Exactly one of `list` and `object` is there. */
  readonly list: JsonValue[] | undefined;
  readonly object: JsonObject | undefined;
  /** The key whose value is read next; of no meaning in a list. */
  key: string;
}

/**
 * The exact way to read a text: sees every number's digits and every key, says what is wrong and
 * where in Go's words, and keeps open containers on the heap, so that depth costs no stack. One
 * parser reads one text, once.
 *
 * It accepts what `JSON.parse` accepts and gives the same, except for what decode-json.ts promises.
 */
export class JsonParser {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #duplicates: DuplicateFields | undefined;
  #at = 0;
  #top: OpenContainer | undefined;
  /** As in Go, a number out of range is an error only if the whole text is JSON. */
  #numberError: JsonNumberError | undefined;

  constructor(text: string, { maxDepth, duplicates }: { maxDepth: number; duplicates: boolean }) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#duplicates = duplicates ? new DuplicateFields(text.length) : undefined;
  }

  /** Paths of the keys found twice so far. */
  get duplicates(): readonly string[] {
    return this.#duplicates?.paths ?? [];
  }

  parse(): JsonValue {
    for (;;) {
      let value = this.#beginValue();
      // A container was opened, and its first value comes next.
      if (value === undefined) continue;
      while (this.#top !== undefined && value !== undefined) value = this.#addTo(this.#top, value);
      if (value === undefined) continue;
      if (this.#skipSpace() < this.#text.length) throw this.#unexpected("after top-level value");
      if (this.#numberError) throw this.#numberError;
      return value;
    }
  }

  /** Reads a scalar or an empty container; undefined after opening a container that holds something. */
  #beginValue(): JsonValue | undefined {
    const code = this.#text.charCodeAt(this.#skipSpace());
    switch (code) {
      case QUOTE:
        return this.#string();
      case BRACE_OPEN:
        return this.#openObject();
      case BRACKET_OPEN:
        return this.#openList();
      case 0x74:
        return this.#literal("true", true);
      case 0x66:
        return this.#literal("false", false);
      case 0x6e:
        return this.#literal("null", null);
      default:
        if (code === MINUS || isDigit(code)) return this.#number();
        throw this.#unexpected("looking for beginning of value");
    }
  }

  #openObject(): JsonObject | undefined {
    const object: JsonObject = {};
    const frame = this.#open(undefined, object);
    if (this.#text.charCodeAt(this.#skipSpace()) === BRACE_CLOSE) {
      this.#at++;
      this.#top = frame.parent;
      return object;
    }
    this.#key(frame);
    return undefined;
  }

  #openList(): JsonValue[] | undefined {
    const list: JsonValue[] = [];
    const frame = this.#open(list, undefined);
    if (this.#text.charCodeAt(this.#skipSpace()) === BRACKET_CLOSE) {
      this.#at++;
      this.#top = frame.parent;
      return list;
    }
    return undefined;
  }

  #open(list: JsonValue[] | undefined, object: JsonObject | undefined): OpenContainer {
    const parent = this.#top;
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > this.#maxDepth) {
      throw new JsonDepthError(this.#maxDepth, { text: this.#text, offset: this.#at });
    }
    const frame: OpenContainer = { parent, depth, list, object, key: "" };
    this.#top = frame;
    this.#at++;
    return frame;
  }

  /** Puts a finished value in its container; gives the container if that ends it, else undefined. */
  #addTo(frame: OpenContainer, value: JsonValue): JsonValue | undefined {
    const { list, object } = frame;
    if (object) setOwnKey(object, frame.key, value);
    else list?.push(value);
    const code = this.#text.charCodeAt(this.#skipSpace());
    if (code === COMMA) {
      this.#at++;
      if (object) this.#key(frame);
      return undefined;
    }
    if (code !== (object ? BRACE_CLOSE : BRACKET_CLOSE)) {
      throw this.#unexpected(object ? "after object key:value pair" : "after array element");
    }
    this.#at++;
    this.#top = frame.parent;
    return object ?? list;
  }

  #key(frame: OpenContainer): void {
    if (this.#text.charCodeAt(this.#skipSpace()) !== QUOTE) {
      throw this.#unexpected("looking for beginning of object key string");
    }
    frame.key = this.#string();
    if (this.#text.charCodeAt(this.#skipSpace()) !== COLON) {
      throw this.#unexpected("after object key");
    }
    this.#at++;
    if (this.#duplicates && frame.object && Object.hasOwn(frame.object, frame.key)) {
      this.#duplicates.add(frame);
    }
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let at = start + 1;
    let code = text.charCodeAt(at);
    // Behind the end of the text the code is NaN, which no comparison holds for.
    while (code >= 0x20 && code !== QUOTE && code !== BACKSLASH) code = text.charCodeAt(++at);
    this.#at = at;
    if (code !== QUOTE) this.#skipToClosingQuote();
    this.#at++;
    // A short slice is a copy. A long one would keep the whole text in memory for as long as it
    // lives, so it is copied by reading it, which is also how escapes are resolved.
    if (code === QUOTE && at - start <= 12) return text.slice(start + 1, at);
    return (JSON.parse(text.slice(start, this.#at)) as string).toWellFormed();
  }

  /** Moves from inside a string to its end, refusing all that is wrong in between. */
  #skipToClosingQuote(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) return;
      if (code === BACKSLASH) this.#skipEscape();
      else if (!(code >= 0x20)) throw this.#unexpected("in string literal");
    }
  }

  /** Moves to the last character of an escape. */
  #skipEscape(): void {
    const kind = this.#text.charCodeAt(++this.#at);
    if (kind === 0x75) {
      for (let digit = 0; digit < 4; digit++) {
        if (!isHexDigit(this.#text.charCodeAt(++this.#at))) {
          throw this.#unexpected("in \\u hexadecimal character escape");
        }
      }
    } else if (!ESCAPES.has(kind)) throw this.#unexpected("in string escape code");
  }

  #number(): JsonValue {
    const text = this.#text;
    const start = this.#at;
    let integer = true;
    if (text.charCodeAt(this.#at) === MINUS) this.#at++;
    // Nothing follows a leading zero: `01` is a zero with a one behind it.
    if (text.charCodeAt(this.#at) === ZERO) this.#at++;
    else this.#digits("in numeric literal");
    if (text.charCodeAt(this.#at) === DOT) {
      integer = false;
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if ((text.charCodeAt(this.#at) | 0x20) === 0x65) {
      integer = false;
      this.#at++;
      const sign = text.charCodeAt(this.#at);
      if (sign === PLUS || sign === MINUS) this.#at++;
      this.#digits("in exponent of numeric literal");
    }
    return this.#toNumber(start, integer);
  }

  #digits(context: string): void {
    if (!isDigit(this.#text.charCodeAt(this.#at))) throw this.#unexpected(context);
    do this.#at++;
    while (isDigit(this.#text.charCodeAt(this.#at)));
  }

  #toNumber(start: number, integer: boolean): JsonValue {
    const token = this.#text.slice(start, this.#at);
    const number = Number(token);
    // No int64 has more than 19 digits and a sign, and a longer BigInt takes more than linear time.
    if (integer && !Number.isSafeInteger(number) && token.length <= 20) {
      const exact = BigInt(token);
      if (BigInt.asIntN(64, exact) === exact) return exact;
    }
    if (!Number.isFinite(number)) {
      this.#numberError ??= new JsonNumberError({ text: this.#text, offset: start }, token);
    }
    return number;
  }

  #literal<T extends JsonValue>(word: string, value: T): T {
    for (let index = 0; index < word.length; index++, this.#at++) {
      if (this.#text.charCodeAt(this.#at) !== word.charCodeAt(index)) {
        throw this.#unexpected(`in literal ${word} (expecting '${word.charAt(index)}')`);
      }
    }
    return value;
  }

  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.#at;
      this.#at++;
    }
  }

  #unexpected(context: string): JsonSyntaxError {
    return new JsonSyntaxError({ text: this.#text, offset: this.#at }, context);
  }
}

/** What may follow a backslash, apart from `u`. */
const ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (kind) => kind.charCodeAt(0)));

const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}
