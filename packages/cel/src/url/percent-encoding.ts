import { goQuoteBytes } from "../text/go-quote.ts";
import { UrlError } from "./url-error.ts";

/** Every part of a URL has its own set of bytes that may stand unescaped. */
export type UrlPart = "fragment" | "host" | "path" | "query" | "user" | "zone";

const HOST = "!$&'()*+,;=:[]<>\"";

/** Besides letters, digits and `-_.~`, which may stand everywhere. */
const UNESCAPED: Readonly<Record<UrlPart, string>> = {
  fragment: "$&+,/:;=?@!()*",
  host: HOST,
  path: "$&+,/:;=@",
  query: "",
  user: "$&+,;=",
  zone: HOST,
};

/** What percentDecode looks at; all else stays. */
const DECODED: Readonly<Record<UrlPart, RegExp>> = {
  fragment: /%.{0,2}/gs,
  host: /%.{0,2}|[\0-\x7f]/gs,
  path: /%.{0,2}/gs,
  query: /%.{0,2}|\+/gs,
  user: /%.{0,2}/gs,
  zone: /%.{0,2}|[\0-\x7f]/gs,
};

export function percentEncode(bytes: string, part: UrlPart): string {
  return bytes.replace(/[^A-Za-z0-9\-_.~]/g, (byte) => {
    if (!mustEscape(byte, part)) return byte;
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

/** Throws {@link UrlError}. A `+` is a space in a query, and only there. */
export function percentDecode(bytes: string, part: UrlPart): string {
  return bytes.replace(DECODED[part], (found) => {
    if (found.startsWith("%")) return readEscape(found, part);
    if (part === "query") return " ";
    if (mustEscape(found, part)) {
      throw new UrlError(`invalid character ${goQuoteBytes(found)} in host name`);
    }
    return found;
  });
}

/** What percentDecode checks, without decoding; of parts that hold any byte. */
export function checkEscapes(bytes: string): void {
  const wrong = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(bytes);
  if (wrong !== null) throw invalidEscape(wrong[0]);
}

/** Whether a part may be shown as it was written, rather than escaped anew. */
export function isValidEncoding(bytes: string, part: "fragment" | "path"): boolean {
  return (part === "path" ? VALID_PATH : VALID_FRAGMENT).test(bytes);
}

const VALID_PATH = /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/;
const VALID_FRAGMENT = /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%?]*$/;

function mustEscape(byte: string, part: UrlPart): boolean {
  return !/[A-Za-z0-9\-_.~]/.test(byte) && !UNESCAPED[part].includes(byte);
}

/** In a host only bytes beyond ASCII may be escaped; in a zone also what a host may hold. */
function readEscape(escape: string, part: UrlPart): string {
  if (!/^%[0-9A-Fa-f]{2}$/.test(escape)) throw invalidEscape(escape);
  const byte = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  if (escape === "%25") return byte;
  if (part === "host" && byte < "\x80") throw invalidEscape(escape);
  if (part === "zone" && byte !== " " && mustEscape(byte, "host")) throw invalidEscape(escape);
  return byte;
}

function invalidEscape(escape: string): UrlError {
  return new UrlError(`invalid URL escape ${goQuoteBytes(escape)}`);
}
