import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { nativePattern } from "./native-pattern.ts";
import { compilePattern, PatternError } from "./pattern.ts";

test("finds matches from left to right, not an empty one behind another", () => {
  expect(compilePattern("[0-9]*").findAll("123 a 45")).toEqual(["123", "", "", "45"]);
  expect(compilePattern("[0-9]*?").findAll("12")).toEqual(["", "", ""]);
  expect(compilePattern("").findAll("a😀b")).toEqual(["", "", "", ""]);
  expect(compilePattern("[0-9]+").findAll("1 2 3", 2)).toEqual(["1", "2"]);
  expect(compilePattern("[0-9]+").find("ab")).toBe("");
});

test("says what Go says of a wrong pattern", () => {
  expect(() => compilePattern("[")).toThrow(PatternError);
  expect(() => compilePattern("[")).toThrow("error parsing regexp: missing closing ]: `[`");
  expect(() => compilePattern("\\")).toThrow(
    "error parsing regexp: trailing backslash at end of expression: ``",
  );
});

test("gives the same pattern again while it is in use, and drops old ones", () => {
  const pattern = compilePattern("kept");
  expect(compilePattern("kept")).toBe(pattern);
  for (let index = 0; index < 1_000; index++) compilePattern(`other ${index}`);
  expect(compilePattern("kept")).not.toBe(pattern);
});

test("matches in linear time", () => {
  const text = `${"a".repeat(50_000)}!`;
  expect(compilePattern("(a+)+$").test(text)).toBe(false);
  expect(compilePattern("[a-z]+$").find(text)).toBe("");
});

test.each([
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
  "^v[0-9]+\\.[0-9]{1,3}$",
  "[0-9]+",
  "v[0-9.]*",
  "ab?c",
  "ab|[0-9]+",
])("%s is left to JavaScript's own engine", (source) => {
  expect(nativePattern(source)).toBeDefined();
});

test.each([
  "^(a+)+$",
  "a+$",
  "a+b",
  "^a*b*$",
  "^a**$",
  "^[]a]$",
  "[[:alpha:]]+",
  "(?i)a",
  "\\s+",
  "(a*|b)?",
])("%s is left to RE2", (source) => {
  expect(nativePattern(source)).toBeUndefined();
});

test("a long part behind a loop is not left to an engine that tries it everywhere", () => {
  expect(nativePattern("^[ab]*a[ab]{300}c$")).toBeUndefined();
  expect(nativePattern("^[ab]*a[ab]{3}c$")).toBeDefined();
});

const ATOMS = "a|b|-|.|[a-c]|[^b]|\\d|\\.|é|(ab)|(?:a-)|[a\\-]|😀|]|\\w|$|(a+)|(b?c*)".split("|");
const atom = fc.constantFrom("(a|b)", "(a*|b)", ...ATOMS);
const quantifier = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{1,3}", "{2,}", "??");
const part = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(atom, quantifier) },
  { weight: 1, arbitrary: fc.constant(["|", ""] as const) },
);
const source = fc
  .tuple(fc.constantFrom("", "^"), fc.array(part, { maxLength: 4 }))
  .map(([start, parts]) => start + parts.map(([piece, times]) => piece + times).join(""));
const texts = fc.string({
  unit: fc.constantFrom("a", "b", "c", "-", ".", "1", "é", "😀", "\n", "\u2028"),
  maxLength: 10,
});

test("whichever engine matches, the answers are RE2's", () => {
  fc.assert(
    fc.property(source, texts, (pattern, text) => {
      fc.pre(isPattern(pattern));
      const exact = RE2JS.compile(pattern);
      const first = exact.matcher(text);
      expect(compilePattern(pattern).test(text)).toBe(exact.test(text));
      expect(compilePattern(pattern).find(text)).toBe(first.find() ? first.group() : "");
      expect(compilePattern(pattern).findAll(text)).toEqual(allMatches(exact, text));
    }),
    { numRuns: 500 },
  );
});

function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}

function allMatches(pattern: RE2JS, text: string): string[] {
  const matcher = pattern.matcher(text);
  const found: string[] = [];
  let end = -1;
  while (matcher.find()) {
    if (matcher.group() !== "" || matcher.start() !== end) found.push(matcher.group() ?? "");
    end = matcher.end();
  }
  return found;
}
