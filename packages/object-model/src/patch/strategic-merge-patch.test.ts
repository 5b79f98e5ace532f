import * as fc from "fast-check";
import { expect, test } from "vitest";
import { equalJson } from "../json/equal-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { patchSchemaOf } from "../resource-table/patch-schema-of.ts";
import type { PatchField, PatchSchema } from "./patch-schema.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const scalar: PatchSchema = { kind: "scalar", name: "string", field: () => undefined };
const map: PatchSchema = { kind: "map", name: "map", field: () => undefined };
const part: PatchSchema = { kind: "struct", name: "Part", field: (name) => fields.get(name) };

const fields = new Map<string, PatchField>([
  ["name", { list: false, schema: scalar, strategies: [] }],
  ["text", { list: false, schema: scalar, strategies: [] }],
  ["labels", { list: false, schema: map, strategies: [] }],
  ["inner", { list: false, schema: part, strategies: [] }],
  ["whole", { list: false, schema: part, strategies: ["replace"] }],
  ["either", { list: false, schema: part, strategies: ["retainKeys"] }],
  ["parts", { list: true, schema: part, mergeKey: "name", strategies: ["merge"] }],
  ["choices", { list: true, schema: part, mergeKey: "name", strategies: ["merge", "retainKeys"] }],
  ["tags", { list: true, schema: scalar, strategies: ["merge"] }],
  ["atoms", { list: true, schema: part, strategies: [] }],
  ["keyed", { list: true, schema: part, mergeKey: "name", strategies: [] }],
  ["keyless", { list: true, schema: part, strategies: ["merge"] }],
  ["odd", { list: false, schema: part, strategies: ["merge", "replace"] }],
]);

type Case = [what: string, document: JsonObject, patch: JsonValue, result: JsonObject];

function apply(document: JsonValue, patch: JsonValue, limits = {}): JsonObject {
  return applyStrategicMergePatch(deepFreeze(document), deepFreeze(patch), {
    schema: part,
    limits,
  });
}

/** A list of items that have only their merge key. */
function named(names: string): JsonObject[] {
  return names === "" ? [] : names.split(" ").map((name) => ({ name }));
}

test.each<Case>([
  [
    "members are merged, null deletes",
    { name: "a", text: "t", inner: { text: "x" } },
    { text: null, inner: { name: "b" } },
    { name: "a", inner: { name: "b", text: "x" } },
  ],
  [
    "null for an absent member is ignored",
    { name: "a" },
    { text: null, inner: { text: null } },
    { name: "a", inner: {} },
  ],
  [
    "nulls inside what is added vanish, in lists too",
    {},
    { atoms: [{ text: null, name: "a" }, null] },
    { atoms: [{ name: "a" }, null] },
  ],
  [
    "a value of another type replaces",
    { text: "t", labels: { a: "b" } },
    { text: { x: null, y: 1 }, labels: [1] },
    { text: { y: 1 }, labels: [1] },
  ],
  [
    "null in the document is replaced",
    { inner: null, parts: null },
    { inner: { name: "a" }, parts: [{ name: "b" }] },
    { inner: { name: "a" }, parts: [{ name: "b" }] },
  ],
  [
    "a list without strategy is replaced",
    { atoms: [{ name: "a" }] },
    { atoms: [{ name: "b", text: null }] },
    { atoms: [{ name: "b", text: null }] },
  ],
  [
    "a merge key alone does not make a list merge",
    { keyed: named("a b") },
    { keyed: named("c") },
    { keyed: named("c") },
  ],
  [
    "an object with strategy replace is replaced",
    { whole: { name: "a", text: "t" } },
    { whole: { name: "b" } },
    { whole: { name: "b" } },
  ],
  ["a patch of null changes nothing", { name: "a" }, null, { name: "a" }],
])("%s", (...[, document, patch, result]) => {
  expect(apply(document, patch)).toEqual(result);
});

