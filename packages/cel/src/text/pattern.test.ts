import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { nativePattern } from "./native-pattern.ts";
import { compilePattern, PatternError } from "./pattern.ts";
import { finishNow } from "./work-steps.ts";

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

test.each([
  ["[^b]{2}$", "c😀"],
  ["[^b]{1,3}$", "😀😀é"],
  [".{2}$", "c😀"],
])("%s finds all of %s, whose last character has two units", (pattern, text) => {
  expect(compilePattern(pattern).find(text)).toBe(text);
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
      const found = first.find() ? first.group() : "";
      const compiled = compilePattern(pattern);
      expect(compiled.test(text)).toBe(exact.test(text));
      expect(compiled.find(text)).toBe(found);
      expect(compiled.findAll(text)).toEqual(allMatches(exact, text));
      expect(finishNow(compiled.testInSteps(text))).toBe(exact.test(text));
      expect(finishNow(compiled.findInSteps(text))).toBe(found);
      expect(finishNow(compiled.findAllInSteps(text))).toEqual(allMatches(exact, text));
    }),
    { numRuns: 500 },
  );
});

const assertion = fc.constantFrom("^", "$", "\\b", "\\B", "\\A", "\\z", "(?m:^)", "(?m:$)");
const folded = fc.constantFrom(
  "(?i:k)",
  "(?i:[a-b])",
  "(?s:.)",
  "\\pL",
  "[[:word:]]",
  "\\W",
  "[^\\n]",
);
const rarePart = fc.oneof(part, fc.tuple(fc.oneof(assertion, folded), quantifier));
const rareSource = fc
  .array(rarePart, { maxLength: 5 })
  .map((parts) => parts.map(([piece, times]) => piece + times).join(""));
const rareTexts = fc.string({
  unit: fc.constantFrom("a", "B", "k", "\u212a", "_", "\n", " ", "é", "😀", "\ud800"),
  maxLength: 12,
});

test("in steps, places, cases and classes are RE2's", () => {
  fc.assert(
    fc.property(rareSource, rareTexts, (pattern, text) => {
      fc.pre(isPattern(pattern));
      const exact = RE2JS.compile(pattern);
      const compiled = compilePattern(pattern);
      expect(finishNow(compiled.testInSteps(text))).toBe(exact.test(text));
      expect(finishNow(compiled.findAllInSteps(text))).toEqual(allMatches(exact, text));
    }),
    { numRuns: 500 },
  );
});

test("in steps, at most as many are found as asked for", () => {
  const pattern = compilePattern("[ab]");
  expect(finishNow(pattern.findAllInSteps("abc ab", 3))).toEqual(["a", "b", "a"]);
  expect(finishNow(pattern.findAllInSteps("abc ab", 0))).toEqual([]);
});

/** As in a text of random letters: hardly a set of places in the program occurs twice. */
function unpredictable(length: number): string {
  let state = 1;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    text += (state & 0x10000) === 0 ? "a" : "b";
  }
  return text;
}

test.each([
  { pattern: "[ab]*a[ab]{300}c$", end: "c", found: true },
  { pattern: "[ab]*a[ab]{300}c$", end: "cd", found: false },
  { pattern: "(?:a|b)+[ab]{200}d", end: "cd", found: false },
])(
  "$pattern is decided in many short steps at a text ending in $end",
  ({ pattern, end, found }) => {
    const text = `${unpredictable(20_000)}a${"b".repeat(300)}${end}`;
    const steps = compilePattern(pattern).testInSteps(text);
    let rests = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) rests++;
    expect(step.value).toBe(found);
    expect(rests).toBeGreaterThan(1);
  },
);

test("two searches in steps do not disturb each other", () => {
  const pattern = compilePattern("[ab]*a[ab]{300}c$");
  const text = unpredictable(10_000);
  const first = pattern.testInSteps(`${text}a${"b".repeat(300)}c`);
  const second = pattern.testInSteps(`${text}cd`);
  let one = first.next();
  let other = second.next();
  while (one.done !== true || other.done !== true) {
    if (one.done !== true) one = first.next();
    if (other.done !== true) other = second.next();
  }
  expect([one.value, other.value]).toEqual([true, false]);
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
