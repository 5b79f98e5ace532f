import type { JsonValue } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { jsonPatchOperations } from "./json-patch-operations.ts";

test("a list of operations is taken as it is, and null is none", () => {
  const patch = [{ op: "add", path: "/a", value: 5, from: null }, null];
  expect(jsonPatchOperations(patch)).toBe(patch);
  expect(jsonPatchOperations(null)).toEqual([]);
});

test.for<[JsonValue, string]>([
  [{}, "cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
  ["x", "cannot unmarshal string into Go value of type []handlers.jsonPatchOp"],
  [[1], "cannot unmarshal number into Go value of type handlers.jsonPatchOp"],
  [[[]], "cannot unmarshal array into Go value of type handlers.jsonPatchOp"],
  [[{ op: 5 }], "cannot unmarshal number into Go struct field jsonPatchOp.op of type string"],
  [[{ path: true }], "cannot unmarshal bool into Go struct field jsonPatchOp.path of type string"],
])("%j is refused in Go's words", ([patch, message]) => {
  expect(() => jsonPatchOperations(patch)).toThrow(`error decoding patch: json: ${message}`);
});