test.each<Case>([
  [
    "$patch replace on the root makes the patch the document",
    { name: "a", text: "t" },
    { $patch: "replace", text: "u" },
    { text: "u" },
  ],
  [
    "$patch replace on an object keeps nothing of it",
    { inner: { name: "a", text: "t" } },
    { inner: { $patch: "replace", text: null } },
    { inner: { text: null } },
  ],
  [
    "$patch delete on an object empties it",
    { inner: { name: "a" } },
    { inner: { $patch: "delete", text: "x" } },
    { inner: {} },
  ],
  [
    "an object with $patch is not added where there is none",
    { name: "a" },
    { inner: { $patch: "replace", name: "b" } },
    { name: "a" },
  ],
  ["nor in place of a value of another type", { text: "t" }, { text: { $patch: "delete" } }, {}],
  [
    "nor inside what is added",
    {},
    {
      inner: {
        text: "x",
        inner: { $patch: "delete" },
        parts: [{ $patch: "replace" }, { name: "a" }],
      },
    },
    { inner: { text: "x", parts: named("a") } },
  ],
  [
    "$patch null is no directive in what is added",
    {},
    { inner: { $patch: null, text: "t" } },
    { inner: { text: "t" } },
  ],
  [
    "$patch delete deletes every item with the merge key",
    { parts: [...named("a b a"), { name: "a", text: "t" }] },
    { parts: [{ $patch: "delete", name: "a" }] },
    { parts: named("b") },
  ],
  [
    "$patch delete of an item that is not there is ignored",
    { parts: named("a") },
    { parts: [{ $patch: "delete", name: "x" }] },
    { parts: named("a") },
  ],
  [
    "$patch replace in a list makes the other items the list",
    { parts: named("a b") },
    { parts: [...named("c"), { $patch: "replace" }, ...named("d")] },
    { parts: named("c d") },
  ],
  [
    "$patch replace alone empties a list",
    { parts: named("a b") },
    { parts: [{ $patch: "replace" }] },
    { parts: [] },
  ],
  [
    "$patch replace and delete together: delete has nothing to do",
    { parts: named("a b") },
    { parts: [{ $patch: "delete", name: "a" }, { $patch: "replace" }, ...named("a")] },
    { parts: named("a") },
  ],
  [
    "a list with directives is cleaned where there was none",
    {},
    { parts: [{ $patch: "delete", name: "a" }, ...named("b")] },
    { parts: named("b") },
  ],
])("%s", (...[, document, patch, result]) => {
  expect(apply(document, patch)).toEqual(result);
});

