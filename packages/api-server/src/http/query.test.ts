import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Query } from "./query.ts";

test("what URLSearchParams writes is read back, in order and with every name", () => {
  const pair = fc.tuple(
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("__proto__", "constructor", "a b", "a+b&c=d;e"),
    ),
    fc.string({ unit: "grapheme" }),
  );
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const query = Query.parse(new URLSearchParams(pairs).toString());
      const again = Query.of(query.toRecord());
      for (const [name] of pairs) {
        const values = pairs.filter(([other]) => other === name).map(([, value]) => value);
        expect(query.all(name)).toEqual(values);
        expect(query.get(name)).toBe(values[0]);
        expect(again.all(name)).toEqual(values);
      }
    }),
  );
});

test("nothing that is not given is found", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    expect(Query.parse("a=1").has(name)).toBe(false);
    expect(Query.of({}).get(name)).toBe("");
    expect(Query.empty.all(name)).toEqual([]);
  }
});

test.for([
  ["a=%zz&b=1", { b: ["1"] }],
  ["a=%&b=1", { b: ["1"] }],
  ["a%2=1&b=1", { b: ["1"] }],
  ["a=1;b=2&c=3", { c: ["3"] }],
  ["a=%ff", { a: ["\ufffd"] }],
  ["a", { a: [""] }],
  ["&&a=1&", { a: ["1"] }],
  ["a==b", { a: ["=b"] }],
  ["a=%2B+%3B", { a: ["+ ;"] }],
] as const)("%s is read as Go reads it", ([text, expected]) => {
  expect(Query.parse(text).toRecord()).toEqual(expected);
});

test.for([
  ["5", 5],
  ["+5", 5],
  ["-5", -5],
  ["007", 7],
  ["9223372036854775807", Number(9223372036854775807n)],
] as const)("the integer %s", ([text, value]) => {
  expect(Query.of({ n: text }).integer("n")).toBe(value);
});

test.for([
  ["", "invalid syntax"],
  ["1.5", "invalid syntax"],
  ["1e3", "invalid syntax"],
  ["0x10", "invalid syntax"],
  [" 1", "invalid syntax"],
  ["9223372036854775808", "value out of range"],
  ["-9223372036854775809", "value out of range"],
] as const)('"%s" is no integer: %s', ([text, what]) => {
  expect(() => Query.of({ n: text }).integer("n")).toThrow(
    `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${what}`,
  );
});

test.for([
  ["1", true],
  ["true", true],
  ["anything", true],
  ["", true],
  ["0", false],
  ["false", false],
  ["FALSE", false],
] as const)('the flag "%s"', ([text, value]) => {
  expect(Query.of({ f: text }).flag("f")).toBe(value);
});

test("a flag and an integer that are not given are undefined", () => {
  expect(Query.empty.flag("f")).toBeUndefined();
  expect(Query.empty.integer("n")).toBeUndefined();
});
