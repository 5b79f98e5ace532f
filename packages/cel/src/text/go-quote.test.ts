import { expect, test } from "vitest";
import { fromByteText, toByteText, utf8Length } from "./byte-text.ts";
import { goQuote, goQuoteBytes } from "./go-quote.ts";

test("quotes as Go does", () => {
  expect(goQuote('a"b\\c')).toBe('"a\\"b\\\\c"');
  expect(goQuote("\u0007\n\t\u0001\u007f")).toBe('"\\a\\n\\t\\x01\\x7f"');
  expect(goQuote("é 日 😀")).toBe('"é 日 😀"');
  expect(goQuote("\u00ad\u2028\u{e0001}")).toBe('"\\u00ad\\u2028\\U000e0001"');
});

test("shows bytes that are no text", () => {
  const bytes = toByteText("aé😀");
  expect(goQuoteBytes(bytes)).toBe('"aé😀"');
  expect(goQuoteBytes(bytes.slice(0, 2))).toBe('"a\\xc3"');
  expect(goQuoteBytes(`${bytes.slice(0, 5)}x`)).toBe('"aé\\xf0\\x9fx"');
  expect(goQuoteBytes("\xed\xa0\x80")).toBe('"\\xed\\xa0\\x80"');
});

test("a byte text has one character per byte and comes back", () => {
  expect(toByteText("aé😀")).toHaveLength(utf8Length("aé😀"));
  expect(fromByteText(toByteText("aé😀"))).toBe("aé😀");
  expect(fromByteText("a\xff")).toBe("a\uFFFD");
});
