import { negativeLength, ProtobufError, unexpectedEnd } from "./protobuf-error.ts";
import { readUtf8 } from "./utf8-text.ts";
import type { WirePlan } from "./wire-plan.ts";

/** More than any schema people write, and shallow enough for the stack. */
const MAX_DEPTH = 1_000;

const VARINT_BYTES = 10;
const UINT32 = 2 ** 32;
const INT53_HIGH = 2 ** 21;

/**
 * A place in bytes, and the end of the message that is being read: nothing reads beyond it, however
 * long it says to be. Whoever reads a nested message moves the end and puts it back.
 */
export class WireReader {
  readonly bytes: Buffer;
  at = 0;
  end: number;
  /** Of the field whose tag was read last. */
  number = 0;
  wireType = 0;
  #depth = 0;
  /** The varint read last: its lower and upper 32 bits, unsigned. */
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  /** Goes into a message of that length; what is given back is for {@link leave}. */
  enter(length: number): number {
    if (++this.#depth > MAX_DEPTH) throw new ProtobufError("exceeded max depth");
    const outer = this.end;
    this.end = this.at + length;
    return outer;
  }

  /** Goes on behind the message. */
  leave(outer: number): void {
    this.at = this.end;
    this.end = outer;
    this.#depth--;
  }

  /** Reads number and wire type of the next field of a message. */
  tag(plan: WirePlan): void {
    this.entryTag();
    if (this.wireType === 4) {
      throw new ProtobufError(`proto: ${plan.typeName}: wiretype end group for non-group`);
    }
    if (this.number > 0) return;
    const whole = (BigInt(this.#high) << 32n) | BigInt(this.#low);
    throw new ProtobufError(
      `proto: ${plan.typeName}: illegal tag ${this.number} (wire type ${whole})`,
    );
  }

  /** The same of an entry of a map, of which Go does not ask as much. */
  entryTag(): void {
    this.#varint();
    this.wireType = this.#low & 7;
    // An int32, whatever came before.
    this.number = (this.#low >>> 3) | (this.#high << 29);
  }

  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** A bigint where no number is exact. */
  int64(): number | bigint {
    this.#varint();
    const high = this.#high | 0;
    if (high >= -INT53_HIGH && high < INT53_HIGH) {
      return high * UINT32 + this.#low;
    }
    return (BigInt(high) << 32n) | BigInt(this.#low);
  }

  double(): number {
    if (this.end - this.at < 8) throw unexpectedEnd();
    this.at += 8;
    return this.bytes.readDoubleLE(this.at - 8);
  }

  /** Of what follows, all of which is there. */
  length(): number {
    this.#varint();
    if (this.#high >= 2 ** 31) throw negativeLength();
    const length = this.#high * UINT32 + this.#low;
    // Go adds as an int64, and finds it negative when that overflows.
    if (this.#high === 2 ** 31 - 1 && this.#low + this.at >= UINT32) throw negativeLength();
    if (length > this.end - this.at) throw unexpectedEnd();
    return length;
  }

  text(): string {
    const length = this.length();
    const from = this.at;
    this.at += length;
    return readUtf8(this.bytes, from, this.at);
  }

  /** A view of the bytes. */
  slice(): Buffer {
    const length = this.length();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** Passes over the value of a field that nobody knows, groups included. */
  skip(): void {
    let depth = 0;
    for (let { wireType } = this; ; ) {
      if (wireType === 0) this.#varint();
      else if (wireType === 1) this.at += 8;
      else if (wireType === 2) this.#skipBytes();
      else if (wireType === 3) depth++;
      else if (wireType === 5) this.at += 4;
      else if (wireType !== 4) throw new ProtobufError(`proto: illegal wireType ${wireType}`);
      else if (depth === 0) throw new ProtobufError("proto: unexpected end of group");
      else depth--;
      if (depth === 0) break;
      if (this.at >= this.end) throw unexpectedEnd();
      this.#varint();
      wireType = this.#low & 7;
    }
    if (this.at > this.end) throw unexpectedEnd();
  }

  /** May lead beyond the end, which is found out afterwards. */
  #skipBytes(): void {
    this.#varint();
    if (this.#high >= 2 ** 31) throw negativeLength();
    this.at += this.#high * UINT32 + this.#low;
  }

  #varint(): void {
    const first = this.at < this.end ? this.bytes[this.at]! : 0x80;
    if (first < 0x80) {
      this.at++;
      this.#low = first;
      this.#high = 0;
      return;
    }
    let low = 0;
    let high = 0;
    for (let count = 0; ; count++) {
      if (count === VARINT_BYTES) throw new ProtobufError("proto: integer overflow");
      if (this.at >= this.end) throw unexpectedEnd();
      const byte = this.bytes[this.at++]!;
      const bits = byte & 0x7f;
      // Bits beyond the 64th are dropped.
      if (count < 4) low |= bits << (7 * count);
      else if (count === 4) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (7 * count - 32);
      if (byte < 0x80) break;
    }
    this.#low = low >>> 0;
    this.#high = high >>> 0;
  }
}
