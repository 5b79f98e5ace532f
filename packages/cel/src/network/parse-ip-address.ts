import { goQuote } from "../text/go-quote.ts";
import { IpAddress, NetworkParseError } from "./ip-address.ts";

/**
 * Dotted decimal, IPv6, or IPv6 with a zone (`fe80::1%eth0`). Throws {@link NetworkParseError},
 * whose message shows the text by `quote`.
 */
export function parseIpAddress(text: string, quote: (text: string) => string = goQuote): IpAddress {
  return new AddressReader(text, quote).read();
}

const GROUPS = 8;

class AddressReader {
  readonly #input: string;
  readonly #quote: (text: string) => string;

  constructor(input: string, quote: (text: string) => string) {
    this.#input = input;
    this.#quote = quote;
  }

  read(): IpAddress {
    const mark = /[.:%]/.exec(this.#input)?.[0];
    if (mark === ".") return new IpAddress({ family: 4, bits: this.#readIpv4(this.#input) });
    if (mark === ":") return this.#readIpv6();
    if (mark === "%") throw this.#refused("missing IPv6 address");
    throw this.#refused("unable to parse IP");
  }

  /** `part` is all of the text, or its end where IPv4 is written inside IPv6. */
  #readIpv4(part: string): bigint {
    const octets: number[] = [];
    let value = 0;
    let digits = 0;
    for (let index = 0; index < part.length; index++) {
      const char = part.charAt(index);
      if (char >= "0" && char <= "9") {
        if (digits === 1 && value === 0) {
          throw this.#refused("IPv4 field has octet with leading zero");
        }
        value = value * 10 + Number(char);
        digits++;
        if (value > 255) throw this.#refused("IPv4 field has value >255");
      } else if (char === ".") {
        if (digits === 0 || index === part.length - 1) {
          throw this.#refused("IPv4 field must have at least one digit", part.slice(index));
        }
        if (octets.length === 3) throw this.#refused("IPv4 address too long");
        octets.push(value);
        value = 0;
        digits = 0;
      } else {
        throw this.#refused("unexpected character", part.slice(index));
      }
    }
    if (octets.length < 3) throw this.#refused("IPv4 address too short");
    octets.push(value);
    return octets.reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n);
  }

  #readIpv6(): IpAddress {
    const percent = this.#input.indexOf("%");
    const zone = percent === -1 ? "" : this.#input.slice(percent + 1);
    if (percent !== -1 && zone === "") throw this.#refused("zone must be a non-empty string");
    const address = percent === -1 ? this.#input : this.#input.slice(0, percent);
    const groups = this.#readGroups(address);
    const bits = groups.reduce((all, group) => (all << 16n) | BigInt(group), 0n);
    return new IpAddress({ family: 6, bits, zone });
  }

  /** The eight groups of 16 bits, with `::` filled in. */
  #readGroups(address: string): number[] {
    const groups: number[] = [];
    /** Before which group `::` stands. */
    let ellipsis = -1;
    let rest = address;
    if (rest.startsWith("::")) {
      ellipsis = 0;
      rest = rest.slice(2);
      if (rest === "") return zeros(GROUPS);
    }
    while (groups.length < GROUPS) {
      const group = this.#readGroup(rest);
      if (rest.charAt(group.length) === ".") {
        groups.push(...this.#readEmbeddedIpv4({ rest, before: groups.length, ellipsis }));
        rest = "";
        break;
      }
      groups.push(group.value);
      rest = rest.slice(group.length);
      if (rest === "") break;
      if (!rest.startsWith(":")) throw this.#refused("unexpected character, want colon", rest);
      if (rest.length === 1) throw this.#refused("colon must be followed by more characters", rest);
      rest = rest.slice(1);
      if (rest.startsWith(":")) {
        if (ellipsis >= 0) throw this.#refused("multiple :: in address", rest);
        ellipsis = groups.length;
        rest = rest.slice(1);
        if (rest === "") break;
      }
    }
    if (rest !== "") throw this.#refused("trailing garbage after address", rest);
    return this.#expand(groups, ellipsis);
  }

  #readGroup(rest: string): { value: number; length: number } {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? "";
    if (digits.length > 4) throw this.#refused("each group must have 4 or less digits", rest);
    if (digits === "") {
      throw this.#refused("each colon-separated field must have at least one digit", rest);
    }
    return { value: Number.parseInt(digits, 16), length: digits.length };
  }

  #readEmbeddedIpv4(place: { rest: string; before: number; ellipsis: number }): number[] {
    const { rest, before, ellipsis } = place;
    if (ellipsis < 0 && before !== GROUPS - 2) {
      const rule = "embedded IPv4 address must replace the final 2 fields of the address";
      throw this.#refused(rule, rest);
    }
    if (before + 2 > GROUPS) {
      const rule = "too many hex fields to fit an embedded IPv4 at the end of the address";
      throw this.#refused(rule, rest);
    }
    const bits = Number(this.#readIpv4(rest));
    return [bits >>> 16, bits & 0xffff];
  }

  #expand(groups: readonly number[], ellipsis: number): number[] {
    const missing = GROUPS - groups.length;
    if (missing > 0 && ellipsis < 0) throw this.#refused("address string too short");
    if (missing === 0 && ellipsis >= 0) {
      throw this.#refused("the :: must expand to at least one field of zeros");
    }
    if (missing === 0) return [...groups];
    return [...groups.slice(0, ellipsis), ...zeros(missing), ...groups.slice(ellipsis)];
  }

  #refused(message: string, at = ""): NetworkParseError {
    const place = at === "" ? "" : ` (at ${this.#quote(at)})`;
    return new NetworkParseError(`ParseAddr(${this.#quote(this.#input)}): ${message}${place}`);
  }
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}
