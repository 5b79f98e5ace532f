import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson } from "../json/clone-json.ts";
import { equalJson } from "../json/equal-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { applyJsonPatch, type JsonPatchOperation } from "./json-patch.ts";
import { PatchError } from "./patch-error.ts";

test("operations apply in order, each to what the one before left", () => {
  const document = { spec: { replicas: 1, ports: [80] }, old: true };
  const patch: JsonPatchOperation[] = [
    { op: "test", path: "/spec/replicas", value: 1 },
    { op: "replace", path: "/spec/replicas", value: 2 },
    { op: "test", path: "/spec/replicas", value: 2 },
    { op: "add", path: "/spec/ports/0", value: 8080 },
    { op: "add", path: "/spec/ports/-", value: 443 },
    { op: "remove", path: "/old" },
    { op: "copy", from: "/spec/ports", path: "/spec/copied" },
    { op: "move", from: "/spec/ports/1", path: "/spec/copied/0" },
  ];
  expect(applyJsonPatch(document, patch)).toEqual({
    spec: { replicas: 2, ports: [8080, 443], copied: [80, 8080, 80, 443] },
  });
});

test.each<[string, JsonValue, JsonValue, JsonValue]>([
  ["add replaces a member that exists", { a: 1 }, op("add", "/a", 2), { a: 2 }],
  ["add inserts before an index", [1, 3], op("add", "/1", 2), [1, 2, 3]],
  ["add appends at the length", [1], op("add", "/1", 2), [1, 2]],
  ["add counts negative indexes from behind the end", [1, 3], op("add", "/-1", 4), [1, 3, 4]],
  ["add without a value adds null", {}, [{ op: "add", path: "/a" }], { a: null }],
  ["replace adds a member that is absent", {}, op("replace", "/a", 1), { a: 1 }],
  ["replace counts negative indexes from the end", [1, 2], op("replace", "/-1", 3), [1, 3]],
  ["replace takes a new whole document", { a: 1 }, op("replace", "", [2]), [2]],
  ["remove takes an element out", [1, 2, 3], [{ op: "remove", path: "/1" }], [1, 3]],
  [
    "escapes name keys with slash and tilde",
    { "a/b": 1, "m~n": 2 },
    op("replace", "/m~0n", 3),
    { "a/b": 1, "m~n": 3 },
  ],
  ["the empty key is a key", { "": { "": 1 } }, op("replace", "//", 2), { "": { "": 2 } }],
  [
    "move onto itself changes nothing",
    { a: 1 },
    [{ op: "move", from: "/a", path: "/a" }],
    { a: 1 },
  ],
  [
    "move within a list is remove, then add",
    [1, 2, 3],
    [{ op: "move", from: "/0", path: "/2" }],
    [2, 3, 1],
  ],
  ["copy of an absent member is null", {}, [{ op: "copy", from: "/a", path: "/b" }], { b: null }],
  [
    "copy into itself copies what was",
    { a: { b: 1 } },
    [{ op: "copy", from: "/a", path: "/a/a" }],
    { a: { b: 1, a: { b: 1 } } },
  ],
  [
    "test ignores the order of keys",
    { a: { x: 1, y: [2] } },
    op("test", "/a", { y: [2], x: 1 }),
    { a: { x: 1, y: [2] } },
  ],
  ["test takes an absent member for null", {}, op("test", "/a", null), {}],
  ["test compares the whole document", [1], op("test", "", [1]), [1]],
  [
    "test compares large integers exactly",
    { a: 2n ** 60n },
    op("test", "/a", 2n ** 60n),
    { a: 2n ** 60n },
  ],
  ["no operations change nothing", { a: 1 }, [], { a: 1 }],
  ["null is a patch without operations", { a: 1 }, null, { a: 1 }],
])("%s", (...[, document, patch, result]) => {
  expect(applyJsonPatch(document, patch)).toEqual(result);
});

