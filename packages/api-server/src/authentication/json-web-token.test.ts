import { assert, dictionary, jsonValue, property, string, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { audiencesOf, parseToken, printToken, textOf } from "./json-web-token.ts";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

test("what is printed is read back, whatever the claims", () => {
  assert(
    property(dictionary(string(), jsonValue()), uint8Array(), (claims, signature) => {
      const written = JSON.parse(JSON.stringify(claims)) as Record<string, unknown>;
      const token = printToken({ alg: "ES256", kid: "k" }, written, () => signature);
      const read = parseToken(token)!;
      expect(read).toMatchObject({ algorithm: "ES256", keyId: "k" });
      expect(Object.entries(read.claims)).toEqual(Object.entries(written));
      expect([...read.signature]).toEqual([...signature]);
      expect(token.startsWith(`${read.signed}.`)).toBe(true);
    }),
  );
});

test("no text makes the reader throw", () => {
  assert(
    property(string(), string(), string(), (a, b, c) => {
      parseToken([a, b, c].join("."));
      parseToken([a, b, c].map((part) => Buffer.from(part).toString("base64url")).join("."));
    }),
  );
});

test.each([
  ["nothing", ""],
  ["two parts", `${encode({})}.${encode({})}`],
  ["four parts", `${encode({})}.${encode({})}.AA.AA`],
  ["padding", `${encode({})}=.${encode({})}.AA`],
  ["the other alphabet", `${encode({})}.${encode({})}.+/`],
  ["a header that is a list", `${encode([])}.${encode({})}.AA`],
  ["claims that are null", `${encode({})}.${encode(null)}.AA`],
  ["a header that has to be understood", `${encode({ crit: [] })}.${encode({})}.AA`],
])("%s is no token", (_, text) => {
  expect(parseToken(text)).toBeUndefined();
});

test("claims are only what they own, and of the type they should be", () => {
  const claims = JSON.parse('{"a":1,"aud":["x",2,"y"]}') as Record<string, unknown>;
  expect(textOf(claims, "a")).toBe("");
  expect(textOf(claims, "constructor")).toBe("");
  expect(audiencesOf(claims)).toEqual(["x", "y"]);
  expect(audiencesOf({ aud: "one" })).toEqual(["one"]);
  expect(audiencesOf({})).toEqual([]);
});
