import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { decodeJson, encodeJson } from "@homeostat/object-model";
import { fieldSetOfPaths, sharedFieldsV1 } from "@homeostat/schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeStored,
  encodeStored,
  encodeUntyped,
  isLargeObject,
  itemSize,
  renderObject,
  setPlaces,
  storedFields,
  storedJson,
  storedLabels,
  storedMark,
  writeItem,
} from "./stored-object.ts";

/** Texts and keys that break careless code, beside any others. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    '"',
    "\\",
    "}",
    "\u0000",
    "日本",
    "😀",
    "\u2028",
    "",
  ),
);
/** Native JSON of V8 14 mistakes keys for others that end in a backslash. */
const mapKey = text.filter((each) => !each.endsWith("\\"));
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.boolean(),
    fc.integer(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.array(tie("value"), { maxLength: 3 }),
    ownMap(tie("value")),
  ),
})).value;

/** Maps whose keys are own keys, `__proto__` too. */
function ownMap<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc
    .array(fc.tuple(mapKey, value), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));
}

const metadata = fc.record(
  {
    name: text,
    namespace: text,
    uid: text,
    generation: fc.nat(),
    creationTimestamp: fc.constant("2026-01-01T00:00:00Z"),
    labels: ownMap(text),
    annotations: ownMap(text),
    finalizers: fc.array(text, { maxLength: 2 }),
  },
  { requiredKeys: ["name", "uid"] },
);
const printed = fc
  .tuple(metadata, ownMap(json))
  .map(
    ([meta, rest]): JsonObject =>
      Object.assign(rest, { kind: "Thing", apiVersion: "v1", metadata: meta }),
  );
const revision = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

function withVersion(object: JsonObject, version: number): JsonObject {
  const meta = object["metadata"] as JsonObject;
  return { ...object, metadata: { ...meta, resourceVersion: String(version) } };
}

/** Own keys and values, whatever the order of the keys. */
function canonical(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).toSorted();
  return keys.map((key) => [key, canonical(value[key]!)]);
}

test("an object comes back as it was kept: decoded, rendered alone and as an item of a list", () => {
  fc.assert(
    fc.property(printed, fc.array(text, { maxLength: 3 }), revision, (object, fields, version) => {
      const stored = encodeStored(object, fields);
      const expected = canonical(withVersion(object, version));
      expect(canonical(decodeStored(stored, version) as JsonObject)).toEqual(expected);
      expect(canonical(decodeJson(renderObject(stored, version)))).toEqual(expected);
      expect(canonical(decodeJson(storedJson(stored)))).toEqual(canonical(object));
      const { kind: _kind, apiVersion: _version, ...item } = withVersion(object, version);
      const out = Buffer.alloc(itemSize(stored) + 4, 0x20);
      const end = writeItem(out, 2, { value: stored, revision: version });
      expect(end).toBeLessThanOrEqual(2 + itemSize(stored));
      expect(canonical(decodeJson(out.subarray(2, end)))).toEqual(canonical(item));
      expect(out.subarray(end).every((byte) => byte === 0x20)).toBe(true);
    }),
  );
});

test("labels and selectable fields are read from the head alone", () => {
  fc.assert(
    fc.property(printed, fc.array(text, { maxLength: 3 }), (object, fields) => {
      const stored = encodeStored(object, fields);
      const { labels = {} } = object["metadata"] as { labels?: JsonObject };
      expect(canonical((storedLabels(stored) ?? {}) as JsonObject)).toEqual(canonical(labels));
      expect(storedFields(stored)).toEqual(fields);
    }),
  );
});

test("what is read from kept bytes does not change with them", () => {
  const stored = encodeStored(
    {
      kind: "Thing",
      apiVersion: "v1",
      metadata: { name: "a", uid: "1", labels: { a: "b" } },
      data: { k: "v" },
    },
    ["f"],
  );
  const read = [
    decodeStored(stored, 3),
    storedLabels(stored),
    storedFields(stored),
    renderObject(stored, 3).toString(),
  ];
  const before = encodeJson(read);
  stored.fill(0);
  expect(encodeJson(read)).toBe(before);
});

test("a dry run's object has no resource version", () => {
  const stored = encodeStored(
    { kind: "Thing", apiVersion: "v1", metadata: { name: "a", uid: "1" } },
    [],
  );
  expect(decodeStored(stored, 0)).toEqual({
    kind: "Thing",
    apiVersion: "v1",
    metadata: { name: "a", uid: "1" },
  });
});

