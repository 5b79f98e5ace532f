import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseRequestUri, parseUrl } from "./parse-url.ts";
import { UrlError } from "./url-error.ts";

const PIECES =
  "http: // / host [::1] :80 ? a=b & # %41 %c3%a9 %ff %zz é u:p@ * ; + .. \u0001".split(" ");
const piece = fc.constantFrom(" ", ...PIECES);
const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));

function outcome(parse: () => unknown): string {
  try {
    parse();
    return "accepted";
  } catch (error) {
    if (error instanceof UrlError) return error.message;
    throw error;
  }
}

test("any text is a URL or refused with a message that names it", () => {
  fc.assert(
    fc.property(text, (input) => {
      expect(outcome(() => parseUrl(input))).toMatch(/^(?:accepted$|parse ")/);
      expect(outcome(() => parseRequestUri(input))).toMatch(/^(?:accepted$|parse ")/);
    }),
  );
});

test("what an absolute URL prints is a URL that prints the same", () => {
  fc.assert(
    fc.property(text, (rest) => {
      const input = `https://example.com/${rest}`;
      fc.pre(outcome(() => parseUrl(input)) === "accepted");
      const printed = parseUrl(input).toString();
      expect(parseUrl(printed).toString()).toBe(printed);
    }),
  );
});

test("takes a URL apart", () => {
  const url = parseUrl("HTTPS://user:p%40ss@[fe80::1%25en0]:8080/a%20b/%2F?x=1&x=2+3#frag");
  expect(url.scheme).toBe("https");
  expect(url.host).toBe("[fe80::1%en0]:8080");
  expect(url.hostname).toBe("fe80::1%en0");
  expect(url.port).toBe("8080");
  expect(url.escapedPath).toBe("/a%20b/%2F");
  expect([...url.query]).toEqual([["x", ["1", "2 3"]]]);
  expect(url.toString()).toBe("https://user:p%40ss@[fe80::1%25en0]:8080/a%20b/%2F?x=1&x=2+3#frag");
});

test("keys of a query are data, whatever their names", () => {
  const { query } = parseUrl("/p?__proto__=1&constructor=2&__proto__=3");
  expect(query.get("__proto__")).toEqual(["1", "3"]);
  expect(query.get("constructor")).toEqual(["2"]);
});

test("a request's address is absolute", () => {
  expect(() => parseRequestUri("../p")).toThrow('parse "../p": invalid URI for request');
  expect(() => parseRequestUri("")).toThrow('parse "": empty url');
  expect(parseRequestUri("/p#f").escapedPath).toBe("/p%23f");
  expect(parseUrl("../p").escapedPath).toBe("../p");
});
