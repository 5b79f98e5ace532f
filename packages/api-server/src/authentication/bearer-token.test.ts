import { expect, test } from "vitest";
import { bearerOfHeader, bearerOfProtocols } from "./bearer-token.ts";

const protocol = (token: string): string =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString("base64url")}`;

test.each([
  ["Bearer abc", "abc"],
  ["  bEARER abc def ", "abc"],
  ["Basic abc", undefined],
  ["Bearer", undefined],
  ["", undefined],
  [undefined, undefined],
])("the token of %j is %j", (header, token) => {
  const warnings: string[] = [];
  expect(bearerOfHeader(header, warnings)).toBe(token);
  expect(warnings).toEqual([]);
});

test("a token behind two spaces is none, and that is told", () => {
  const warnings: string[] = [];
  expect(bearerOfHeader("Bearer  abc", warnings)).toBeUndefined();
  expect(warnings).toEqual([
    "the provided Authorization header contains extra space before the bearer token, and is ignored",
  ]);
});

test.each([
  ["one beside a protocol", `v5.channel.k8s.io, ${protocol("abc")}`, "abc"],
  ["none", "v5.channel.k8s.io", undefined],
  ["one alone", protocol("abc"), ""],
  ["two", `a, ${protocol("b")}, ${protocol("c")}`, ""],
  ["one that is no text", "a,base64url.bearer.authorization.k8s.io._w", ""],
  ["one that is no base64", "a,base64url.bearer.authorization.k8s.io.!", ""],
])("the token among protocols: %s", (_, header, token) => {
  expect(bearerOfProtocols(header)).toBe(token);
});