test.each<[JsonValue, JsonValue, string, string]>([
  [
    {},
    op("add", "/a/b", 1),
    "patch-path-missing",
    'add operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    { a: 1 },
    op("add", "/a/b", 1),
    "patch-path-missing",
    'add operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    {},
    op("add", "", 1),
    "patch-path-missing",
    'add operation does not apply: doc is missing path: "": missing value',
  ],
  [
    {},
    op("replace", "/a/b", 1),
    "patch-path-missing",
    "replace operation does not apply: doc is missing path: /a/b: missing value",
  ],
  [
    { a: [] },
    op("replace", "/a/0", 1),
    "patch-path-missing",
    "replace operation does not apply: doc is missing key: /a/0: missing value",
  ],
  [
    { a: [] },
    op("replace", "/a/-", 1),
    "patch-path-missing",
    "replace operation does not apply: doc is missing key: /a/-: missing value",
  ],
  [
    {},
    [{ op: "remove", path: "/a" }],
    "patch-path-missing",
    "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value",
  ],
  [
    {},
    [{ op: "remove", path: "/a/b" }],
    "patch-path-missing",
    'remove operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    { a: [1] },
    [{ op: "remove", path: "/a/1" }],
    "patch-index-invalid",
    "error in remove for path: '/a/1': Unable to access invalid index: 1: invalid index referenced",
  ],
  [
    { a: [1] },
    op("add", "/a/3", 1),
    "patch-index-invalid",
    "error in add for path: '/a/3': Unable to access invalid index: 3: invalid index referenced",
  ],
  [
    { a: [1] },
    op("add", "/a/x", 1),
    "patch-index-invalid",
    "error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
  ],
  [
    {},
    [{ op: "move", from: "/a", path: "/b" }],
    "patch-path-missing",
    "error in move for path: 'a': Unable to remove nonexistent key: a: missing value",
  ],
  [
    {},
    [{ op: "move", from: "/a/b", path: "/b" }],
    "patch-path-missing",
    "move operation does not apply: doc is missing from path: /a/b: missing value",
  ],
  [
    { a: {} },
    [{ op: "move", from: "/a", path: "/a/b" }],
    "patch-path-missing",
    "move operation does not apply: doc is missing destination path: /a/b: missing value",
  ],
  [
    {},
    [{ op: "copy", from: "/a/b", path: "/b" }],
    "patch-path-missing",
    "copy operation does not apply: doc is missing from path: /a/b: missing value",
  ],
  [
    { a: 1 },
    [{ op: "copy", from: "/a", path: "/b/c" }],
    "patch-path-missing",
    "copy operation does not apply: doc is missing destination path: /b/c: missing value",
  ],
  [
    { a: [] },
    [{ op: "copy", from: "/a/0", path: "/b" }],
    "patch-index-invalid",
    "error in copy for from: '/a/0': Unable to access invalid index: 0: invalid index referenced",
  ],
  [
    { a: [] },
    [{ op: "copy", from: "/a", path: "/a/9" }],
    "patch-index-invalid",
    "error while adding value during copy: Unable to access invalid index: 9: invalid index referenced",
  ],
  [{ x: 1 }, op("test", "/x", 2), "patch-test-failed", "testing value /x failed: test failed"],
  [{ x: 1 }, op("test", "", {}), "patch-test-failed", "testing value  failed: test failed"],
  [
    {},
    op("test", "/x/y", 2),
    "patch-path-missing",
    "test operation does not apply: is missing path: /x/y: missing value",
  ],
  [
    [],
    op("test", "/0", 2),
    "patch-index-invalid",
    "error in test for path: '/0': Unable to access invalid index: 0: invalid index referenced",
  ],
  [
    {},
    op("replace", "", 1),
    "patch-operation-invalid",
    "replace operation value must be object or array: %!w(<nil>)",
  ],
  [{}, [{ op: "zap", path: "/a" }], "patch-operation-invalid", "Unexpected kind: zap"],
  [{}, [{ path: "/a" }], "patch-operation-invalid", "Unexpected kind: unknown"],
  [{}, [null], "patch-operation-invalid", "Unexpected kind: unknown"],
  [{}, [{ op: 1 }], "patch-operation-invalid", "Unexpected kind: unknown"],
  [
    {},
    [{ op: "add" }],
    "patch-operation-invalid",
    "add operation failed to decode path: missing value",
  ],
  [
    {},
    [{ op: "remove", path: 1 }],
    "patch-operation-invalid",
    "remove operation failed to decode path: missing value",
  ],
  [
    {},
    [{ op: "replace" }],
    "patch-operation-invalid",
    "replace operation failed to decode path: operation missing path field: missing value",
  ],
  [
    {},
    [{ op: "test", path: 1 }],
    "patch-operation-invalid",
    "test operation failed to decode path: json: cannot unmarshal number into Go value of type string",
  ],
  [
    {},
    [{ op: "move", path: "/a" }],
    "patch-operation-invalid",
    "move operation failed to decode from: operation, missing from field: missing value",
  ],
  [
    { a: 1 },
    [{ op: "copy", from: "/a" }],
    "patch-operation-invalid",
    "copy operation failed to decode path: missing value",
  ],
  [
    {},
    {},
    "patch-malformed",
    "json: cannot unmarshal object into Go value of type jsonpatch.Patch",
  ],
  [
    {},
    ["x"],
    "patch-malformed",
    "json: cannot unmarshal string into Go value of type jsonpatch.Operation",
  ],
  ["x", [], "patch-type-mismatch", "a JSON patch applies to an object or an array, got string"],
])("%j under %j is refused as %s", (...[document, patch, code, message]) => {
  expect(() => applyJsonPatch(document, patch)).toThrow(
    expect.objectContaining({ name: "PatchError", code, message }),
  );
});

