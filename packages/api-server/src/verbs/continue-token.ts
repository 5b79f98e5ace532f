import { ApiError } from "@homeostat/object-model";

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
  const bytes = Buffer.from(token, "base64url");
  if (bytes.toString("base64url") !== token.replace(/=+$/, "")) {
    throw ApiError.badRequest("continue key is not valid: illegal base64 data at input byte 0");
  }
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString());
  } catch (error) {
    throw ApiError.badRequest(`continue key is not valid: ${(error as Error).message}`);
  }
  const { v, rv, start } = (content ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== "meta.k8s.io/v1") {
    throw ApiError.badRequest(
      `continue key is not valid: server does not recognize this encoded version ${JSON.stringify(v ?? "")}`,
    );
  }
  if (!Number.isSafeInteger(rv) || rv === 0) {
    throw ApiError.badRequest(
      "continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
    );
  }
  if (typeof start !== "string" || start === "") {
    throw ApiError.badRequest(
      "continue key is not valid: encoded start key empty (version meta.k8s.io/v1)",
    );
  }
  const key = start.endsWith("\u0000") ? start.slice(0, -1) : start;
  if (key.startsWith("/") || key.split("/").includes("..")) {
    throw ApiError.badRequest(`continue key is not valid: ${start}`);
  }
  return { revision: rv as number, start: key };
}
