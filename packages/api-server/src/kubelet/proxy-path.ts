import { posix } from "node:path";

/** A path with /proxy in it, in two parts. Both unescaped. */
export interface ProxyPath {
  /** This server's part: up to the subresource. */
  readonly prefix: string;
  /** What is asked for behind it: "", or from a slash on and without steps up. */
  readonly path: string;
}

/** `path` is that of a request for a proxy subresource, as it was sent. */
export function splitProxyPath(path: string): ProxyPath {
  const decoded = decodeURIComponent(path);
  // The name comes before the subresource, and may itself be "proxy".
  const end = /^\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy(?=\/|$)/.exec(decoded);
  const prefix = end?.[0] ?? decoded;
  const rest = decoded.slice(prefix.length);
  if (rest === "") return { prefix, path: "" };
  const clean = posix.normalize(`/${rest}`);
  return { prefix, path: clean };
}

/** As Go writes the path of a URL. */
export function escapePath(path: string): string {
  return encodeURIComponent(path)
    .replaceAll(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, decodeURIComponent)
    .replaceAll(/[!*'()]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * A Location that the other side gave, as the caller has to follow it: a path of that side is one
 * behind the proxy; another host's address is the caller's affair.
 */
export function rewriteLocation(
  location: string,
  { prefix, hosts }: { readonly prefix: string; readonly hosts: readonly string[] },
): string {
  const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/is.exec(location);
  const [, scheme = "", host = "", path = "", rest = ""] = parts ?? [];
  if (scheme !== "" && !/^https?$/i.test(scheme)) return location;
  if (host !== "" && !hosts.includes(host)) return location;
  if (!path.startsWith("/")) return location;
  const isBehind = path.startsWith(prefix);
  return `${isBehind ? path : posix.join(prefix, path)}${rest}`;
}