test("the statuses are kube-apiserver's", () => {
  expect(() => applyJsonPatch({}, {})).toThrow(expect.objectContaining({ httpStatus: 400 }));
  expect(() => applyJsonPatch({}, op("test", "/a", 1))).toThrow(
    expect.objectContaining({ httpStatus: 422 }),
  );
});

test("__proto__, constructor and toString are keys like any other", () => {
  const document = JSON.parse('{"__proto__":{"a":1}}') as JsonValue;
  const patched = applyJsonPatch(document, [
    { op: "add", path: "/__proto__/b", value: 2 },
    { op: "add", path: "/constructor", value: {} },
    { op: "copy", from: "/__proto__", path: "/constructor/__proto__" },
    { op: "move", from: "/__proto__/a", path: "/toString" },
  ]);
  expect(JSON.stringify(patched)).toBe(
    '{"__proto__":{"b":2},"constructor":{"__proto__":{"a":1,"b":2}},"toString":1}',
  );
  expect(() => applyJsonPatch({}, op("add", "/constructor/x", 1))).toThrow("missing path");
  expect(() => applyJsonPatch({}, [{ op: "remove", path: "/__proto__" }])).toThrow("nonexistent");
  expect(Object.prototype).not.toHaveProperty("b");
});

test("a value copied is independent of the place it was copied from", () => {
  const patched = applyJsonPatch({ a: { list: [1] } }, [
    { op: "add", path: "/a/list/-", value: 2 },
    { op: "copy", from: "/a", path: "/b" },
    { op: "add", path: "/a/list/-", value: 3 },
    { op: "add", path: "/b/list/0", value: 0 },
  ]);
  expect(patched).toEqual({ a: { list: [1, 2, 3] }, b: { list: [0, 1, 2] } });
});

test("a value of the patch is not changed by later operations on it", () => {
  const value = { list: [1] };
  applyJsonPatch({}, [
    { op: "add", path: "/a", value },
    { op: "add", path: "/a/list/-", value: 2 },
  ]);
  expect(value).toEqual({ list: [1] });
});

test("what no operation reaches is shared with the document", () => {
  const document = { a: { b: {} }, c: { d: {} } };
  const patched = applyJsonPatch(document, op("add", "/c/e", 1)) as JsonObject;
  expect(patched["a"]).toBe(document.a);
  expect((patched["c"] as JsonObject)["d"]).toBe(document.c.d);
});

test("more operations than allowed are refused before any is applied", () => {
  const operations = Array.from({ length: 10_001 }, () => ({ op: "nonsense" }));
  expect(() => applyJsonPatch({}, operations)).toThrow(
    expect.objectContaining({
      code: "patch-too-many-operations",
      httpStatus: 413,
      message: "The allowed maximum operations in a JSON patch is 10000, got 10001",
    }),
  );
  expect(() => applyJsonPatch({}, [{}, {}], { operations: 1 })).toThrow("is 1, got 2");
});

