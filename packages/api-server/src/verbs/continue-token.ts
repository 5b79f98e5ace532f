import { ApiError, decodeJson, JsonError, type JsonValue, ownKey } from "@homeostat/object-model";
import { jsonTypeOf } from "../codec/json-type-of.ts";

/** Where a list goes on: after `start` (a key without the list's prefix), as of `revision`. */
export interface ContinueToken {
  /** -1: as of now, although the pages before were read at another time. */
  readonly revision: number;
  readonly start: string;
}

/** As kube-apiserver writes them; clients must not look inside, and some do. */
export function printContinueToken({ revision, start }: ContinueToken): string {
  const text = JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start: `${start}\u0000` });
  return Buffer.from(text).toString("base64url");
}

export function parseContinueToken(token: string): ContinueToken {
  const { v = "", rv = 0, start = "" } = decode(token);
  if (v !== "meta.k8s.io/v1") {
    throw notValid(`server does not recognize this encoded version ${v}`);
  }
  if (!Number.isSafeInteger(rv) || rv === 0) {
    throw notValid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (start === "") {
    throw notValid("encoded start key empty (version meta.k8s.io/v1)");
  }
  const key = withoutEnd(start.replace(/^\//, ""));
  if (key.startsWith("/") || key.split("/").includes("..")) {
    throw notValid(start);
  }
  return { revision: rv, start: key };
}

interface EncodedToken {
  readonly v?: string;
  readonly rv?: number;
  readonly start?: string;
}

/** What the token holds, with Go's words for what it should not. */
function decode(token: string): EncodedToken {
  const illegal = token.search(/[^A-Za-z0-9_-]/);
  if (illegal >= 0) throw notValid(`illegal base64 data at input byte ${illegal}`);
  if (token.length % 4 === 1)
    throw notValid(`illegal base64 data at input byte ${token.length - 1}`);
  const bytes = Buffer.from(token, "base64url");
  const first = bytes[0] ?? 0;
  if (first >= 0x80) {
    const isPrintable = first > 0xa0 && first !== 0xad;
    const shown = isPrintable ? String.fromCharCode(first) : `\\u00${first.toString(16)}`;
    throw notValid(`invalid character '${shown}' looking for beginning of value`);
  }
  let content: JsonValue;
  try {
    content = decodeJson(bytes);
  } catch (error) {
    throw notValid(error instanceof JsonError ? error.reason : String(error));
  }
  if (content === null) return {};
  if (typeof content !== "object" || Array.isArray(content)) {
    throw notValid(
      `json: cannot unmarshal ${jsonTypeOf(content)} into Go value of type storage.continueToken`,
    );
  }
  for (const [field, type] of Object.entries({ v: "string", rv: "number", start: "string" })) {
    const value = ownKey(content, field);
    if (value === undefined || value === null || typeof value === type) continue;
    const goType = type === "number" ? "int64" : type;
    throw notValid(
      `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field continueToken.${field} of type ${goType}`,
    );
  }
  return content;
}

function notValid(why: string): ApiError {
  return ApiError.badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

/** Tokens name the key after which to go on as the first key that could follow it. */
function withoutEnd(key: string): string {
  return key.endsWith("\u0000") ? key.slice(0, -1) : key;
}
