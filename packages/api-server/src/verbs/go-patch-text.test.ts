import type { JsonValue } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import { goPrint, restoreProblem } from "./go-patch-text.ts";

test("a patch prints as Go prints maps: keys in order, no quotes", () => {
  expect(goPrint({ b: [1, null, "x"], a: { c: true } })).toBe("map[a:map[c:true] b:[1 <nil> x]]");
});

test.for<[string, JsonValue, string]>([
  [
    "number into Go struct field PodSpec.spec.nodeName of type string",
    5,
    "cannot convert int64 to string",
  ],
  [
    "number into Go struct field PodSpec.spec.nodeName of type string",
    1.5,
    "unrecognized type: string",
  ],
  [
    "number 1.5 into Go struct field PodSpec.spec.priority of type int32",
    1.5,
    "cannot convert float64 to int32",
  ],
  [
    "string into Go struct field PodSpec.spec.priority of type int32",
    "x",
    "unrecognized type: int32",
  ],
  [
    "string into Go struct field Pod.spec of type v1.PodSpec",
    "x",
    "cannot restore struct from: string",
  ],
  [
    "object into Go struct field PodSpec.spec.containers of type []v1.Container",
    {},
    "cannot restore slice from map",
  ],
  [
    "number into Go struct field ObjectMeta.metadata.labels of type map[string]string",
    5,
    "cannot restore map from int64",
  ],
])("%s is said in strategic merge's words", ([mismatch, value, expected]) => {
  const error = new ObjectDecodeError(`json: cannot unmarshal ${mismatch}`);
  expect(restoreProblem(error, { spec: { field: value } })).toBe(expected);
});

test("what a type says of itself is left as it is", () => {
  const inner = "json: cannot unmarshal object into Go value of type int32";
  expect(restoreProblem(new ObjectDecodeError("elsewhere", { inner }), {})).toBe(inner);
});