test("an object of no type is given as it is, its version among its sorted metadata", () => {
  const top = fc.dictionary(
    mapKey.filter((key) => key !== "metadata"),
    json,
    { maxKeys: 3 },
  );
  fc.assert(
    fc.property(metadata, top, fc.nat(2 ** 31 - 1), (given, rest, mark) => {
      const inOrder = <T>(object: Readonly<Record<string, T>>): Record<string, T> =>
        Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
      const object = inOrder({
        ...rest,
        metadata: inOrder(given as Readonly<Record<string, JsonValue>>),
      }) as JsonObject;
      const stored = encodeUntyped(object, { fields: ["one"], mark });
      expect(storedMark(stored)).toBe(mark);
      expect(storedFields(stored)).toEqual(["one"]);
      expect(storedLabels(stored)).toEqual(given.labels ?? {});
      const expected = { ...object, metadata: { ...given, resourceVersion: "7" } };
      const rendered = renderObject(stored, 7);
      expect(decodeJson(rendered)).toEqual(expected);
      const item = Buffer.alloc(itemSize(stored));
      const end = writeItem(item, 0, { value: stored, revision: 7 });
      expect(item.subarray(0, end).equals(rendered)).toBe(true);
      expect(decodeStored(stored, 7)).toEqual(expected);
    }),
  );
});

test("entries of managed fields are kept as JSON writes them, shared sets or not", () => {
  const set = sharedFieldsV1(
    fieldSetOfPaths(["f:spec", 'k:{"name":"\u00e4 b"}'], ["f:spec", "f:b"]),
  );
  const managedFields = [
    { manager: 'a "b" \u2028', operation: "Apply", time: "t", fieldsV1: set },
    { manager: "c", operation: "Update", fieldsV1: { "f:x": {}, "f:y": { ".": {} } } },
    {},
  ];
  const given = { name: "a", uid: "1", managedFields } as unknown as JsonObject;
  const typed = encodeStored({ kind: "Thing", apiVersion: "v1", metadata: given }, []);
  expect(Buffer.from(storedJson(typed)).toString()).toBe(
    JSON.stringify({ kind: "Thing", apiVersion: "v1", metadata: given }),
  );
  const sorted = { managedFields, name: "a", uid: "1" } as unknown as JsonObject;
  const untyped = encodeUntyped({ kind: "Thing", metadata: sorted }, { fields: [], mark: 1 });
  expect(Buffer.from(storedJson(untyped)).toString()).toBe(
    JSON.stringify({ kind: "Thing", metadata: sorted }),
  );
});

test("objects whose managers own the same share the sets, and whoever cannot comes back all the same", () => {
  const entry = (manager: string, fieldsV1?: JsonValue): JsonValue => ({
    manager,
    ...(fieldsV1 !== undefined && { fieldsV1 }),
    subresource: "status",
  });
  const kept = (managedFields: JsonValue[], word = "x"): JsonObject => ({
    kind: "Thing",
    apiVersion: "v1",
    metadata: { name: "a", uid: "1", labels: { a: "b" }, managedFields },
    spec: { word, managedFields },
  });
  const set = { "f:spec": { 'k:{"name":"a"}': { ".": {} } } };
  const one = kept([entry("a", set), entry("b"), entry("c", { "f:x": {} })]);
  const stored = encodeStored(one, ["selected"]);
  expect(storedFields(stored)).toEqual(["selected"]);
  expect(storedLabels(stored)).toEqual({ a: "b" });
  const decoded = decodeStored(stored, 0);
  expect(decoded).toEqual(one);
  const other = decodeStored(encodeStored(kept([entry("z", set)]), []), 0);
  expect(other.metadata!.managedFields![0]!.fieldsV1).toBe(
    decoded.metadata!.managedFields![0]!.fieldsV1,
  );
  const crowd = kept(Array.from({ length: 300 }, (_, at) => entry(`m${at}`, { [`f:${at}`]: {} })));
  expect(decodeStored(encodeStored(crowd, []), 0)).toEqual(crowd);
  const foreign = kept([entry("a", set), entry("b", null)], "日本");
  expect(decodeStored(encodeStored(foreign, []), 0)).toEqual(foreign);
});

test("the places of sets are told of an object as it is kept, alone, and in a list", () => {
  const managedFields = [{ fieldsV1: { "f:data": {} } }, { fieldsV1: {} }, { manager: "none" }];
  const object = { kind: "A", apiVersion: "v1", metadata: { name: "a", uid: "1", managedFields } };
  const stored = encodeStored(object, ["x"]);
  const sets = ['{"f:data":{}}', "{}"];
  const item = Buffer.alloc(itemSize(stored));
  writeItem(item, 0, { value: stored, revision: 123 });
  for (const [bytes, places] of [
    [storedJson(stored), setPlaces(stored, 0, "object")],
    [renderObject(stored, 123), setPlaces(stored, 123, "object")],
    [item, setPlaces(stored, 123, "item")],
  ] as const) {
    const told = sets.map((_, at) => bytes.subarray(places[2 * at], places[2 * at + 1]));
    expect(told.map((set) => Buffer.from(set).toString())).toEqual(sets);
    expect(places).toHaveLength(4);
  }
});

test("what was decoded from many bytes is known as large", () => {
  const of = (content: string): Buffer =>
    encodeStored({ kind: "T", apiVersion: "v1", metadata: { name: "a", uid: "1" }, content }, []);
  expect(isLargeObject(decodeStored(of("x"), 1))).toBe(false);
  expect(isLargeObject(decodeStored(of("x".repeat(200_000)), 1))).toBe(true);
  expect(isLargeObject(undefined)).toBe(false);
});
