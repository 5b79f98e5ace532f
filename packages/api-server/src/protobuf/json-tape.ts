import type { ObjectJson } from "../answers/answer.ts";
import type { JsonField, JsonPlan } from "./json-plan.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;

/** Beyond this, native code is faster than a loop. */
const SHORT = 64;

/** So many digits are a number without loss. */
const EXACT_DIGITS = 15;

/** What a tape that is used again holds between uses, at most, in words. */
const KEPT_WORDS = 64 * 1024;

/** No entry: entries and values are behind the first words. */
export const NOTHING = 0;
const FALSE = 1;
export const TRUE = 2;
const FIRST = 3;

/** The same in bytes of JSON. */
const KEPT_ROOM = 256 * 1024;
const FIRST_ROOM = 16 * 1024;

/**
 * Where everything stands in the JSON of one object, found in one pass over its bytes, so that a
 * message can be written of them from its end. Nothing is decoded.
 *
 * The tape is a row of words that refer to each other. A value is one word:
 *
 *     absent or null   NOTHING
 *     a boolean        FALSE or TRUE
 *     an object        the first of its places: a word for each field of its plan, a value or a chain
 *     anything else    the first of two words: where its bytes begin and end, without quotes. The end
 *                      of a text with escapes is negative
 *
 * A chain is the last entry of a list or map; an entry is the entry before it, its value and, in a map,
 * where its key begins and ends. The chain of a map whose keys are not in order is negative.
 *
 * The JSON is what the server itself has written: compact and well formed.
 */
export class JsonTape {
  words: Int32Array = new Int32Array(4096);
  /** Begins with a copy of the JSON. */
  bytes: Buffer = Buffer.alloc(FIRST_ROOM);
  /** Of the same bytes. */
  #view = viewOf(this.bytes);
  #used = FIRST;
  #at = 0;
  #sets: readonly number[] = [];
  /** The first of those that are not behind. */
  #nextSet = 0;
  /** The next backslash. There is one behind the end. */
  #backslash = 0;

  /** Reads an object of that plan; what was read before is forgotten. Gives the object's value. */
  read({ bytes, sets }: ObjectJson, plan: JsonPlan): number {
    // All at once: an object finds its places empty.
    if (this.words.length > KEPT_WORDS) this.words = new Int32Array(KEPT_WORDS);
    else this.words.fill(NOTHING, 0, this.#used);
    this.#used = FIRST;
    this.#copy(bytes);
    this.#sets = sets;
    this.#nextSet = 0;
    this.#at = 0;
    this.#findBackslash(0);
    return this.#object(plan);
  }

  /** A copy costs less than what sees words in other bytes, made anew for each object. */
  #copy(json: Uint8Array): void {
    const { length } = json;
    if (length >= this.bytes.length || this.bytes.length > KEPT_ROOM) {
      this.bytes = Buffer.allocUnsafe(Math.max(2 * length, FIRST_ROOM));
      this.#view = viewOf(this.bytes);
    }
    this.bytes.set(json);
    this.bytes[length] = BACKSLASH;
  }

  /** The text of a span. */
  textOf(span: number): string {
    const begin = this.words[span]!;
    const end = this.words[span + 1]!;
    if (end >= 0) return this.bytes.toString("utf8", begin, end);
    return JSON.parse(this.bytes.toString("utf8", begin - 1, 1 - end)) as string;
  }

  /** Whether a span is a text, and not a number. */
  isText(span: number): boolean {
    return this.bytes[this.words[span]! - 1] === QUOTE;
  }

  /** The integer of a span. */
  integerOf(span: number): number | bigint {
    const { bytes, words } = this;
    const begin = words[span]!;
    const end = words[span + 1]!;
    if (end - begin > EXACT_DIGITS || bytes[begin] === MINUS) return BigInt(this.textOf(span));
    let value = 0;
    for (let at = begin; at < end; at++) value = value * 10 + bytes[at]! - DIGIT_0;
    return value;
  }

