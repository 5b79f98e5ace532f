/** Beyond this, native code is faster than a loop. */
const SHORT = 40;

/** What a writer that is used again holds between uses, at most. */
const KEPT_ROOM = 256 * 1024;

/**
 * Writes from the end to the beginning: the length of a message is known when it has been written,
 * so nothing is measured beforehand. Whatever reads in order is therefore written in reverse.
 */
export class WireWriter {
  #buffer: Buffer;
  /** Where what was written begins. */
  #at: number;

  constructor(room: number) {
    this.#buffer = Buffer.allocUnsafe(room);
    this.#at = room;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#buffer.length - this.#at;
  }

  /** Forgets what was written, and keeps the room unless that is large. */
  reset(): void {
    if (this.#buffer.length > KEPT_ROOM) this.#buffer = Buffer.allocUnsafe(KEPT_ROOM);
    this.#at = this.#buffer.length;
  }

  /** A copy of what was written. */
  take(): Buffer {
    const copy = Buffer.allocUnsafe(this.size);
    this.copyTo(copy, 0);
    return copy;
  }

  /** Copies what was written to a place with room for it. */
  copyTo(target: Buffer, at: number): number {
    return this.#buffer.copy(target, at, this.#at);
  }

  byte(value: number): void {
    if (this.#at === 0) this.#grow(1);
    this.#buffer[--this.#at] = value;
  }

  bytes(value: Uint8Array): void {
    const { length } = value;
    this.#reserve(length);
    this.#at -= length;
    if (length > SHORT) this.#buffer.set(value, this.#at);
    else {
      const buffer = this.#buffer;
      for (let from = 0, to = this.#at; from < length; from++, to++) buffer[to] = value[from]!;
    }
  }

  /** Not negative, below 2^31: a tag, a length. */
  varint(value: number): void {
    if (value < 0x80) {
      this.byte(value);
      return;
    }
    let count = 2;
    for (let rest = value >>> 14; rest > 0; rest >>>= 7) count++;
    this.#reserve(count);
    this.#at -= count;
    const buffer = this.#buffer;
    const last = this.#at + count - 1;
    let rest = value;
    for (let at = this.#at; at < last; at++, rest >>>= 7) buffer[at] = rest | 0x80;
    buffer[last] = rest;
  }

  /** An int32 or int64. */
  integer(value: number | bigint): void {
    if (typeof value === "number" && value >= 0 && value < 2 ** 31) this.varint(value);
    else this.#wide(BigInt.asUintN(64, BigInt(value)));
  }

  #wide(value: bigint): void {
    let rest = value;
    const bytes: number[] = [];
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.bytes(Buffer.from(bytes));
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
  }

  /** The text behind its length. */
  text(value: string): void {
    const { length } = value;
    if (length > SHORT || !this.#ascii(value)) {
      const size = Buffer.byteLength(value);
      this.#reserve(size);
      this.#at -= size;
      this.#buffer.write(value, this.#at, size, "utf8");
      this.varint(size);
    } else this.byte(length);
  }

  /** A text that is there as bytes, behind its length. */
  slice(source: Buffer, begin: number, end: number): void {
    const size = end - begin;
    this.#reserve(size);
    this.#at -= size;
    if (size > SHORT) source.copy(this.#buffer, this.#at, begin, end);
    else {
      const buffer = this.#buffer;
      for (let from = begin, to = this.#at; from < end; from++, to++) buffer[to] = source[from]!;
    }
    this.varint(size);
  }

  /** The bytes that a text in base64 stands for, behind their length. */
  base64(value: string): void {
    const size = Buffer.byteLength(value, "base64");
    this.#reserve(size);
    this.#at -= size;
    this.#buffer.write(value, this.#at, size, "base64");
    this.varint(size);
  }

  /** Writes a short text if it is plain, and nothing if it is not. */
  #ascii(value: string): boolean {
    const { length } = value;
    this.#reserve(length);
    const start = this.#at - length;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) return false;
      this.#buffer[start + index] = code;
    }
    this.#at = start;
    return true;
  }

  #reserve(size: number): void {
    if (this.#at < size) this.#grow(size);
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.size + size));
    const at = larger.length - this.size;
    this.#buffer.copy(larger, at, this.#at);
    this.#buffer = larger;
    this.#at = at;
  }
}