test("copies that double a value end at the limit of copied bytes", () => {
  const operations = Array.from({ length: 100 }, (_, index) => ({
    op: "copy",
    from: "/a",
    path: `/a/${index}`,
  }));
  expect(() => applyJsonPatch({ a: { b: "x" } }, operations)).toThrow(
    expect.objectContaining({
      code: "patch-copy-too-large",
      message: expect.stringMatching(
        /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
      ),
    }),
  );
  const copy = [{ op: "copy", from: "/a", path: "/b" }];
  expect(() => applyJsonPatch({ a: "1234" }, copy, { copiedBytes: 5 })).toThrow(
    "the accumulated size increase of copy is 6, exceeding the limit 5",
  );
  expect(applyJsonPatch({ a: "1234" }, copy, { copiedBytes: 6 })).toEqual({ a: "1234", b: "1234" });
  expect(() => applyJsonPatch({ a: "1234" }, [...copy, ...copy], { copiedBytes: 11 })).toThrow(
    "the accumulated size increase of copy is 12, exceeding the limit 11",
  );
});

test("neither patch nor result may nest too deeply, whichever way depth is added", () => {
  const deep = (levels: number): JsonObject => (levels === 1 ? {} : { a: deep(levels - 1) });
  const limits = { depth: 6 };
  const tooDeep = expect.objectContaining({ code: "patch-too-deep" });
  expect(() => applyJsonPatch({}, op("add", "/x", deep(5)), limits)).toThrow(tooDeep);
  expect(applyJsonPatch({}, op("add", "/x", deep(4)), limits)).toEqual({ x: deep(4) });
  expect(() => applyJsonPatch(deep(3), op("add", "/a/a/x", deep(4)), limits)).toThrow(
    "the patched document nests deeper than the limit of 6 levels",
  );
  const move = [{ op: "move", from: "/x", path: "/a/a/a/x" }];
  expect(() => applyJsonPatch({ ...deep(4), x: deep(3) }, move, limits)).toThrow(tooDeep);
  const copy = [{ op: "copy", from: "/a", path: "/a/a/a/x" }];
  expect(() => applyJsonPatch(deep(4), copy, limits)).toThrow(tooDeep);
});

test("inserting over and over into a huge list is refused rather than waited for", () => {
  const document = { list: Array.from({ length: 100_000 }, () => 0) };
  const operations = Array.from({ length: 10_000 }, () => ({
    op: "add",
    path: "/list/0",
    value: 1,
  }));
  expect(() => applyJsonPatch(document, operations)).toThrow(
    expect.objectContaining({ code: "patch-too-much-work", httpStatus: 413 }),
  );
  expect(applyJsonPatch({ list: [] }, operations)).toEqual({
    list: Array.from({ length: 10_000 }, () => 1),
  });
});

test("documents are never changed, and the result is that of applying naively to a copy", () => {
  let applied = 0;
  const choices = fc.infiniteStream(fc.nat());
  fc.assert(
    fc.property(fc.array(anyValue(), { maxLength: 3 }), choices, (values, numbers) => {
      const document = deepFreeze({ a: values, b: values[0] ?? {}, c: { "x/y": values } });
      const random = { below: (limit: number) => (numbers.next().value ?? 0) % limit };
      let expected = document;
      const patch: JsonValue[] = [];
      for (let length = 1 + random.below(6); length > 0; length--) {
        const operation = randomOperation(expected, random);
        const next = naive(expected, operation);
        expect(applies(document, [...patch, operation])).toBe(next !== undefined);
        if (next === undefined) continue;
        expected = next;
        patch.push(operation);
        applied++;
      }
      expect(equalJson(applyJsonPatch(document, deepFreeze(patch)), expected)).toBe(true);
    }),
  );
  expect(applied).toBeGreaterThan(100);
});

