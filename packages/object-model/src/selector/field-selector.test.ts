import * as fc from "fast-check";
import { expect, test } from "vitest";
import { escapeFieldValue, FieldSelector } from "./field-selector.ts";
import { SelectorError } from "./selector-error.ts";

const field = fc.constantFrom("metadata.name", "spec.nodeName", "constructor", "a");
const value = fc.oneof(fc.constantFrom("", "x", "a,b", "a=b", "\\", "!="), fc.string());
const requirement = fc.record({
  field,
  operator: fc.constantFrom("=" as const, "!=" as const),
  value,
});

test.each([
  ["", ""],
  [",,", ""],
  ["=", ""],
  ["metadata.name=x", "metadata.name=x"],
  ["metadata.name==x", "metadata.name=x"],
  ["metadata.name!=x", "metadata.name!=x"],
  ["b=1,a=2", "a=2,b=1"],
  ["a=", "a="],
  ["a=b!", "a=b!"],
  ["a= b ", "a= b "],
  ["a=\\,\\=\\\\", "a=\\,\\=\\\\"],
  ["a=1,a=2", "a=1,a=2"],
])("%j prints as %j", (text, printed) => {
  expect(FieldSelector.parse(text).toString()).toBe(printed);
});

test.each([
  ["a", "invalid selector: 'a'; can't understand 'a'"],
  ["a=1,b", "invalid selector: 'a=1,b'; can't understand 'b'"],
  ["a\\,b", "invalid selector: 'a\\,b'; can't understand 'a\\,b'"],
  ["a=b=c", "invalid field selector: unescaped character in value: 61"],
  ["a=\\x", "invalid field selector: invalid escape sequence: \\x"],
  ["a=\\", "invalid field selector: invalid escape sequence: \\"],
  ["a=\\\u{1f600}", "invalid field selector: invalid escape sequence: \\\u{1f600}"],
])("%j is refused in Kubernetes' words", (text, message) => {
  expect(() => FieldSelector.parse(text)).toThrow(
    new SelectorError("field-selector-malformed", message),
  );
});

test.each([
  ["a=x", { a: "x" }, true],
  ["a=x", { a: "y" }, false],
  ["a=x", {}, false],
  ["a!=x", {}, true],
  ["a=", {}, true],
  ["a!=", {}, false],
  ["constructor=", {}, true],
  ["a=x,b!=y", { a: "x", b: "z" }, true],
  ["a=x,b!=y", { a: "x", b: "y" }, false],
])("%j of %j is %j", (text, fields, expected) => {
  const selector = FieldSelector.parse(text);
  expect(selector.matches(fields)).toBe(expected);
  expect(selector.matches(new Map(Object.entries(fields)))).toBe(expected);
});

test("printing and parsing again selects the same", () => {
  const fields = fc.dictionary(field, value);
  fc.assert(
    fc.property(fc.array(requirement), fields, (requirements, values) => {
      const before = FieldSelector.fromRequirements(requirements);
      const after = FieldSelector.parse(before.toString());
      expect(after.matches(values)).toBe(before.matches(values));
      expect(new Set(after.requirements)).toEqual(new Set(before.requirements));
    }),
  );
});

test("any value can be asked for", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const selector = FieldSelector.parse(`a=${escapeFieldValue(text)}`);
      expect(selector.requiredValue("a")).toBe(text);
      expect(selector.matches({ a: text })).toBe(true);
    }),
  );
});

test("requirements are shown, for an index to use", () => {
  const selector = FieldSelector.parse("spec.nodeName=n1,a!=b");
  expect(selector.requirements).toEqual([
    { field: "a", operator: "!=", value: "b" },
    { field: "spec.nodeName", operator: "=", value: "n1" },
  ]);
  expect(selector.requiredValue("spec.nodeName")).toBe("n1");
  expect(selector.requiredValue("a")).toBeUndefined();
  expect(selector.isEmpty()).toBe(false);
  expect(FieldSelector.everything.isEmpty()).toBe(true);
});

test("requirements can be renamed, and dropped by renaming them to nothing", () => {
  const selector = FieldSelector.parse("old=1,gone=2");
  const changed = selector.transform((name, text) =>
    name === "gone" ? { field: "", value: "" } : { field: "new", value: text },
  );
  expect(changed.toString()).toBe("new=1");
});
