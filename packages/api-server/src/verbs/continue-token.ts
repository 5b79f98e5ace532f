import { ApiError, decodeJson, JsonError } from "@homeostat/object-model";

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
  const illegal = token.search(/[^A-Za-z0-9_-]/);
  if (illegal >= 0) throw notValid(`illegal base64 data at input byte ${illegal}`);
  let content: unknown;
  try {
    content = decodeJson(Buffer.from(token, "base64url"));
  } catch (error) {
    throw notValid(error instanceof JsonError ? error.reason : String(error));
  }
  const { v, rv, start } = (content ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== "meta.k8s.io/v1") {
    throw notValid(`server does not recognize this encoded version ${typeof v === "string" ? v : ""}`);
  }
  if (!Number.isSafeInteger(rv) || rv === 0) {
    throw notValid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (typeof start !== "string" || start === "") {
    throw notValid("encoded start key empty (version meta.k8s.io/v1)");
  }
  const key = start.endsWith("\u0000") ? start.slice(0, -1) : start;
  if (key.startsWith("/") || key.split("/").includes("..")) {
    throw notValid(start);
  }
  return { revision: rv as number, start: key };
}

function notValid(why: string): ApiError {
  return ApiError.badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
