import { ApiError } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseContinueToken, printContinueToken } from "./continue-token.ts";

const part = fc
  .string({ unit: "grapheme", minLength: 1 })
  .filter((text) => text !== ".." && !text.includes("/") && !text.endsWith("\u0000"));
const start = fc.tuple(part, part).map((parts) => parts.join("/"));

test("a token says where to go on", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), start, (revision, key) => {
      const token = { revision, start: key };
      expect(parseContinueToken(printContinueToken(token))).toEqual(token);
    }),
  );
});

test("any text is a token or refused with a message that names the problem", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
      let refused: unknown = ApiError.badRequest("continue key is not valid: ");
      try {
        parseContinueToken(text);
      } catch (error) {
        refused = error;
      }
      expect(ApiError.is(refused, "BadRequest")).toBe(true);
      expect(String(refused)).toContain("continue key is not valid: ");
    }),
  );
});

function encode(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

test.for([
  [
    "another version",
    { v: "v2", rv: 1, start: "a" },
    "server does not recognize this encoded version v2",
  ],
  [
    "no revision",
    { v: "meta.k8s.io/v1", start: "a" },
    "incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
  ],
  [
    "revision 0",
    { v: "meta.k8s.io/v1", rv: 0, start: "a" },
    "incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
  ],
  [
    "half a revision",
    { v: "meta.k8s.io/v1", rv: 1.5, start: "a" },
    "incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
  ],
  ["no key", { v: "meta.k8s.io/v1", rv: 1 }, "encoded start key empty (version meta.k8s.io/v1)"],
  ["steps out of the list", { v: "meta.k8s.io/v1", rv: 1, start: "../secrets/a" }, "../secrets/a"],
  ["steps out later", { v: "meta.k8s.io/v1", rv: 1, start: "a/../../b" }, "a/../../b"],
  ["nothing at all", null, "server does not recognize this encoded version "],
] as const)("a token with %s is refused", ([, content, why]) => {
  expect(() => parseContinueToken(encode(content))).toThrow(
    `invalid continue token: continue key is not valid: ${why}`,
  );
});

test("a token that is no base64 is refused at its first wrong character", () => {
  expect(() => parseContinueToken("ab*c")).toThrow("illegal base64 data at input byte 2");
});
