import { goQuote } from "../text/go-quote.ts";
import { type IpAddress, NetworkParseError } from "./ip-address.ts";
import { parseIpAddress } from "./parse-ip-address.ts";

/** An address and how many of its first bits count: `192.168.0.0/16`. Other bits are kept. */
export class IpPrefix {
  readonly address: IpAddress;
  readonly length: number;

  constructor(address: IpAddress, length: number) {
    this.address = address;
    this.length = length;
  }

  contains(address: IpAddress): boolean {
    if (address.family !== this.address.family || address.zone !== "") return false;
    return address.masked(this.length).bits === this.address.masked(this.length).bits;
  }

  overlaps(other: IpPrefix): boolean {
    if (other.address.family !== this.address.family) return false;
    const length = Math.min(this.length, other.length);
    return this.address.masked(length).bits === other.address.masked(length).bits;
  }

  /** The canonical form: bits behind the prefix cleared. */
  masked(): IpPrefix {
    return new IpPrefix(this.address.masked(this.length), this.length);
  }

  equals(other: IpPrefix): boolean {
    return this.length === other.length && this.address.equals(other.address);
  }

  toString(): string {
    return `${this.address.toString()}/${this.length}`;
  }
}

/** Throws {@link NetworkParseError}. */
export function parseIpPrefix(text: string): IpPrefix {
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw refused(text, "no '/'");
  const address = readAddress(text, text.slice(0, slash));
  if (address.zone !== "") throw refused(text, "IPv6 zones cannot be present in a prefix");
  const digits = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]{0,18})$/.test(digits) || BigInt(digits) > MAX_INT) {
    throw refused(text, `bad bits after slash: ${goQuote(digits)}`);
  }
  const length = Number(digits);
  if (length > address.bitLength) throw refused(text, "prefix length out of range");
  return new IpPrefix(address, length);
}

/** Longer numbers are no number to Go. */
const MAX_INT = 2n ** 63n - 1n;

function readAddress(text: string, part: string): IpAddress {
  try {
    return parseIpAddress(part);
  } catch (error) {
    if (error instanceof NetworkParseError) throw refused(text, error.message);
    throw error;
  }
}

function refused(input: string, message: string): NetworkParseError {
  return new NetworkParseError(`netip.ParsePrefix(${goQuote(input)}): ${message}`);
}
