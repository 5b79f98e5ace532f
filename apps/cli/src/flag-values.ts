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