test.each<Case>([
  [
    "items are merged by key",
    { parts: [{ name: "a", text: "t" }, { name: "b" }] },
    { parts: [{ name: "a", inner: {} }] },
    { parts: [{ name: "a", text: "t", inner: {} }, { name: "b" }] },
  ],
  [
    "lists in items are merged too",
    { parts: [{ name: "a", parts: named("x y") }] },
    { parts: [{ name: "a", parts: [{ name: "y", text: "t" }] }] },
    { parts: [{ name: "a", parts: [{ name: "x" }, { name: "y", text: "t" }] }] },
  ],
  [
    "an item is merged into the first that has its key",
    { parts: [{ name: "a" }, { name: "a" }] },
    { parts: [{ name: "a", text: "t" }] },
    { parts: [{ name: "a", text: "t" }, { name: "a" }] },
  ],
  [
    "items of the patch with the same key are merged in turn",
    { parts: named("b") },
    {
      parts: [
        { name: "a", text: "t" },
        { name: "a", inner: {} },
      ],
    },
    { parts: [{ name: "a", text: "t", inner: {} }, { name: "b" }] },
  ],
  [
    "new items are taken as they are, nulls and directives included",
    { parts: named("b") },
    { parts: [{ name: "a", text: null, $retainKeys: ["x"] }] },
    { parts: [{ name: "a", text: null, $retainKeys: ["x"] }, { name: "b" }] },
  ],
  [
    "numbers are merge keys too",
    { parts: [{ name: 1, text: "t" }] },
    { parts: [{ name: 1, inner: {} }] },
    { parts: [{ name: 1, text: "t", inner: {} }] },
  ],
  ["merging two empty lists gives one", { parts: [] }, { parts: [] }, { parts: [] }],
  [
    "new items come before those the server has",
    { parts: named("a b") },
    { parts: named("x y") },
    { parts: named("x y a b") },
  ],
  [
    "items of both take the patch's order",
    { parts: named("a b c d") },
    { parts: named("d b") },
    { parts: named("a c d b") },
  ],
  [
    "the server's own items stay before what they stood before",
    { parts: named("a b c d") },
    { parts: named("d x b") },
    { parts: named("a c d x b") },
  ],
  [
    "the server's own items that stood behind go behind",
    { parts: named("a b c") },
    { parts: named("a") },
    { parts: named("a b c") },
  ],
  [
    "scalars are merged as a set, by the same order",
    { tags: ["a", "b", "c"] },
    { tags: ["c", "x", "c", "a"] },
    { tags: ["b", "c", "x", "a"] },
  ],
  [
    "doubled scalars of the server are merged away",
    { tags: ["a", "a", "b"] },
    { tags: ["b"] },
    { tags: ["a", "b"] },
  ],
])("%s", (...[, document, patch, result]) => {
  expect(apply(document, patch)).toEqual(result);
});

test.each<Case>([
  [
    "$setElementOrder reorders what the server has",
    { parts: named("a b c") },
    order("parts", named("c a b")),
    { parts: named("c a b") },
  ],
  [
    "items it does not name keep their places among the others",
    { parts: named("a x b y c") },
    order("parts", named("c b a")),
    { parts: named("x y c b a") },
  ],
  [
    "items it names and nobody has are ignored",
    { parts: named("a") },
    order("parts", named("z a")),
    { parts: named("a") },
  ],
  [
    "it orders what the patch merges",
    { parts: named("a b") },
    { ...order("parts", named("b n a")), parts: [{ name: "n" }, { name: "a", text: "t" }] },
    { parts: [{ name: "b" }, { name: "n" }, { name: "a", text: "t" }] },
  ],
  [
    "deletions need not be named",
    { parts: named("a b c") },
    { ...order("parts", named("c b")), parts: [{ $patch: "delete", name: "a" }] },
    { parts: named("c b") },
  ],
  [
    "a new item stands for a deleted one behind the server's own",
    { parts: named("e a f c") },
    {
      ...order("parts", named("a f d")),
      parts: [...named("f d"), { $patch: "delete", name: "a" }],
    },
    { parts: named("e f c d") },
  ],
  [
    "without a deletion it goes before them",
    { parts: named("e f c") },
    { ...order("parts", named("f d")), parts: named("f d") },
    { parts: named("e f d c") },
  ],
  [
    "it orders a list that the patch brings",
    {},
    { ...order("parts", named("b a")), parts: [...named("b a"), { $patch: "delete", name: "c" }] },
    { parts: named("b a") },
  ],
  [
    "it orders scalars",
    { tags: ["a", "b", "c"] },
    { ...order("tags", ["c", "n", "a"]), tags: ["n"] },
    { tags: ["b", "c", "n", "a"] },
  ],
  [
    "nulls in a list that it orders into place stay",
    {},
    { ...order("parts", named("a")), parts: [{ name: "a", text: null }] },
    { parts: [{ name: "a", text: null }] },
  ],
  [
    "it is dropped where neither has the list",
    { name: "a" },
    order("parts", named("a")),
    { name: "a" },
  ],
  [
    "an empty order lets apimachinery's sort decide",
    { parts: named("a b") },
    { ...order("parts", []), parts: named("x y") },
    { parts: named("a b y x") },
  ],
  [
    "and again with a common item",
    { parts: named("a b") },
    { ...order("parts", []), parts: named("b x") },
    { parts: named("x a b") },
  ],
  [
    "it orders a list that is replaced",
    { keyed: named("a") },
    { ...order("keyed", named("b c")), keyed: named("b c") },
    { keyed: named("b c") },
  ],
])("%s", (...[, document, patch, result]) => {
  expect(apply(document, patch)).toEqual(result);
});

