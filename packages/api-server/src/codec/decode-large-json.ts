/**
 * JSON so large that decoding it at once would hold others up. The text is cut where
 * elements of its largest lists and objects end, without looking at what they are; what lies between
 * two cuts is short, decoded like any other text, and put back together. Only what comes out well is
 * ours: whatever is strange (a key held twice, something that is no JSON) is left to `decodeJson`, which
 * says what and where.
 */
import type { WorkSteps } from "@homeostat/cel";
import {
  decodeJson,
  JsonError,
  type JsonObject,
  type JsonValue,
  setOwnKey,
} from "@homeostat/object-model";

/** Bytes that are decoded in one go. */
const CHUNK = 48 * 1024;
/** Bytes that are looked through in one go. */
const SCANNED_PER_SLICE = 1024 * 1024;
/** Containers in containers, each of which is looked through again: what is deeper is decoded at once. */
const MAX_CUTS = 16;
/** As deep as kube-apiserver reads. */
const MAX_DEPTH = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** What `decodeJson` would give, in steps; undefined where it has to be asked. */
export function* decodeLargeJson(bytes: Uint8Array): WorkSteps<JsonValue | undefined> {
  const text = new LargeText(bytes);
  try {
    return yield* text.value(text.trimmed(0, bytes.length), 0);
  } catch (error) {
    if (error instanceof StrangeTextError || error instanceof JsonError) return undefined;
    throw error;
  }
}

class StrangeTextError extends Error {
  override readonly name: string = "StrangeTextError";
  readonly code = "strange-text";
}

interface Range {
  readonly begin: number;
  readonly end: number;
}

/** The elements of a container between two cuts. */
interface Piece extends Range {
  /** One element, longer than a chunk. */
  readonly isLarge: boolean;
}

class LargeText {
  readonly #bytes: Uint8Array;
  #scanned = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  *value({ begin, end }: Range, depth: number): WorkSteps<JsonValue> {
    const bytes = this.#bytes;
    const first = bytes[begin];
    const isContainer = first === OPEN_LIST || first === OPEN_OBJECT;
    if (end - begin <= CHUNK || depth >= MAX_CUTS || !isContainer) {
      return decode(bytes.subarray(begin, end), depth);
    }
    // The closing bracket is two behind the opening one in both cases.
    if (bytes[end - 1] !== first + 2) throw new StrangeTextError();
    const inside = { begin: begin + 1, end: end - 1 };
    return first === OPEN_LIST
      ? yield* this.#list(inside, depth)
      : yield* this.#object(inside, depth);
  }

  trimmed(from: number, to: number): Range {
    let begin = from;
    let end = to;
    while (begin < end && isSpace(this.#bytes[begin]!)) begin++;
    while (end > begin && isSpace(this.#bytes[end - 1]!)) end--;
    return { begin, end };
  }

  *#list(inside: Range, depth: number): WorkSteps<JsonValue> {
    const list: JsonValue[] = [];
    for (const piece of yield* this.#pieces(inside)) {
      if (piece.isLarge) {
        list.push(yield* this.value(this.trimmed(piece.begin, piece.end), depth + 1));
      } else {
        const items = this.#decoded(piece, depth, "[]") as JsonValue[];
        if (items.length === 0) throw new StrangeTextError();
        for (const item of items) list.push(item);
      }
      yield;
    }
    return list;
  }

  *#object(inside: Range, depth: number): WorkSteps<JsonValue> {
    const object: JsonObject = {};
    const add = (key: string, value: JsonValue): void => {
      if (Object.hasOwn(object, key)) throw new StrangeTextError();
      setOwnKey(object, key, value);
    };
    for (const piece of yield* this.#pieces(inside)) {
      if (piece.isLarge) {
        const { key, value } = this.#member(piece);
        add(key, yield* this.value(value, depth + 1));
      } else {
        const members = Object.entries(this.#decoded(piece, depth, "{}") as JsonObject);
        if (members.length === 0) throw new StrangeTextError();
        for (const [key, value] of members) add(key, value);
      }
      yield;
    }
    return object;
  }

  #decoded({ begin, end }: Range, depth: number, brackets: "[]" | "{}"): JsonValue {
    const chunk = new Uint8Array(end - begin + 2);
    chunk[0] = brackets.charCodeAt(0);
    chunk.set(this.#bytes.subarray(begin, end), 1);
    chunk[chunk.length - 1] = brackets.charCodeAt(1);
    return decode(chunk, depth);
  }

  #member(piece: Range): { readonly key: string; readonly value: Range } {
    const bytes = this.#bytes;
    const { begin, end } = this.trimmed(piece.begin, piece.end);
    if (bytes[begin] !== QUOTE) throw new StrangeTextError();
    const keyEnd = this.#stringEnd(begin, end);
    let colon = keyEnd;
    while (colon < end && isSpace(bytes[colon]!)) colon++;
    if (bytes[colon] !== COLON) throw new StrangeTextError();
    const key = decode(bytes.subarray(begin, keyEnd), 0) as string;
    return { key, value: this.trimmed(colon + 1, end) };
  }

  /** The elements of a container, as many in each piece as make a chunk. */
  *#pieces({ begin, end }: Range): WorkSteps<readonly Piece[]> {
    const pieces: Piece[] = [];
    let pieceAt = begin;
    let elementAt = begin;
    for (let at = begin; elementAt <= end; at = elementAt) {
      const elementEnd = this.#elementEnd(at, end);
      if (elementEnd - pieceAt > CHUNK && elementAt > pieceAt) {
        pieces.push({ begin: pieceAt, end: elementAt - 1, isLarge: false });
        pieceAt = elementAt;
      }
      if (elementEnd - elementAt > CHUNK) {
        pieces.push({ begin: elementAt, end: elementEnd, isLarge: true });
        pieceAt = elementEnd + 1;
      }
      elementAt = elementEnd + 1;
      if (this.#scanned > SCANNED_PER_SLICE) {
        this.#scanned = 0;
        yield;
      }
    }
    if (pieceAt <= end) pieces.push({ begin: pieceAt, end, isLarge: false });
    return pieces;
  }

  /** Where the comma behind an element is, or the end of its container. */
  #elementEnd(from: number, end: number): number {
    const bytes = this.#bytes;
    let depth = 0;
    let at = from;
    for (; at < end; at++) {
      const code = bytes[at]!;
      if (code === QUOTE) at = this.#stringEnd(at, end) - 1;
      else if (code === COMMA) {
        if (depth === 0) break;
      } else if ((code | 0x20) === OPEN_OBJECT) depth++;
      // The closing brackets, which are 0x5d and 0x7d.
      else if ((code | 0x20) === OPEN_OBJECT + 2 && --depth < 0) throw new StrangeTextError();
    }
    this.#scanned += at - from;
    return at;
  }

  /** Behind the quote that ends the string that begins here. */
  #stringEnd(from: number, end: number): number {
    const bytes = this.#bytes;
    for (let at = from + 1; at < end; at++) {
      const code = bytes[at]!;
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) return at + 1;
    }
    throw new StrangeTextError();
  }
}

/** Refuses keys that are held twice. */
function decode(bytes: Uint8Array, depth: number): JsonValue {
  const decoded = decodeJson(bytes, { duplicates: "report", maxDepth: MAX_DEPTH - depth });
  if (decoded.duplicates.length > 0) throw new StrangeTextError();
  return decoded.value;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
