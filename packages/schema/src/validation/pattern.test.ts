import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { nativePattern } from "./native-pattern.ts";
import { Pattern } from "./pattern.ts";

const ORDINARY = [
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
  "^(TCP|UDP|SCTP)$",
  "^v[0-9]+\\.[0-9]{1,3}$",
  "^.{3,10}$",
  "^\\d+%?$",
  "^[^/]*$",
  "^é€😀?$",
];

test.for(ORDINARY)("%s is left to JavaScript's own engine", (source) => {
  expect(nativePattern(source)).toBeDefined();
});

test.for([
  "^(a+)+$",
  "a+$",
  "^a*b*$",
  "^([a-z]+\\.)*x$",
  "^a**$",
  "^[]a]$",
  "^[[:alpha:]]+$",
  "^a{2000}$",
  "(?i)^a",
  "^\\s+$",
  "^a|b",
  "^(a|b|c|d|e|f|g|h|i)*$",
])("%s is left to RE2", (source) => {
  expect(nativePattern(source)).toBeUndefined();
});

const part = fc.constantFrom(
  "a",
  "b",
  "-",
  ".",
  "[a-c]",
  "[^b]",
  "\\d",
  "\\.",
  "é",
  "(a|b)",
  "(ab)",
  "(?:a-)",
  "[a\\-]",
  "😀",
  "(",
  "]",
  "{",
  "\\w",
  "$",
);
const quantifier = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{1,3}", "{2,}", "??", "{,2}");
const patterns = fc
  .array(fc.tuple(part, quantifier), { maxLength: 5 })
  .map((parts) => `^${parts.map(([atom, times]) => atom + times).join("")}`);
const texts = fc.string({
  unit: fc.constantFrom("a", "b", "c", "-", ".", "1", "é", "😀", "\n", "\u2028"),
  maxLength: 8,
});

test("whichever engine matches, the answer is RE2's", () => {
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 8 }), (source, examples) => {
      const pattern = new Pattern(source);
      const exact = compiled(source);
      const problem = exact === undefined ? /^error parsing regexp: .*`$/s : /^none$/;
      expect(pattern.problem ?? "none").toMatch(problem);
      expect(examples.map((text) => pattern.matches(text))).toEqual(
        examples.map((text) => exact?.test(text) ?? false),
      );
    }),
    { numRuns: 500 },
  );
});

function compiled(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}
