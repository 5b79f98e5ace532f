import type { JsonValue } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { equalSets, fieldSetOfPaths, pathsOf } from "./field-set.ts";
import { FieldsV1Error, printFieldsV1, readFieldsV1 } from "./fields-v1.ts";
import { compareElements, fieldElement, keyElement, valueElement } from "./path-element.ts";

const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
);
const element: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme" }).map(fieldElement),
  scalar.map(valueElement),
  fc
    .array(fc.tuple(fc.constantFrom("name", "port", "<&>"), scalar), { minLength: 1, maxLength: 3 })
    .map((fields) => keyElement([...new Map(fields)].sort(([a], [b]) => (a < b ? -1 : 1)))),
  fc.nat().map((index) => `i:${index}`),
);
const set = fc
  .array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 10 })
  .map((paths) => fieldSetOfPaths(...paths));

test("a printed set reads as itself, and prints the same again", () => {
  fc.assert(
    fc.property(set, (given) => {
      const text = JSON.stringify(printFieldsV1(given));
      const read = readFieldsV1(JSON.parse(text));
      expect(equalSets(read, given)).toBe(true);
      expect(JSON.stringify(printFieldsV1(read))).toBe(text);
    }),
  );
});

test("path elements have one order", () => {
  fc.assert(
    fc.property(element, element, element, (a, b, c) => {
      expect(Math.sign(compareElements(a, b)) + Math.sign(compareElements(b, a))).toBe(0);
      const [first, second, third] = [a, b, c].sort(compareElements) as [string, string, string];
      expect(compareElements(first, second)).toBeLessThanOrEqual(0);
      expect(compareElements(second, third)).toBeLessThanOrEqual(0);
      expect(compareElements(first, third)).toBeLessThanOrEqual(0);
    }),
  );
});

test("fields stand before keys, keys before values, and numbers go by size", () => {
  const given = fieldSetOfPaths(
    [valueElement("b")],
    [
      keyElement([
        ["containerPort", 8080],
        ["protocol", "TCP"],
      ]),
    ],
    [
      keyElement([
        ["containerPort", 80],
        ["protocol", "TCP"],
      ]),
    ],
    [
      keyElement([
        ["containerPort", 9],
        ["protocol", "TCP"],
      ]),
    ],
    [valueElement(10)],
    [valueElement(9)],
    [fieldElement("z")],
  );
  expect(Object.keys(printFieldsV1(given))).toEqual([
    "f:z",
    'k:{"containerPort":9,"protocol":"TCP"}',
    'k:{"containerPort":80,"protocol":"TCP"}',
    'k:{"containerPort":8080,"protocol":"TCP"}',
    "v:9",
    "v:10",
    'v:"b"',
  ]);
});

test("what others write is read in any spelling", () => {
  const read = readFieldsV1({
    ".": {},
    'k:{ "b": 1, "a": "x" }': { ".": {} },
    'k:{"a":"x","b":1.0}': { "f:inner": {} },
    "v: 5": null,
    "x:later": {},
    "f:a": { ".": {}, "f:b": {} },
  });
  expect(printFieldsV1(read)).toEqual({
    "f:a": { ".": {}, "f:b": {} },
    'k:{"a":"x","b":1}': { ".": {}, "f:inner": {} },
    "v:5": {},
  });
  expect([...pathsOf(read)]).toContainEqual(["f:a"]);
});

test("what html would mistake is escaped inside an element, not in a field's name", () => {
  expect(valueElement("a<b>&")).toBe('v:"a\\u003cb\\u003e\\u0026"');
  expect(fieldElement("a<b")).toBe("f:a<b");
});

test.each([
  [{ x: {} }, "parsing key as path element: key must be 2 characters long:"],
  [{ abc: {} }, "parsing key as path element: missing colon: abc"],
  [{ "k:[]": {} }, "parsing key as path element: expected an object, got []"],
  [{ "f:a": 1 }, "expected an object, got 1"],
  [{ "i:x": {} }, 'parsing key as path element: strconv.Atoi: parsing "x": invalid syntax'],
])("%j is no set of fields", (given, message) => {
  expect(() => readFieldsV1(given as never)).toThrow(FieldsV1Error);
  expect(() => readFieldsV1(given as never)).toThrow(message);
});
