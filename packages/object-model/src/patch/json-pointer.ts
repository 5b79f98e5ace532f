/**
 * JSON Pointers (RFC 6901) as kube-apiserver reads them: what stands before the first slash is
 * ignored, a `~` that escapes nothing is kept, and list indexes are Go integers, so `+1` and `01`
 * are indexes and negative ones count from the end.
 */
import { goQuote } from "../json/go-quote.ts";

/** The pointer's reference tokens, unescaped; undefined for a pointer without a slash. */
export function pointerTokens(pointer: string): string[] | undefined {
  const tokens = pointer.split("/");
  if (tokens.length < 2) return undefined;
  tokens.shift();
  return pointer.includes("~") ? tokens.map(unescapeToken) : tokens;
}

function unescapeToken(token: string): string {
  return token.replaceAll(/~[01]/g, (escape) => (escape === "~1" ? "/" : "~"));
}

/** The index a token means in a list of `length` elements, or, as a string, why it means none. */
export function listIndex(token: string, length: number): number | string {
  if (!/^[+-]?[0-9]+$/.test(token)) {
    return `strconv.Atoi: parsing ${goQuote(token)}: invalid syntax`;
  }
  const index = Number(token);
  if (Math.abs(index) > Number.MAX_SAFE_INTEGER) return hugeIndex(token);
  if (index >= length || index < -length) return noSuchIndex(index);
  return index < 0 ? index + length : Math.abs(index);
}

/** Too large for any list; Go still tells apart what an int64 holds. */
function hugeIndex(token: string): string {
  const digits = token.replace(/^[+-]?0*/, "");
  const exact =
    digits.length > 19 ? undefined : BigInt(token.startsWith("-") ? `-${digits}` : digits);
  if (exact !== undefined && BigInt.asIntN(64, exact) === exact) return noSuchIndex(exact);
  return `strconv.Atoi: parsing ${goQuote(token)}: value out of range`;
}

function noSuchIndex(index: number | bigint): string {
  return `Unable to access invalid index: ${index}: invalid index referenced`;
}
