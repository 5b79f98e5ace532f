/** One value after the other out of DER, with what Go says of what it cannot read. */

/** The message is Go's. */
export class DerError extends Error {
  readonly code = "der";
}

export interface DerValue {
  /** Class and number, as the first byte has them. */
  readonly tag: number;
  /** Header included. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

export const SEQUENCE = 0x30;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OBJECT_ID = 0x06;

const COMPOUND = 0x20;
const NUMBER = 0x1f;

export class DerReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next value; `name` is what Go calls the type it expects there. */
  read(tag: number, name: string): DerValue {
    const value = this.readAny();
    if (value.tag === tag) return value;
    const got = `{class:${value.tag >> 6} tag:${value.tag & NUMBER} length:${value.content.length} isCompound:${(value.tag & COMPOUND) !== 0}}`;
    const header = value.whole.length - value.content.length;
    const parameters =
      "{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}";
    throw new DerError(
      `asn1: structure error: tags don't match (${tag & NUMBER} vs ${got}) ${parameters} ${name} @${this.#at - value.whole.length + header}`,
    );
  }

  readAny(): DerValue {
    if (this.isDone) throw new DerError("asn1: syntax error: sequence truncated");
    const start = this.#at;
    const tag = this.#byte();
    const length = this.#length();
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new DerError("asn1: syntax error: data truncated");
    return {
      tag,
      whole: this.#bytes.subarray(start, this.#at),
      content: this.#bytes.subarray(from, this.#at),
    };
  }

  #length(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    const count = first & 0x7f;
    if (count === 0) {
      throw new DerError("asn1: syntax error: indefinite length found (not DER)");
    }
    let length = 0;
    for (let i = 0; i < count; i++) {
      if (length >= 2 ** 23) throw new DerError("asn1: structure error: length too large");
      length = length * 256 + this.#byte();
      if (length === 0) {
        throw new DerError("asn1: structure error: superfluous leading zeros in length");
      }
    }
    if (length < 0x80) throw new DerError("asn1: structure error: non-minimal length");
    return length;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new DerError("asn1: syntax error: truncated tag or length");
    return byte;
  }
}
