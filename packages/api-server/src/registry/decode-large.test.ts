import { finishNow } from "@homeostat/cel";
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { decodeLarge } from "./decode-large.ts";
import { decodeStored, encodeUntyped, isLargeObject, isLargeStored } from "./stored-object.ts";

function widget(texts: string): JsonObject {
  const names = Array.from({ length: 5_000 }, (_, at) => `name-${at}`);
  const fieldsV1 = { "f:spec": Object.fromEntries(names.map((name) => [`f:${name}`, {}])) };
  const managedFields = [
    { fieldsV1: { "f:metadata": { "f:labels": {} } }, manager: "small", operation: "Apply" },
    { manager: "without", operation: "Update" },
    { fieldsV1, manager: "large", operation: "Update" },
  ];
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { labels: { a: "b" }, managedFields, name: "a", uid: "1" },
    spec: Object.fromEntries(names.map((name) => [name, texts])),
  };
}

for (const [what, texts] of [
  ["plain texts", "value of it"],
  ["texts beyond ASCII, whose sets have no places", "größer als £"],
] as const) {
  test(`a large object is decoded in steps as at once: ${what}`, () => {
    const stored = encodeUntyped(widget(texts), { fields: [], mark: 1 });
    expect(isLargeStored(stored)).toBe(true);
    const steps = decodeLarge(stored, 7);
    steps.next();
    const copy = Uint8Array.from(stored);
    // What the store does with its memory meanwhile does not matter.
    stored.fill(0);
    const decoded = finishNow(steps);
    expect(decoded).toEqual(decodeStored(copy, 7));
    expect(decoded.metadata?.resourceVersion).toBe("7");
    expect(isLargeObject(decoded)).toBe(true);
  });
}

test("a dry run of a large object has no resource version", () => {
  const stored = encodeUntyped(widget("x".repeat(20)), { fields: [], mark: 1 });
  expect(finishNow(decodeLarge(stored, 0)).metadata).not.toHaveProperty("resourceVersion");
});