function applies(document: JsonValue, patch: JsonValue): boolean {
  try {
    applyJsonPatch(document, patch);
    return true;
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}

function op(kind: string, path: string, operand: JsonValue): JsonValue {
  return [{ op: kind, path, value: operand }];
}

function anyValue(): fc.Arbitrary<JsonValue> {
  const key = fc.constantFrom("a", "b", "x/y", "m~n", "__proto__", "0");
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<JsonValue>(1, "s", true, null, 2n ** 60n),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie("tree")), { maxLength: 3 }).map((e) => Object.fromEntries(e)),
    ),
  }));
  return tree;
}

interface Chooser {
  below(limit: number): number;
}

function randomOperation(document: JsonValue, random: Chooser): JsonObject {
  const kinds = ["add", "remove", "replace", "move", "copy", "test"];
  const kind = kinds[random.below(kinds.length)] ?? "add";
  const path = randomPointer(document, random);
  if (kind === "move" || kind === "copy") {
    return { op: kind, from: randomPointer(document, random), path };
  }
  const tested = kind === "test" ? valueAt(document, path) : undefined;
  return { op: kind, path, value: tested ?? { new: [random.below(3)] } };
}

function randomPointer(document: JsonValue, random: Chooser): string {
  let pointer = "";
  let here: JsonValue | undefined = document;
  do {
    if (typeof here !== "object" || here === null) break;
    const keys: string[] = Array.isArray(here)
      ? ["-", ...here.keys()].map(String)
      : ["n", ...Object.keys(here)];
    const key = keys[random.below(keys.length)] ?? "";
    pointer += `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    here = Object.hasOwn(here, key) ? (here as JsonObject)[key] : undefined;
  } while (random.below(3) > 0);
  return pointer;
}

function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  try {
    return get(parentOf(document, pointer));
  } catch {
    return undefined;
  }
}

/** The same semantics on a deep copy, by plain mutation; undefined where it does not apply. */
function naive(document: JsonValue, operation: JsonObject): JsonValue | undefined {
  const copy = cloneJson(document);
  const path = () => parentOf(copy, operation["path"] as string);
  const from = () => parentOf(copy, operation["from"] as string);
  const operand = operation["value"] ?? null;
  try {
    switch (operation["op"]) {
      case "add":
        put(path(), operand);
        break;
      case "remove":
        drop(path());
        break;
      case "replace": {
        const place = path();
        get(place);
        if (Array.isArray(place.container)) drop(place);
        put(place, operand);
        break;
      }
      case "move": {
        const moved = get(from());
        drop(from());
        put(path(), moved);
        break;
      }
      case "copy": {
        const copied = cloneJson(get(from()));
        put(path(), copied);
        break;
      }
      default:
        if (!equalJson(get(path()), operand)) throw new Refused();
    }
    return copy;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

class Refused extends Error {}

interface Parent {
  container: JsonObject | JsonValue[];
  key: string;
}

function parentOf(document: JsonValue, pointer: string): Parent {
  const tokens = pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = tokens.pop() ?? "";
  let container = document;
  for (const token of tokens) {
    if (typeof container !== "object" || container === null) throw new Refused();
    container = get({ container, key: token });
  }
  if (typeof container !== "object" || container === null) throw new Refused();
  return { container, key };
}

function get({ container, key }: Parent): JsonValue {
  if (!Array.isArray(container))
    return Object.hasOwn(container, key) ? (container[key] ?? null) : null;
  if (!/^\d+$/.test(key) || Number(key) >= container.length) throw new Refused();
  return container[Number(key)] ?? null;
}

function put({ container, key }: Parent, member: JsonValue): void {
  if (!Array.isArray(container)) {
    Object.defineProperty(container, key, {
      value: member,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    return;
  }
  const index = key === "-" ? container.length : Number(key);
  if (!Number.isInteger(index) || key === "" || index > container.length) throw new Refused();
  container.splice(index, 0, member);
}

function drop(place: Parent): void {
  const { container, key } = place;
  if (Array.isArray(container)) {
    get(place);
    container.splice(Number(key), 1);
  } else {
    if (!Object.hasOwn(container, key)) throw new Refused();
    delete container[key];
  }
}

function deepFreeze(json: JsonValue): JsonValue {
  if (typeof json === "object" && json !== null) {
    for (const member of Object.values(json)) deepFreeze(member);
    Object.freeze(json);
  }
  return json;
}
