import { isIP, isIPv4 } from "node:net";
import { InvalidArgumentError } from "commander";

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) {
    throw new InvalidArgumentError("Expected a whole number from 0 (any free port) to 65535.");
  }
  return port;
}

/** `512Mi`, `2Gi`, or plain bytes. */
export function parseSize(text: string): number {
  const [, digits, unit = ""] = /^(\d+)(Ki|Mi|Gi)?$/.exec(text) ?? [];
  const bytes = Number(digits ?? Number.NaN) * 1024 ** ["", "Ki", "Mi", "Gi"].indexOf(unit);
  if (!(bytes >= 128 * 1024 ** 2 && Number.isSafeInteger(bytes))) {
    throw new InvalidArgumentError("Expected a size of at least 128Mi, such as 512Mi or 2Gi.");
  }
  return bytes;
}

export function parseBindAddress(text: string): string {
  if (isIP(text) === 0) {
    throw new InvalidArgumentError(
      "Expected an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.",
    );
  }
  return text;
}

/** As wide as kube-apiserver allows: 8 addresses to 2^20. */
export function parseServiceRange(text: string): string {
  const [address = "", prefix = "", ...rest] = text.split("/");
  const bits = /^\d{1,2}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (rest.length > 0 || !isIPv4(address) || !(bits >= 12 && bits <= 29)) {
    throw new InvalidArgumentError("Expected an IPv4 network of /12 to /29, such as 10.0.0.0/24.");
  }
  const network = numberOf(address) - (numberOf(address) % 2 ** (32 - bits));
  if (network !== numberOf(address)) {
    throw new InvalidArgumentError(
      `Expected the first address of the network: ${textOf(network)}/${bits}.`,
    );
  }
  return text;
}

/** `30000-32767`, or `30000+2767` for the first and how many more. */
export function parsePortRange(text: string): readonly [first: number, last: number] {
  const [, first = "", sign, second = ""] = /^(\d{1,5})([-+])(\d{1,5})$/.exec(text) ?? [];
  const last = sign === "+" ? Number(first) + Number(second) : Number(second);
  if (sign === undefined || Number(first) < 1 || last < Number(first) || last > 65_535) {
    throw new InvalidArgumentError("Expected the first and the last port, such as 30000-32767.");
  }
  return [Number(first), last];
}

/** As Go reads them; a flag without a value is true. */
export function parseBoolean(text: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw new InvalidArgumentError("Expected true or false.");
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new InvalidArgumentError("Expected a whole number above 0.");
  }
  return Number(text);
}

/** Like {@link parseCount}, for flags of which 0 means something. */
export function parseNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** A duration as Go writes it, `1m30s` or `1.5s`: milliseconds. */
export function parseMilliseconds(text: string): number {
  const isRight = text === "0" || /^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text);
  let milliseconds = 0;
  for (const [, count, unit] of text.matchAll(/([\d.]+)(ms|s|m|h)/g)) {
    milliseconds += Number(count) * UNIT_MILLISECONDS[unit!]!;
  }
  if (!isRight || milliseconds >= 2 ** 31) {
    throw new InvalidArgumentError("Expected a time of at most 24 days, such as 90s or 1m30s.");
  }
  return milliseconds;
}

/** For flags that may be given more than once. */
export function addTo(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** For flags whose values may stand in one list, or come one by one. */
export function addWordsTo(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").filter((word) => word !== "")];
}

/** Those with a colon are URLs. */
export function parseIssuer(text: string, before: readonly string[] = []): readonly string[] {
  if (text === "" || (text.includes(":") && URL.parse(text) === null)) {
    throw new InvalidArgumentError("Expected a URL or a name without a colon.");
  }
  if (before.includes(text)) throw new InvalidArgumentError("Expected every issuer once.");
  return [...before, text];
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** `24h`, `90m`, `1h30m`: seconds. */
export function parseTokenLife(text: string): number {
  const parts = /^(\d+[hms])+$/.test(text) ? text.match(/\d+[hms]/g)! : [];
  const seconds = parts.reduce(
    (sum, part) => sum + Number(part.slice(0, -1)) * UNIT_SECONDS[part.at(-1)!]!,
    0,
  );
  if (!(seconds >= 3600 && seconds <= 2 ** 32)) {
    throw new InvalidArgumentError("Expected a time from 1h to 2^32 seconds, such as 24h.");
  }
  return seconds;
}

/** What any of the modes allows is allowed. */
export function parseAuthorizationModes(text: string): "RBAC" | "AlwaysAllow" {
  const modes = text.split(",");
  const isKnown = modes.every((mode) => ["RBAC", "AlwaysAllow", "Node"].includes(mode));
  if (isKnown && modes.includes("AlwaysAllow")) return "AlwaysAllow";
  if (isKnown && modes.includes("RBAC")) return "RBAC";
  throw new InvalidArgumentError("Expected RBAC, Node,RBAC or AlwaysAllow.");
}

/** The address that the service "kubernetes" has in a range. */
export function firstServiceAddress(range: string): string {
  return textOf(numberOf(range.slice(0, range.indexOf("/"))) + 1);
}

function numberOf(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function textOf(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}
