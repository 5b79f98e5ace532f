import * as fc from "fast-check";
import { expect, test } from "vitest";
import { equalJson } from "../json/equal-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";

// The table of RFC 7386, appendix A.
test.each<[JsonValue, JsonValue, JsonValue]>([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j patched with %j is %j", (document, patch, result) => {
  expect(applyMergePatch(document, patch)).toEqual(result);
});

test("null members vanish from objects in a new list, but not where the list replaces an object", () => {
  const patch = { a: [{ x: null }, null] };
  expect(applyMergePatch({}, patch)).toEqual({ a: [{}, null] });
  expect(applyMergePatch({ a: [1] }, patch)).toEqual({ a: [{}, null] });
  expect(applyMergePatch({ a: {} }, patch)).toEqual(patch);
});

test("keys keep their place and new ones come last", () => {
  const result = applyMergePatch({ a: 1, b: 2, c: 3 }, { d: 4, b: 5, a: null });
  expect(Object.entries(result as JsonObject)).toEqual([
    ["b", 5],
    ["c", 3],
    ["d", 4],
  ]);
});

test("a patch that changes nothing returns the very same document", () => {
  const document = { a: { b: [1], c: "x" } };
  expect(applyMergePatch(document, { a: { c: "x", gone: null }, other: null })).toBe(document);
  expect(applyMergePatch(document, {})).toBe(document);
});

test("what the patch does not reach is shared with the document", () => {
  const document = { a: { b: {} }, c: { d: 1 } };
  const result = applyMergePatch(document, { c: { d: 2 } }) as JsonObject;
  expect(result["a"]).toBe(document.a);
});

test("__proto__, constructor and toString are keys like any other", () => {
  const document = json('{"__proto__":{"a":1},"constructor":"x"}');
  const result = applyMergePatch(document, json('{"__proto__":{"b":2},"toString":"y"}'));
  expect(JSON.stringify(result)).toBe(
    '{"__proto__":{"a":1,"b":2},"constructor":"x","toString":"y"}',
  );
  expect(JSON.stringify(applyMergePatch(document, json('{"__proto__":null}')))).toBe(
    '{"constructor":"x"}',
  );
  expect(JSON.stringify(createMergePatch(document, {}))).toBe(
    '{"__proto__":null,"constructor":null}',
  );
});

test("a patch nested too deeply is refused, however deep", () => {
  expect(() => applyMergePatch({}, nested(501))).toThrow(
    "the patch nests deeper than the limit of 500 levels",
  );
  expect(applyMergePatch({}, nested(500))).toEqual(nested(500));
  expect(() => applyMergePatch({}, nested(1_000_000))).toThrow(
    expect.objectContaining({ code: "patch-too-deep", httpStatus: 400 }),
  );
  expect(() => applyMergePatch({}, nested(4), { depth: 3 })).toThrow("limit of 3 levels");
  expect(() => applyMergePatch({}, {}, { depth: 10_000 })).toThrow(RangeError);
});

test("the deepest patch allowed does not exhaust the stack", () => {
  const document = nested(1000);
  expect(applyMergePatch(document, nested(1000), { depth: 1000 })).toBe(document);
});

test("a document deeper than any limit can be patched near its top", () => {
  const deep = nested(100_000);
  const result = applyMergePatch({ deep, labels: {} }, { labels: { a: "b" } }) as JsonObject;
  expect(result["deep"]).toBe(deep);
});

test("a created patch says only what changed", () => {
  const original = { a: 1, b: { c: [1], d: 2n }, e: "x", f: {} };
  const modified = { a: 1, b: { c: [1, 2], d: 2 }, f: { g: {} } };
  expect(createMergePatch(original, modified)).toEqual({ b: { c: [1, 2] }, e: null, f: { g: {} } });
  expect(createMergePatch(original, original)).toEqual({});
});

test("where original or modified is no object, the patch is the modified value", () => {
  expect(createMergePatch([1], [1, 2])).toEqual([1, 2]);
  expect(createMergePatch({ a: 1 }, "x")).toBe("x");
});

test("applying a created patch gives the modified document", () => {
  fc.assert(
    fc.property(frozen(value(false)), frozen(value(false)), (original, modified) => {
      const patch = createMergePatch(original, modified);
      expect(equalJson(applyMergePatch(original, patch), modified)).toBe(true);
    }),
  );
});

test("applying agrees with the RFC's pseudocode, and twice is once", () => {
  fc.assert(
    fc.property(frozen(value(true)), frozen(value(true)), (document, patch) => {
      const result = applyMergePatch(document, patch);
      expect(equalJson(result, rfcMergePatch(document, patch))).toBe(true);
      expect(equalJson(applyMergePatch(result, patch), result)).toBe(true);
    }),
  );
});

/** The pseudocode of RFC 7386, section 2. */
function rfcMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === "object" && target !== null && !Array.isArray(target);
  const members = new Map<string, JsonValue>(isObject ? Object.entries(target) : []);
  for (const [key, member] of Object.entries(patch)) {
    if (member === null) members.delete(key);
    else members.set(key, rfcMergePatch(members.get(key) ?? null, member));
  }
  return Object.fromEntries(members);
}

/** JSON values with few keys, so that patches hit; nulls only as members, never below a list. */
function value(nulls: boolean): fc.Arbitrary<JsonValue> {
  const key = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "");
  const scalar = fc.oneof(fc.boolean(), fc.integer(), fc.string(), fc.constant(2n ** 60n));
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(scalar, { maxLength: 3 }),
      fc
        .array(fc.tuple(key, nulls ? fc.option(tie("tree")) : tie("tree")), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));
  return tree;
}

function frozen(arbitrary: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return arbitrary.map(deepFreeze);
}

function deepFreeze(tree: JsonValue): JsonValue {
  if (typeof tree === "object" && tree !== null) {
    for (const member of Object.values(tree)) deepFreeze(member);
    Object.freeze(tree);
  }
  return tree;
}

function nested(levels: number): JsonObject {
  let result: JsonObject = {};
  for (let level = 1; level < levels; level++) result = { a: result };
  return result;
}

function json(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}