test.each<Case>([
  [
    "$deleteFromPrimitiveList deletes scalars",
    { tags: ["a", "b", "a"] },
    { "$deleteFromPrimitiveList/tags": ["a", "z"] },
    { tags: ["b"] },
  ],
  [
    "it comes after additions and order",
    { tags: ["a", "b"] },
    {
      "$deleteFromPrimitiveList/tags": ["a", "n"],
      ...order("tags", ["n", "m", "b"]),
      tags: ["n", "m"],
    },
    { tags: ["m", "b"] },
  ],
  [
    "it does nothing without a list",
    { name: "a" },
    { "$deleteFromPrimitiveList/tags": ["a"] },
    { name: "a" },
  ],
  [
    "it does nothing to what is no list",
    { tags: "a" },
    { "$deleteFromPrimitiveList/tags": ["a"] },
    { tags: "a" },
  ],
  ["null for it deletes the list", { tags: ["a"] }, { "$deleteFromPrimitiveList/tags": null }, {}],
  ["it empties a list", { tags: ["a"] }, { "$deleteFromPrimitiveList/tags": ["a"] }, { tags: [] }],
  [
    "$retainKeys clears what it does not list",
    { either: { name: "a", text: "t", labels: {} } },
    { either: { $retainKeys: ["name", "inner"], inner: {} } },
    { either: { name: "a", inner: {} } },
  ],
  [
    "$retainKeys lets nulls and directives pass",
    { either: { name: "a", tags: ["x", "y"] } },
    {
      either: {
        $retainKeys: ["tags"],
        text: null,
        "$deleteFromPrimitiveList/tags": ["x"],
        ...order("tags", ["y"]),
      },
    },
    { either: { tags: ["y"] } },
  ],
  [
    "$retainKeys works in items of lists",
    { choices: [{ name: "a", text: "t" }, { name: "b" }] },
    { choices: [{ name: "a", inner: {}, $retainKeys: ["name", "inner"] }] },
    { choices: [{ name: "a", inner: {} }, { name: "b" }] },
  ],
  [
    "retainKeys as a strategy does nothing by itself",
    { either: { name: "a" } },
    { either: { text: "t" } },
    { either: { name: "a", text: "t" } },
  ],
])("%s", (...[, document, patch, result]) => {
  expect(apply(document, patch)).toEqual(result);
});

type Refusal = [document: JsonValue, patch: JsonValue, code: string, message: string];

