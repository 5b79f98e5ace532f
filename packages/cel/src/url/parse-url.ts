import { NetworkParseError } from "../network/ip-address.ts";
import { parseIpAddress } from "../network/parse-ip-address.ts";
import { toByteText } from "../text/byte-text.ts";
import { goQuote, goQuoteBytes } from "../text/go-quote.ts";
import { ParsedUrl, type UrlParts } from "./parsed-url.ts";
import { checkEscapes, percentDecode } from "./percent-encoding.ts";
import { UrlError } from "./url-error.ts";

/**
 * A reference as documents hold it: relative ones and fragments are allowed. Throws
 * {@link UrlError}.
 */
export function parseUrl(text: string): ParsedUrl {
  const hash = text.indexOf("#");
  const address = hash === -1 ? text : text.slice(0, hash);
  const parts = named(address, () => readParts(toByteText(address), { forRequest: false }));
  if (hash === -1) return new ParsedUrl(parts);
  const rawFragment = toByteText(text.slice(hash + 1));
  named(text, () => checkEscapes(rawFragment));
  return new ParsedUrl({ ...parts, rawFragment });
}

/**
 * What may stand in the first line of an HTTP request: an absolute URL or an absolute path. A `#`
 * is a character like others here. Throws {@link UrlError}.
 */
export function parseRequestUri(text: string): ParsedUrl {
  return new ParsedUrl(named(text, () => readParts(toByteText(text), { forRequest: true })));
}

function named<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new UrlError(`parse ${goQuote(text)}: ${error.message}`);
  }
}

function readParts(url: string, options: { forRequest: boolean }): UrlParts {
  const { forRequest } = options;
  if (CONTROL.test(url)) throw new UrlError("net/url: invalid control character in URL");
  if (url === "" && forRequest) throw new UrlError("empty url");
  if (url === "*") return { ...NO_PARTS, rawPath: "*" };
  const { scheme, rest } = splitScheme(url);
  const { path, ...query } = splitQuery(rest);
  if (!path.startsWith("/")) {
    if (scheme !== "") return { ...NO_PARTS, ...query, scheme, opaque: path };
    if (forRequest) throw new UrlError("invalid URI for request");
    if (/^[^/]*:/.test(path)) {
      throw new UrlError("first path segment in URL cannot contain colon");
    }
  }
  const hasAuthority =
    path.startsWith("//") && (scheme !== "" || (!forRequest && !path.startsWith("///")));
  if (!hasAuthority) {
    checkEscapes(path);
    return { ...NO_PARTS, ...query, scheme, omitsHost: scheme !== "", rawPath: path };
  }
  const end = path.indexOf("/", 2);
  const authority = path.slice(2, end === -1 ? undefined : end);
  const rawPath = end === -1 ? "" : path.slice(end);
  const place = readAuthority(scheme, authority);
  checkEscapes(rawPath);
  return { ...NO_PARTS, ...query, ...place, scheme, rawPath };
}

const CONTROL = /[^ -~\x80-\xff]/;

const NO_PARTS: UrlParts = {
  scheme: "",
  opaque: "",
  user: undefined,
  host: "",
  omitsHost: false,
  rawPath: "",
  hasEmptyQuery: false,
  rawQuery: "",
  rawFragment: "",
};

function splitScheme(url: string): { scheme: string; rest: string } {
  if (url.startsWith(":")) throw new UrlError("missing protocol scheme");
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*(?=:)/.exec(url)?.[0];
  if (scheme === undefined) return { scheme: "", rest: url };
  return { scheme: scheme.toLowerCase(), rest: url.slice(scheme.length + 1) };
}

function splitQuery(rest: string): { path: string; hasEmptyQuery: boolean; rawQuery: string } {
  const mark = rest.indexOf("?");
  if (mark === -1) return { path: rest, hasEmptyQuery: false, rawQuery: "" };
  const rawQuery = rest.slice(mark + 1);
  return { path: rest.slice(0, mark), hasEmptyQuery: rawQuery === "", rawQuery };
}

function readAuthority(scheme: string, authority: string): Pick<UrlParts, "host" | "user"> {
  const at = authority.lastIndexOf("@");
  const host = readHost(scheme, authority.slice(at + 1));
  if (at === -1) return { host, user: undefined };
  const text = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) {
    throw new UrlError("net/url: invalid userinfo");
  }
  const colon = text.indexOf(":");
  if (colon === -1)
    return { host, user: { name: percentDecode(text, "user"), password: undefined } };
  const name = percentDecode(text.slice(0, colon), "user");
  return { host, user: { name, password: percentDecode(text.slice(colon + 1), "user") } };
}

function readHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf("[");
  if (bracket > 0) throw new UrlError("invalid IP-literal");
  if (bracket === 0) return readIpLiteral(host);
  const first = host.indexOf(":");
  if (first !== -1) {
    // Lists of hosts with ports are in use, though not in URLs of the web.
    const isWeb = scheme === "http" || scheme === "https";
    checkPort(host.slice(isWeb ? first : host.lastIndexOf(":")));
  }
  return percentDecode(host, "host");
}

/** `[fe80::1%25en0]:80`. */
function readIpLiteral(host: string): string {
  const close = host.lastIndexOf("]");
  if (close < 0) throw new UrlError("missing ']' in host");
  const colonPort = host.slice(close + 1);
  checkPort(colonPort);
  const literal = host.slice(1, close);
  const zone = literal.indexOf("%25");
  const name =
    zone === -1
      ? percentDecode(literal, "host")
      : percentDecode(literal.slice(0, zone), "host") + percentDecode(literal.slice(zone), "zone");
  checkIpv6(name);
  return `[${name}]${colonPort}`;
}

function checkIpv6(name: string): void {
  try {
    if (parseIpAddress(name, goQuoteBytes).family === 4) throw new UrlError("invalid IP-literal");
  } catch (error) {
    if (error instanceof NetworkParseError) throw new UrlError(`invalid host: ${error.message}`);
    throw error;
  }
}

function checkPort(colonPort: string): void {
  if (/^(?::[0-9]*)?$/.test(colonPort)) return;
  throw new UrlError(`invalid port ${goQuoteBytes(colonPort)} after host`);
}
