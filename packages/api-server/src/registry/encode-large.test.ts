import type { KubernetesObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { encodeFor } from "./companion-commit.ts";
import { encodeLarge } from "./encode-large.ts";
import { ResourceTable } from "./resource-table.ts";

const table = new ResourceTable();

function entry(manager: string, fields: readonly string[]): object {
  const fieldsV1 = { "f:data": Object.fromEntries(fields.map((name) => [`f:${name}`, {}])) };
  return { manager, operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1 };
}

function large(metadata: object, content: object): KubernetesObject {
  return { metadata: { name: "a", uid: "1", ...metadata }, ...content };
}

const keys = Array.from({ length: 9_000 }, (_, at) => `key-${(at * 7_919) % 9_001}`);
const texts = (text: string): object => Object.fromEntries(keys.map((key) => [key, text]));
const managedFields = [entry("m", keys), entry("n", ["a"])];
const containers = keys.map((name) => ({ name, image: "i" }));

test.each([
  { what: "many keys", resource: "configmaps", object: large({}, { data: texts("ä") }), steps: 4 },
  { what: "large sets", resource: "configmaps", object: large({ managedFields }, {}), steps: 4 },
  { what: "many items", resource: "pods", object: large({}, { spec: { containers } }), steps: 4 },
  { what: "nothing large", resource: "configmaps", object: large({}, {}), steps: 1 },
])("an object of a type is encoded in steps as at once: $what", ({ resource, object, steps }) => {
  const kind = table.find("", "v1", resource)!.stored;
  const encoding = encodeLarge(kind, structuredClone(object));
  let count = 1;
  let step = encoding.next();
  for (; step.done !== true; step = encoding.next()) count++;
  expect(step.value.equals(encodeFor(kind, object))).toBe(true);
  expect(count).toBeGreaterThan(steps);
});
