/**
 * URLs as Go's net/url takes them apart and prints them: Kubernetes' `url()` and `isURL()` and the
 * `uri` format accept what it accepts, with its messages. Inside, all parts are byte texts, since
 * escapes may stand for bytes that are no text; the getters give texts.
 */
import { fromByteText } from "../text/byte-text.ts";
import { isValidEncoding, percentDecode, percentEncode } from "./percent-encoding.ts";
import { UrlError } from "./url-error.ts";

export interface UrlParts {
  readonly scheme: string;
  /** All behind the scheme where no slash follows it: `mailto:a@b`. */
  readonly opaque: string;
  readonly user: { readonly name: string; readonly password: string | undefined } | undefined;
  /** With port, unescaped. */
  readonly host: string;
  /** `scheme:/path`, with no authority at all. */
  readonly omitsHost: boolean;
  /** As written. */
  readonly rawPath: string;
  /** A `?` with nothing behind it. */
  readonly hasEmptyQuery: boolean;
  readonly rawQuery: string;
  /** As written. */
  readonly rawFragment: string;
}

export class ParsedUrl {
  readonly #parts: UrlParts;

  constructor(parts: UrlParts) {
    this.#parts = parts;
  }

  get scheme(): string {
    return this.#parts.scheme;
  }

  /** With the port; an IPv6 address in brackets. */
  get host(): string {
    return fromByteText(this.#parts.host);
  }

  /** Without port and brackets. */
  get hostname(): string {
    return fromByteText(splitPort(this.#parts.host).hostname);
  }

  get port(): string {
    return splitPort(this.#parts.host).port;
  }

  get escapedPath(): string {
    return fromByteText(escapedAs(this.#parts.rawPath, "path"));
  }

  /** Keys and values unescaped, in the order of first appearance; pairs that are wrong left out. */
  get query(): Map<string, string[]> {
    const values = new Map<string, string[]>();
    const pairs = this.#parts.rawQuery.split("&");
    if (pairs.length > MAX_QUERY_PAIRS) return values;
    for (const pair of pairs) {
      const decoded = decodePair(pair);
      if (decoded === undefined) continue;
      const known = values.get(decoded.key);
      if (known === undefined) values.set(decoded.key, [decoded.value]);
      else known.push(decoded.value);
    }
    return values;
  }

  /** Equal URLs print alike. */
  toString(): string {
    const { scheme, opaque, hasEmptyQuery, rawQuery, rawFragment } = this.#parts;
    let out = scheme === "" ? "" : `${scheme}:`;
    out += opaque === "" ? this.#printHierarchy(out === "") : opaque;
    if (hasEmptyQuery || rawQuery !== "") out += `?${rawQuery}`;
    if (rawFragment !== "") out += `#${escapedAs(rawFragment, "fragment")}`;
    return fromByteText(out);
  }

  #printHierarchy(isFirst: boolean): string {
    const { scheme, user, host, omitsHost } = this.#parts;
    const path = escapedAs(this.#parts.rawPath, "path");
    let out = "";
    if ((scheme !== "" || host !== "" || user !== undefined) && !omitsHost) {
      if (host !== "" || path !== "" || user !== undefined) out += "//";
      if (user !== undefined) out += `${printUser(user)}@`;
      out += percentEncode(host, "host");
    }
    if (path !== "" && !path.startsWith("/") && host !== "") out += "/";
    // A colon in the first segment would be read as the end of a scheme.
    if (isFirst && out === "" && /^[^/]*:/.test(path)) out += "./";
    return out + path;
  }
}

const MAX_QUERY_PAIRS = 10_000;

function decodePair(pair: string): { key: string; value: string } | undefined {
  if (pair === "" || pair.includes(";")) return undefined;
  const equals = pair.indexOf("=");
  const key = equals === -1 ? pair : pair.slice(0, equals);
  const value = equals === -1 ? "" : pair.slice(equals + 1);
  try {
    return {
      key: fromByteText(percentDecode(key, "query")),
      value: fromByteText(percentDecode(value, "query")),
    };
  } catch (error) {
    if (error instanceof UrlError) return undefined;
    throw error;
  }
}

/** As written where that is a valid way to write it. The part decodes: parsing saw to it. */
function escapedAs(raw: string, part: "fragment" | "path"): string {
  if (isValidEncoding(raw, part)) return raw;
  return percentEncode(percentDecode(raw, part), part);
}

function splitPort(host: string): { hostname: string; port: string } {
  const match = /^(.*):([0-9]*)$/s.exec(host);
  const hostname = match?.[1] ?? host;
  const bracketed = hostname.startsWith("[") && hostname.endsWith("]");
  return {
    hostname: bracketed ? hostname.slice(1, -1) : hostname,
    port: match?.[2] ?? "",
  };
}

function printUser(user: { name: string; password: string | undefined }): string {
  const name = percentEncode(user.name, "user");
  return user.password === undefined ? name : `${name}:${percentEncode(user.password, "user")}`;
}
