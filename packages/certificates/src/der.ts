/**
 * DER, as much of it as certificates need: values are encoded inside out by plain functions, each
 * returning the whole element (tag, length, content), and read back by `readElements`. Lengths are
 * definite and minimal, integers are unsigned, as DER wants them.
 */

const INTEGER = 0x02;
const BOOLEAN = 0x01;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const SEQUENCE = 0x30;
const SET = 0x31;

export interface DerElement {
  readonly tag: number;
  /** The element as it stands, tag and length included. */
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
}

/** What was to be read is no DER. */
export class DerError extends Error {
  readonly code = "der-malformed";
  override readonly name = "DerError";
}

export function encodeElement(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, each) => sum + each.length, 0);
  const lengthBytes = length < 0x80 ? [length] : longLength(length);
  const element = new Uint8Array(1 + lengthBytes.length + length);
  element[0] = tag;
  element.set(lengthBytes, 1);
  let at = 1 + lengthBytes.length;
  for (const content of contents) {
    element.set(content, at);
    at += content.length;
  }
  return element;
}

export function encodeSequence(...elements: readonly Uint8Array[]): Uint8Array {
  return encodeElement(SEQUENCE, ...elements);
}

export function encodeSet(...elements: readonly Uint8Array[]): Uint8Array {
  return encodeElement(SET, ...elements);
}

/** A number of at least 0, given as big-endian bytes. */
export function encodeUnsigned(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.length === 0 ? Uint8Array.of(0) : bytes.subarray(start);
  const sign = digits[0]! >= 0x80 ? Uint8Array.of(0) : new Uint8Array();
  return encodeElement(INTEGER, sign, digits);
}

export function encodeBoolean(value: boolean): Uint8Array {
  return encodeElement(BOOLEAN, Uint8Array.of(value ? 0xff : 0));
}

/** `unusedBits`: how many of the last byte's low bits do not count. */
export function encodeBitString(bytes: Uint8Array, unusedBits = 0): Uint8Array {
  return encodeElement(BIT_STRING, Uint8Array.of(unusedBits), bytes);
}

export function encodeOctetString(bytes: Uint8Array): Uint8Array {
  return encodeElement(OCTET_STRING, bytes);
}

export function encodeUtf8String(text: string): Uint8Array {
  return encodeElement(UTF8_STRING, new TextEncoder().encode(text));
}

/** From the dotted notation: "2.5.4.3". */
export function encodeObjectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap(base128);
  return encodeElement(OBJECT_IDENTIFIER, Uint8Array.from(bytes));
}

/** `[number]` around a whole element. */
export function encodeExplicit(number: number, element: Uint8Array): Uint8Array {
  return encodeElement(0xa0 + number, element);
}

/** `[number]` in place of a primitive element's own tag. */
export function encodeImplicit(number: number, content: Uint8Array): Uint8Array {
  return encodeElement(0x80 + number, content);
}

/** The elements that follow each other in `bytes`; throws DerError. */
export function readElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes.subarray(at));
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

function readElement(bytes: Uint8Array): DerElement {
  const tag = bytes[0]!;
  const first = bytes[1];
  if (first === undefined) throw new DerError("an element ends after its tag");
  const lengthSize = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || lengthSize > 4) {
    throw new DerError(`a length of ${lengthSize} bytes; expected 1 to 4`);
  }
  let length = lengthSize === 0 ? first : 0;
  for (const byte of bytes.subarray(2, 2 + lengthSize)) length = length * 256 + byte;
  const start = 2 + lengthSize;
  const end = start + length;
  if (end > bytes.length) {
    throw new DerError(`an element of ${end} bytes, of which ${bytes.length} are there`);
  }
  return { tag, whole: bytes.subarray(0, end), content: bytes.subarray(start, end) };
}

function longLength(length: number): number[] {
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(0x80 + (rest % 128));
  }
  return bytes;
}