test.each<Refusal>([
  [
    {},
    { $patch: "merge", a: 1 },
    "patch-directive-unknown",
    "unknown patch type: merge in map: map[$patch:merge a:1]",
  ],
  [
    {},
    { $patch: 5 },
    "patch-directive-unknown",
    "unknown patch type: %!s(int64=5) in map: map[$patch:5]",
  ],
  [
    { parts: named("a") },
    { parts: [{ $patch: "merge" }] },
    "patch-directive-unknown",
    "merging lists cannot yet be specified in the patch",
  ],
  [
    { parts: named("a") },
    { parts: [{ $patch: "zap" }] },
    "patch-directive-unknown",
    "unknown patch type: zap in map: map[$patch:zap]",
  ],
  [
    { parts: named("a") },
    { parts: [{ text: "t" }] },
    "patch-merge-key-missing",
    "map: map[text:t] does not contain declared merge key: name",
  ],
  [
    { parts: named("a") },
    { parts: [{ $patch: "delete" }] },
    "patch-merge-key-missing",
    "map: map[$patch:delete] does not contain declared merge key: name",
  ],
  [
    { parts: [{ text: "t" }] },
    { parts: named("a") },
    "patch-merge-key-missing",
    "map: map[text:t] does not contain declared merge key: name",
  ],
  [
    { keyless: [{}] },
    { keyless: [{}] },
    "patch-merge-key-missing",
    "cannot merge lists without merge key for struct",
  ],
  [
    { parts: named("a") },
    { parts: ["a"] },
    "patch-type-mismatch",
    "list element types are not identical: [[map[name:a]] [a]]",
  ],
  [
    { tags: ["a"] },
    { tags: [1] },
    "patch-type-mismatch",
    "list element types are not identical: [[a] [1]]",
  ],
  [
    { tags: ["a"] },
    { tags: [null] },
    "patch-type-mismatch",
    "list element types are not identical: [[a] [<nil>]]",
  ],
  [{ tags: [] }, { tags: [["a"]] }, "patch-list-of-lists", "lists of lists are not supported"],
  [
    {},
    order("parts", "a"),
    "patch-type-mismatch",
    "expected a []interface {}, but received a string",
  ],
  [
    { parts: "x" },
    order("parts", []),
    "patch-type-mismatch",
    "expected a []interface {}, but received a string",
  ],
  [
    {},
    { ...order("parts", []), parts: null },
    "patch-type-mismatch",
    "expected a []interface {}, but received a %!s(<nil>)",
  ],
  [
    { parts: [] },
    { ...order("parts", []), parts: [] },
    "patch-type-mismatch",
    "no elements in any of the given slices",
  ],
  [
    { parts: named("a") },
    order("parts", [1]),
    "patch-type-mismatch",
    "value for key 0 is not a map",
  ],
  [
    { parts: named("a") },
    order("parts", [{ name: "a" }, {}]),
    "patch-merge-key-missing",
    "map: map[] does not contain declared merge key: name",
  ],
  [
    { parts: [] },
    { ...order("parts", named("a b")), parts: named("b a") },
    "patch-order-mismatch",
    "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
  ],
  [
    { parts: [] },
    { ...order("parts", named("a")), parts: named("a b") },
    "patch-order-mismatch",
    "The order in patch list:\n[map[name:a] map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
  ],
  [
    { tags: [] },
    { ...order("tags", ["a"]), tags: ["b"] },
    "patch-order-mismatch",
    "The order in patch list:\n[b]\n doesn't match $setElementOrder list:\n[a]\n",
  ],
  [
    { atoms: [{}] },
    order("atoms", [{}]),
    "patch-malformed",
    "invalid patch format of setElementOrder list",
  ],
  [{}, { $setElementOrder: [] }, "patch-malformed", "invalid patch format of setElementOrder list"],
  [
    {},
    { "$setElementOrders/a": [] },
    "patch-malformed",
    "invalid patch format of setElementOrder list",
  ],
  [
    {},
    { $deleteFromPrimitiveList: [] },
    "patch-malformed",
    "invalid patch format of primitive list",
  ],
  [{}, { $retainKeys: "name" }, "patch-malformed", "invalid patch format of retainKeys"],
  [{}, { $retainKeys: [{}] }, "patch-malformed", "invalid patch format of retainKeys"],
  [
    {},
    { $retainKeys: ["name"], text: "t" },
    "patch-malformed",
    "invalid patch format of retainKeys",
  ],
  [
    { zork: {} },
    { zork: {} },
    "patch-field-unknown",
    'unable to find api field in struct Part for the json field "zork"',
  ],
  [
    { zork: [] },
    { zork: [] },
    "patch-field-unknown",
    'unable to find api field in struct Part for the json field "zork"',
  ],
  [
    {},
    order("zork", []),
    "patch-field-unknown",
    'unable to find api field in struct Part for the json field "zork"',
  ],
  [
    { labels: { a: {} } },
    { labels: { a: {} } },
    "patch-field-unknown",
    "merging an object in json but data type is not struct, instead is: map",
  ],
  [
    { name: { a: {} } },
    { name: { a: {} } },
    "patch-field-unknown",
    "merging an object in json but data type is not struct, instead is: string",
  ],
  [
    { parts: { a: {} } },
    { parts: { a: {} } },
    "patch-field-unknown",
    "merging an object in json but data type is not struct, instead is: slice",
  ],
  [
    { inner: [] },
    { inner: [] },
    "patch-field-unknown",
    "expected slice or array type, but got: struct",
  ],
  [{ odd: {} }, { odd: {} }, "patch-field-unknown", "unexpected patch strategy: [merge replace]"],
  [
    {},
    [],
    "patch-malformed",
    "json: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
  [
    "x",
    {},
    "patch-malformed",
    "json: cannot unmarshal string into Go value of type map[string]interface {}",
  ],
])("%j under %j is refused as %s", (...[document, patch, code, message]) => {
  expect(() => apply(document, patch)).toThrow(
    expect.objectContaining({ name: "PatchError", code, message }),
  );
});

test("a patch that changes nothing returns the very same document", () => {
  const document = { name: "a", parts: named("a b"), tags: ["x", "y"], inner: { text: "t" } };
  const patch = { inner: { text: "t" }, text: null, parts: named("a"), tags: ["x"] };
  expect(apply(document, patch)).toBe(document);
  expect(apply(document, order("parts", named("a b")))).toBe(document);
});

test("items the patch does not reach are shared with the document", () => {
  const document = { parts: [{ name: "a", text: "t" }, { name: "b" }] };
  const result = apply(document, { parts: [{ name: "b", text: "u" }] });
  expect((result["parts"] as JsonValue[])[0]).toBe(document.parts[0]);
});

test("__proto__ and constructor are keys, and merge key values, like any other", () => {
  const document = JSON.parse('{"labels":{"__proto__":"x"},"parts":[{"name":"__proto__"}]}');
  const patch = JSON.parse(
    '{"labels":{"constructor":"y","__proto__":"z"},"parts":[{"name":"__proto__","text":"t"},{"name":"constructor"}]}',
  );
  expect(JSON.stringify(apply(document, patch))).toBe(
    '{"labels":{"__proto__":"z","constructor":"y"},"parts":[{"name":"__proto__","text":"t"},{"name":"constructor"}]}',
  );
  expect(() => apply(JSON.parse('{"__proto__":{}}'), JSON.parse('{"__proto__":{}}'))).toThrow(
    'unable to find api field in struct Part for the json field "__proto__"',
  );
});

test("built-in kinds are merged by their declared keys", () => {
  const pod = {
    metadata: { labels: { app: "web" }, finalizers: ["a", "b"] },
    spec: {
      containers: [
        { name: "web", image: "web:1", ports: [{ containerPort: 80 }], args: ["-v"] },
        { name: "proxy", image: "proxy:1" },
      ],
      volumes: [{ name: "data", emptyDir: {} }],
    },
  };
  const patch = {
    metadata: { labels: { tier: "front" }, "$deleteFromPrimitiveList/finalizers": ["a"] },
    spec: {
      containers: [
        {
          name: "web",
          args: ["-q"],
          ports: [{ containerPort: 80, name: "http" }, { containerPort: 443 }],
        },
        { name: "proxy", $patch: "delete" },
      ],
      volumes: [{ name: "data", $retainKeys: ["name", "hostPath"], hostPath: { path: "/" } }],
    },
  };
  expect(applyStrategicMergePatch(pod, patch, { schema: patchSchemaOf("core.v1.Pod") })).toEqual({
    metadata: { labels: { app: "web", tier: "front" }, finalizers: ["b"] },
    spec: {
      containers: [
        {
          name: "web",
          image: "web:1",
          ports: [{ containerPort: 80, name: "http" }, { containerPort: 443 }],
          args: ["-q"],
        },
      ],
      volumes: [{ name: "data", hostPath: { path: "/" } }],
    },
  });
});

test("a patch nested too deeply is refused, and the deepest allowed does not exhaust the stack", () => {
  const nested = (levels: number): JsonObject => {
    let result: JsonObject = { name: "a" };
    for (let level = 1; level < levels; level += 2) {
      result = { name: "a", parts: [result], ...order("parts", named("a")) };
    }
    return result;
  };
  expect(() => apply({}, nested(501))).toThrow(expect.objectContaining({ code: "patch-too-deep" }));
  const document = apply({}, nested(999), { depth: 1000 });
  expect(apply(document, nested(999), { depth: 1000 })).toBeDefined();
});

test("long lists merge in a moment, and a merge key repeated too often is refused", () => {
  const numbered = (from: number, step: number): JsonObject[] =>
    Array.from({ length: 20_000 }, (_, index) => ({ name: `n${from + index * step}` }));
  const patch = { ...order("parts", numbered(39_999, -1)), parts: numbered(39_999, -1) };
  const merged = apply({ parts: numbered(0, 1) }, patch)["parts"] as JsonObject[];
  expect(merged).toHaveLength(40_000);
  expect(merged[0]).toEqual({ name: "n39999" });

  const repeated = Array.from({ length: 3_000 }, (_, index) => ({ name: "a", [`k${index}`]: 1 }));
  expect(() => apply({ parts: named("a") }, { parts: repeated })).toThrow(
    expect.objectContaining({ code: "patch-too-much-work" }),
  );
  const some = apply({ parts: named("a") }, { parts: repeated.slice(0, 100) });
  expect(Object.keys((some["parts"] as JsonObject[])[0] ?? {})).toHaveLength(101);
});

const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), { maxLength: 6 });

