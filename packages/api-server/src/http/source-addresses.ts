import { isIP } from "node:net";
import type { Exchange } from "./exchange.ts";

/**
 * Where a request comes from, as far as it tells: the clients of proxies, which anybody can make up,
 * then who is connected.
 */
export function sourceAddresses({
  rawHeaders,
  remoteAddress,
}: Pick<Exchange, "rawHeaders" | "remoteAddress">): readonly string[] {
  const parts = headerOf(rawHeaders, "x-forwarded-for").split(",");
  const addresses = parts.map((part) => part.trim()).filter((part) => isIP(part) !== 0);
  const real = headerOf(rawHeaders, "x-real-ip");
  if (isIP(real) !== 0 && !addresses.includes(real)) addresses.push(real);
  const remote = remoteAddress.replace(/^::ffff:(?=\d+\.)/, "");
  if (isIP(remote) !== 0 && addresses.at(-1) !== remote) addresses.push(remote);
  return addresses;
}

/** The first of that name; "" for none. */
function headerOf(rawHeaders: readonly string[], name: string): string {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === name) return rawHeaders[at + 1]!;
  }
  return "";
}
