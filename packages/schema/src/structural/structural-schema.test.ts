import { expect, test } from "vitest";
import { checkStructural } from "./check-structural.ts";
import { resolveFieldPath } from "./resolve-field-path.ts";
import { someSchema, unreadable } from "./schema-source.ts";
import { parseStructuralSchema } from "./structural-schema.ts";

test("children are made once, and only when asked for", () => {
  const schema = parseStructuralSchema({ type: "object", properties: { a: { type: "string" } } });
  expect(schema.properties.get("a")).toBe(schema.properties.get("a"));
  expect(schema.items).toBeUndefined();
});

test("a version without a schema knows no fields", () => {
  const schema = parseStructuralSchema(undefined);
  expect([...schema.properties]).toEqual([]);
  expect(schema.additionalProperties).toBeUndefined();
});

test.for([
  [".a.b", { path: "a.b", firstName: "a" }],
  [".a['b']", { path: "a.b", firstName: "a" }],
  ["['a'].b", { path: "a.b", firstName: "a" }],
  [".m.any", { path: "m[any]", firstName: "m" }],
  [".m['x.y']", { path: "m[x.y]", firstName: "m" }],
  [".m['it\\'s']", { path: "m[it's]", firstName: "m" }],
  ["", { path: "", firstName: "" }],
] as const)("the path %s is followed", ([text, expected]) => {
  const schema = parseStructuralSchema({
    type: "object",
    properties: {
      a: { type: "object", properties: { b: { type: "string" } } },
      m: { type: "object", additionalProperties: { type: "string" } },
    },
  });
  expect(resolveFieldPath(text, schema)).toMatchObject({ ok: true, ...expected });
});

test.for([
  ["a", "expected [ or . but got: a"],
  [".", "unexpected end of JSON path"],
  [".a.x", "does not refer to a valid field"],
  [".a.b.c", "does not refer to a valid field"],
  ["[a]", "expected single quoted string but got a"],
  ["['a'", "unexpected end of JSON path"],
  ["['a'.", "expected ] but got ."],
  ["['\\q']", "invalid string literal: invalid escape char \\q"],
] as const)("the path %s leads nowhere", ([text, problem]) => {
  const schema = parseStructuralSchema({
    type: "object",
    properties: { a: { type: "object", properties: { b: { type: "string" } } } },
  });
  expect(resolveFieldPath(text, schema)).toEqual({ ok: false, problem });
});

test("errors of structure are sorted by their text", () => {
  const errors = checkStructural({
    properties: { z: {}, a: { type: "array" }, m: { pattern: "(" } },
  });
  expect(errors.map(String)).toEqual(errors.map(String).toSorted());
  expect(errors).toHaveLength(5);
});

test("every place where a schema may stand is looked at", () => {
  const marked = { title: "here" };
  const places = [
    { items: marked },
    { items: [marked] },
    { not: marked },
    { allOf: [{}, marked] },
    { anyOf: [marked] },
    { oneOf: [marked] },
    { properties: { a: marked } },
    { additionalProperties: marked },
    { patternProperties: { a: marked } },
    { definitions: { a: marked } },
    { dependencies: { a: marked } },
    { additionalItems: marked },
  ];
  for (const place of places) {
    expect(someSchema({ properties: { x: place } }, ({ title }) => title === "here")).toBe(true);
  }
  expect(
    someSchema(
      { dependencies: { a: ["b"] }, additionalProperties: true },
      ({ title }) => title === "here",
    ),
  ).toBe(false);
});

test("what cannot be read as a structural schema is named", () => {
  expect(unreadable({ properties: { a: { $schema: "x" } } })).toBe(
    "OpenAPIV3Schema 'schema' is not supported",
  );
  expect(unreadable({ properties: { a: { type: "string" } } })).toBeUndefined();
});
