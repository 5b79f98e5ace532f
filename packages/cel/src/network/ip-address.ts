/**
 * IP addresses and prefixes with the rules and messages of Go's net/netip, on which Kubernetes' CEL
 * functions stand: no leading zeros, no missing octets, at most one `::`. An address of IPv4 in
 * IPv6 (`::ffff:1.2.3.4`) stays one of IPv6 here; callers that refuse it ask `isMapped`.
 */
export class IpAddress {
  readonly family: 4 | 6;
  readonly bits: bigint;
  /** Of IPv6 only; empty where there is none. */
  readonly zone: string;

  constructor(address: { family: 4 | 6; bits: bigint; zone?: string }) {
    this.family = address.family;
    this.bits = address.bits;
    this.zone = address.zone ?? "";
  }

  get bitLength(): 32 | 128 {
    return this.family === 4 ? 32 : 128;
  }

  /** IPv4 written as IPv6. */
  get isMapped(): boolean {
    return this.family === 6 && this.bits >> 32n === 0xffffn;
  }

  isUnspecified(): boolean {
    return this.bits === 0n && this.zone === "";
  }

  isLoopback(): boolean {
    return this.family === 4 ? this.#top(8) === 127n : this.bits === 1n;
  }

  isMulticast(): boolean {
    return this.family === 4 ? this.#top(4) === 0xen : this.#top(8) === 0xffn;
  }

  isLinkLocalMulticast(): boolean {
    if (this.family === 4) return this.#top(24) === 0xe0_00_00n;
    return (this.#top(16) & 0xff0fn) === 0xff02n;
  }

  isLinkLocalUnicast(): boolean {
    return this.family === 4 ? this.#top(16) === 0xa9_fen : this.#top(10) === 0xfe80n >> 6n;
  }

  /** Private addresses count too. */
  isGlobalUnicast(): boolean {
    if (this.family === 4 && this.bits === 0xffff_ffffn) return false;
    return (
      !this.isUnspecified() &&
      !this.isLoopback() &&
      !this.isMulticast() &&
      !this.isLinkLocalUnicast()
    );
  }

  /** The address with all bits behind the first `length` cleared. */
  masked(length: number): IpAddress {
    const rest = BigInt(this.bitLength - length);
    return new IpAddress({ family: this.family, bits: (this.bits >> rest) << rest });
  }

  equals(other: IpAddress): boolean {
    return this.family === other.family && this.bits === other.bits && this.zone === other.zone;
  }

  /** The one canonical form (RFC 5952). */
  toString(): string {
    if (this.family === 4) return printIpv4(this.bits);
    const zone = this.zone === "" ? "" : `%${this.zone}`;
    if (this.isMapped) return `::ffff:${printIpv4(this.bits & 0xffff_ffffn)}${zone}`;
    return printIpv6(this.bits) + zone;
  }

  #top(count: number): bigint {
    return this.bits >> BigInt(this.bitLength - count);
  }
}

/** What netip says of a text that is no address or prefix. */
export class NetworkParseError extends Error {
  readonly code = "CEL_NETWORK_PARSE";
  override readonly name = "NetworkParseError";
}

function printIpv4(bits: bigint): string {
  const value = Number(bits);
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".");
}

function printIpv6(bits: bigint): string {
  const groups: number[] = [];
  for (let index = 7; index >= 0; index--) {
    groups.push(Number((bits >> BigInt(index * 16)) & 0xffffn));
  }
  const zeros = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (zeros === undefined) return hex.join(":");
  return `${hex.slice(0, zeros.start).join(":")}::${hex.slice(zeros.end).join(":")}`;
}

/** The first of the longest runs; one zero alone is no run. */
function longestZeroRun(groups: readonly number[]): { start: number; end: number } | undefined {
  let best: { start: number; end: number } | undefined;
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    const length = end - start;
    if (length >= 2 && length > (best === undefined ? 0 : best.end - best.start)) {
      best = { start, end };
    }
  }
  return best;
}