test("merged lists hold every item once, in the order the rules give", () => {
  fc.assert(
    fc.property(names, names, fc.boolean(), (server, patch, objects) => {
      const list = (items: string[]) => (objects ? items.map((name) => ({ name })) : items);
      const key = objects ? "parts" : "tags";
      const result = apply({ [key]: list(server) }, { [key]: list(patch) });
      expect(result).toEqual({ [key]: list(modelOrder(server, patch)) });
      expect(equalJson(apply(result, { [key]: list(patch) }), result)).toBe(true);
    }),
  );
});

test("an order directive orders like a patch that names the same items, deletions aside", () => {
  fc.assert(
    fc.property(names, names, names, (server, added, extra) => {
      const all = [...new Set([...added, ...extra])];
      const merged = modelOrder(server, added);
      const expected = modelOrder(server, all).filter((name) => merged.includes(name));
      const patch = { ...order("parts", named(all.join(" "))), parts: named(added.join(" ")) };
      const document = { parts: named(server.join(" ")) };
      fc.pre(server.length + added.length > 0);
      const result = apply(document, patch);
      expect(result).toEqual({ parts: named(expected.join(" ")) });
      expect(equalJson(apply(result, patch), result)).toBe(true);
    }),
  );
});

/** Each of the server's own items, in order, is put before the first named item it stood before. */
function modelOrder(server: string[], patch: string[]): string[] {
  const result = patch.slice();
  let from = 0;
  for (const own of server.filter((name) => !patch.includes(name))) {
    const stood = (name: string) =>
      server.includes(name) && server.indexOf(own) < server.indexOf(name);
    while (from < result.length && !stood(result[from] ?? "")) from++;
    result.splice(from, 0, own);
    from++;
  }
  return result;
}

function order(list: string, items: JsonValue): JsonObject {
  return { [`$setElementOrder/${list}`]: items };
}

function deepFreeze<T extends JsonValue>(tree: T): T {
  if (typeof tree === "object" && tree !== null && !Object.isFrozen(tree)) {
    for (const member of Object.values(tree)) deepFreeze(member);
    Object.freeze(tree);
  }
  return tree;
}