  #object(plan: JsonPlan): number {
    const count = plan.places.length;
    const base = this.#take(count);
    if (this.bytes[++this.#at] === CLOSE) {
      this.#at++;
      return base;
    }
    let place = -1;
    do {
      // At the quote of a key.
      const found = this.#place(plan, place + 1);
      if (found < 0) {
        this.#text();
        this.#at++;
        this.#skip();
      } else {
        place = found;
        const value = this.#field(plan.places[place]!);
        this.words[base + place] = value;
      }
    } while (this.bytes[this.#at++] === COMMA);
    return base;
  }

  /**
   * The place of the key here, and goes behind its colon; -1 for a key of no place. Keys come in the
   * order of the places, of which some are left out: the one that is looked for is near.
   */
  #place(plan: JsonPlan, from: number): number {
    const { names } = plan;
    const begin = this.#at + 1;
    // There are four bytes: the quote, the colon, a value, the end of the object.
    const first = this.#view.getInt32(begin, true);
    for (let tried = 0, place = from; tried < names.length; tried++, place++) {
      if (place === names.length) place = 0;
      const name = names[place]!;
      if (((first ^ name.first) & name.firstMask) !== 0 || !name.isAt(this.#view, begin)) continue;
      this.#at = begin + name.length + 1;
      return place;
    }
    return -1;
  }

  #field(field: JsonField): number {
    if (field.shape === "single") return this.#value(field);
    if (this.bytes[this.#at] === LETTER_N) return this.#null();
    return field.shape === "list" ? this.#list(field) : this.#map(field);
  }

  #list(field: JsonField): number {
    let last = NOTHING;
    if (this.bytes[++this.#at] === CLOSE_LIST) {
      this.#at++;
      return last;
    }
    do {
      const value = this.#value(field);
      const entry = this.#take(2);
      this.words[entry] = last;
      this.words[entry + 1] = value;
      last = entry;
    } while (this.bytes[this.#at++] === COMMA);
    return last;
  }

  #map(field: JsonField): number {
    let last = NOTHING;
    if (this.bytes[++this.#at] === CLOSE) {
      this.#at++;
      return last;
    }
    let inOrder = true;
    do {
      const begin = this.#at + 1;
      const end = this.#text();
      inOrder &&= end >= 0 && (last === NOTHING || this.#isBehind(begin, end, last));
      this.#at++;
      const value = this.#value(field);
      const entry = this.#take(4);
      this.words[entry] = last;
      this.words[entry + 1] = value;
      this.words[entry + 2] = begin;
      this.words[entry + 3] = end;
      last = entry;
    } while (this.bytes[this.#at++] === COMMA);
    return inOrder ? last : -last;
  }

  /** Whether a key comes behind that of an entry in the order of bytes. */
  #isBehind(begin: number, end: number, entry: number): boolean {
    const { bytes, words } = this;
    let other = words[entry + 2]!;
    const otherEnd = words[entry + 3]!;
    for (let at = begin; at < end && other < otherEnd; at++, other++) {
      const difference = bytes[at]! - bytes[other]!;
      if (difference !== 0) return difference > 0;
    }
    return other === otherEnd;
  }

  #value(field: JsonField): number {
    const first = this.bytes[this.#at]!;
    if (first === QUOTE) {
      const begin = this.#at + 1;
      const isAny = field.kind === "any" || field.kind === "any-object";
      const end = this.#text();
      // Of a value of any kind, the quotes are a part.
      return isAny ? this.#span(begin - 1, this.#at) : this.#span(begin, end);
    }
    if (first === LETTER_N) return this.#null();
    switch (field.kind) {
      case "object":
        return this.#object(field.plan);
      case "bool":
        return this.#boolean();
      case "string-list":
      case "schema-or-bool":
      case "schema-or-list":
      case "schema-or-strings":
        return this.#alternative(field.plan);
      default: {
        const begin = this.#at;
        this.#skip();
        return this.#span(begin, this.#at);
      }
    }
  }

  /** What a message holds that is no object in JSON: the field of it that can hold this value. */
  #alternative(plan: JsonPlan): number {
    const first = this.bytes[this.#at]!;
    const base = this.#take(plan.places.length);
    for (const field of plan.places) {
      let value: number = NOTHING;
      if (field.kind === "bool") {
        // What has a schema is allowed.
        value = first === OPEN ? TRUE : this.#boolean();
      } else if (first === OPEN_LIST && field.shape === "list") value = this.#list(field);
      else if (first === OPEN && field.shape === "single") value = this.#object(field.plan);
      this.words[base + field.place] = value;
    }
    return base;
  }

  #boolean(): number {
    if (this.bytes[this.#at] === LETTER_T) {
      this.#at += 4;
      return TRUE;
    }
    this.#at += 5;
    return FALSE;
  }

  #null(): number {
    this.#at += 4;
    return NOTHING;
  }

  #span(begin: number, end: number): number {
    const span = this.#take(2);
    this.words[span] = begin;
    this.words[span + 1] = end;
    return span;
  }

  /** From a quote to behind the next. Gives the place of that; negative for a text with escapes. */
  #text(): number {
    const { bytes } = this;
    let at = this.#at + 1;
    const near = Math.min(at + SHORT, bytes.length);
    while (at < near && bytes[at] !== QUOTE) at++;
    if (at === near) at = bytes.indexOf(QUOTE, at);
    if (at < this.#backslash) {
      this.#at = at + 1;
      return at;
    }
    at = this.#backslash;
    for (; bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    this.#findBackslash(at);
    this.#at = at + 1;
    return -at;
  }

  #findBackslash(from: number): void {
    this.#backslash = this.bytes.indexOf(BACKSLASH, from);
  }

  /** Goes behind a value, however deep it is. */
  #skip(): void {
    const { bytes } = this;
    if (this.#sets[this.#nextSet] === this.#at) {
      this.#at = this.#sets[this.#nextSet + 1]!;
      this.#nextSet += 2;
      if (this.#backslash < this.#at) this.#findBackslash(this.#at);
      return;
    }
    let depth = 0;
    do {
      switch (bytes[this.#at]) {
        case QUOTE:
          this.#text();
          break;
        case OPEN:
        case OPEN_LIST:
          depth++;
          this.#at++;
          break;
        case CLOSE:
        case CLOSE_LIST:
          depth--;
          this.#at++;
          break;
        case undefined:
          return;
        default:
          this.#at++;
          if (depth === 0) this.#skipWord();
      }
    } while (depth > 0);
  }

  /** Goes behind a number or a word, of which the first character is behind already. */
  #skipWord(): void {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.#at];
      if (byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || byte === undefined) return;
      this.#at++;
    }
  }

  #take(count: number): number {
    const begin = this.#used;
    this.#used += count;
    if (this.#used > this.words.length) this.#grow();
    return begin;
  }

  #grow(): void {
    const larger = new Int32Array(Math.max(this.words.length * 2, this.#used));
    larger.set(this.words);
    this.words = larger;
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
