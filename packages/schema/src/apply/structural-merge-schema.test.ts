import type { JsonValue } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import { expect, test } from "vitest";
import { parseStructuralSchema } from "../structural/structural-schema.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { printFieldsV1 } from "./fields-v1.ts";
import { extractItems, removeItems } from "./remove-items.ts";
import { structuralMergeSchema } from "./structural-merge-schema.ts";
import { validateValue } from "./validate-value.ts";

function typeOf(properties: Record<string, JSONSchemaProps>) {
  return structuralMergeSchema(parseStructuralSchema({ type: "object", properties }));
}

const text: JSONSchemaProps = { type: "string" };
const widgets = typeOf({
  set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
  list: { type: "array", items: text },
  map: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name", "kind"],
    items: {
      type: "object",
      properties: { name: text, kind: { type: "string", default: "k" }, value: text },
    },
  },
  atomic: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: text } },
  inner: { type: "object", "x-kubernetes-embedded-resource": true },
});
const value: JsonValue = {
  metadata: { labels: { l: "1" } },
  set: ["b", "a"],
  list: ["x"],
  map: [{ name: "n", value: "1" }],
  atomic: { a: "1" },
  free: { a: "1", b: { c: ["d"] } },
  inner: { kind: "K", metadata: { name: "i" } },
};

test("the schema tells what is one field", () => {
  expect(() => validateValue(value, widgets)).not.toThrow();
  expect(printFieldsV1(fieldSetOf(value, widgets))).toEqual({
    "f:atomic": {},
    "f:free": { "f:a": {}, "f:b": { ".": {}, "f:c": {} } },
    "f:inner": { "f:kind": {}, "f:metadata": { "f:name": {} } },
    "f:list": {},
    "f:map": { 'k:{"kind":"k","name":"n"}': { ".": {}, "f:name": {}, "f:value": {} } },
    "f:metadata": { "f:labels": { "f:l": {} } },
    "f:set": { 'v:"a"': {}, 'v:"b"': {} },
  });
});

test.each([
  [{ unknown: 1 }, ".unknown: field not declared in schema"],
  [{ set: ["a", "a"] }, '.set: duplicate entries for key [="a"]'],
  [
    { map: [{ name: "n" }, { name: "n", kind: "k" }] },
    '.map: duplicate entries for key [kind="k",name="n"]',
  ],
  [{ atomic: { a: 1 } }, ".atomic.a: expected string, got &value.valueUnstructured{Value:1}"],
  [{ list: [1] }, ".list[0]: expected string"],
])("%j does not fit it", (given, message) => {
  expect(() => validateValue(given, widgets)).toThrow(message);
});

test("what is removed and what is extracted are the two parts of a value", () => {
  const items = fieldSetOf({ set: ["a"], map: [{ name: "n", value: "1" }] }, widgets);
  expect(
    removeItems({ set: ["a", "b"], map: [{ name: "n" }, { name: "m" }] }, items, widgets),
  ).toEqual({
    set: ["b"],
    map: [{ name: "m" }],
  });
  expect(extractItems({ set: ["a", "b"], list: ["x"] }, items, widgets)).toEqual({ set: ["a"] });
});
