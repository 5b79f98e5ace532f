import { goQuote } from "../text/go-quote.ts";
import { IpAddress, NetworkParseError } from "./ip-address.ts";

/** Dotted decimal, IPv6, or IPv6 with a zone (`fe80::1%eth0`). Throws {@link NetworkParseError}. */
export function parseIpAddress(text: string): IpAddress {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === ".") return new IpAddress({ family: 4, bits: readIpv4(text, text) });
  if (mark === ":") return parseIpv6(text);
  if (mark === "%") throw refused(text, "missing IPv6 address");
  throw refused(text, "unable to parse IP");
}

/** `part` is all of `input`, or its end where IPv4 is written inside IPv6. */
function readIpv4(input: string, part: string): bigint {
  const octets: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < part.length; index++) {
    const char = part.charAt(index);
    if (isDigit(char)) {
      if (digits === 1 && value === 0) {
        throw refused(input, "IPv4 field has octet with leading zero");
      }
      value = value * 10 + Number(char);
      digits++;
      if (value > 255) throw refused(input, "IPv4 field has value >255");
    } else if (char === ".") {
      if (digits === 0 || index === part.length - 1) {
        throw refused(input, "IPv4 field must have at least one digit", part.slice(index));
      }
      if (octets.length === 3) throw refused(input, "IPv4 address too long");
      octets.push(value);
      value = 0;
      digits = 0;
    } else {
      throw refused(input, "unexpected character", part.slice(index));
    }
  }
  if (octets.length < 3) throw refused(input, "IPv4 address too short");
  octets.push(value);
  return octets.reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n);
}

const GROUPS = 8;

function parseIpv6(input: string): IpAddress {
  const percent = input.indexOf("%");
  const zone = percent === -1 ? "" : input.slice(percent + 1);
  if (percent !== -1 && zone === "") throw refused(input, "zone must be a non-empty string");
  const groups = readGroups(input, percent === -1 ? input : input.slice(0, percent));
  const bits = groups.reduce((all, group) => (all << 16n) | BigInt(group), 0n);
  return new IpAddress({ family: 6, bits, zone });
}

/** The eight groups of 16 bits, with `::` filled in. */
function readGroups(input: string, address: string): number[] {
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
    const group = readGroup(input, rest);
    if (rest.charAt(group.length) === ".") {
      groups.push(...readEmbeddedIpv4({ input, rest, before: groups.length, ellipsis }));
      rest = "";
      break;
    }
    groups.push(group.value);
    rest = rest.slice(group.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) throw refused(input, "unexpected character, want colon", rest);
    if (rest.length === 1) throw refused(input, "colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (rest.startsWith(":")) {
      if (ellipsis >= 0) throw refused(input, "multiple :: in address", rest);
      ellipsis = groups.length;
      rest = rest.slice(1);
      if (rest === "") break;
    }
  }
  if (rest !== "") throw refused(input, "trailing garbage after address", rest);
  return expand({ input, groups, ellipsis });
}

function readGroup(input: string, rest: string): { value: number; length: number } {
  const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? "";
  if (digits.length > 4) throw refused(input, "each group must have 4 or less digits", rest);
  if (digits === "") {
    throw refused(input, "each colon-separated field must have at least one digit", rest);
  }
  return { value: Number.parseInt(digits, 16), length: digits.length };
}

function readEmbeddedIpv4(place: {
  input: string;
  rest: string;
  before: number;
  ellipsis: number;
}): number[] {
  const { input, rest, before, ellipsis } = place;
  if (ellipsis < 0 && before !== GROUPS - 2) {
    const rule = "embedded IPv4 address must replace the final 2 fields of the address";
    throw refused(input, rule, rest);
  }
  if (before + 2 > GROUPS) {
    const rule = "too many hex fields to fit an embedded IPv4 at the end of the address";
    throw refused(input, rule, rest);
  }
  const bits = Number(readIpv4(input, rest));
  return [bits >>> 16, bits & 0xffff];
}

function expand(parsed: { input: string; groups: number[]; ellipsis: number }): number[] {
  const { input, groups, ellipsis } = parsed;
  const missing = GROUPS - groups.length;
  if (missing > 0) {
    if (ellipsis < 0) throw refused(input, "address string too short");
    return [...groups.slice(0, ellipsis), ...zeros(missing), ...groups.slice(ellipsis)];
  }
  if (ellipsis >= 0) {
    throw refused(input, "the :: must expand to at least one field of zeros");
  }
  return groups;
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

function refused(input: string, message: string, at = ""): NetworkParseError {
  const place = at === "" ? "" : ` (at ${goQuote(at)})`;
  return new NetworkParseError(`ParseAddr(${goQuote(input)}): ${message}${place}`);
}
