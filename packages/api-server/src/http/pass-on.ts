import type { Exchange } from "./exchange.ts";

/** What goes along with a request that may be passed on to a node or a workload: every header. */

const CREDENTIALS = /^(?:authorization|impersonate-.*|x-remote-(?:user|uid|group|extra-.*))$/;

/** Whether a request for this may be passed on. */
export function isPassedOn(target: string): boolean {
  return target.includes("/proxy");
}

/**
 * All headers but credentials, by their names, and for whom they are sent on; several of one name are
 * one. What of them leaves this server is decided in kubelet/passed-headers.ts.
 */
export function headersToPassOn({
  rawHeaders,
  remoteAddress,
}: Pick<Exchange, "rawHeaders" | "remoteAddress">): Record<string, string> {
  const headers = new Map<string, string>();
  const add = (name: string, value: string): void => {
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!name.startsWith(":") && !CREDENTIALS.test(name)) add(name, rawHeaders[at + 1]!);
  }
  if (remoteAddress !== "") add("x-forwarded-for", remoteAddress);
  return Object.fromEntries(headers);
}
