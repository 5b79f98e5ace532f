import type { JsonValue } from "@homeostat/object-model";
import { array, assert, constantFrom, jsonValue, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { JsonPath } from "./json-path.ts";

const object: JsonValue = {
  spec: {
    size: 3,
    "a.b": "dotted",
    parts: [
      { name: "p1", kind: "x", weight: 1 },
      { name: "p2", kind: "y", weight: 2.5, inner: { deep: "found" } },
      { name: "p3", kind: "y", weight: 3 },
    ],
    empty: null,
  },
  constructor: "plain data",
};

test.for<[string, JsonValue[]]>([
  [".spec.size", [3]],
  ["$.spec.size", [3]],
  [".spec['size']", [3]],
  [".spec.a\\.b", ["dotted"]],
  [".spec['a\\.b']", ["dotted"]],
  [".constructor", ["plain data"]],
  [".toString", []],
  [".spec.nothing.deeper", []],
  [".spec.empty", [null]],
  [".spec.empty.deeper", []],
  [".spec.empty[0]", []],
  [".spec.parts[0].name", ["p1"]],
  [".spec.parts[-1].name", ["p3"]],
  [".spec.parts[-1:].name", ["p3"]],
  [".spec.parts[1:].name", ["p2", "p3"]],
  [".spec.parts[0:3:2].name", ["p1", "p3"]],
  [".spec.parts[1:1].name", []],
  [".spec.parts[*].name", ["p1", "p2", "p3"]],
  [".spec.parts[0,2].name", ["p1", "p3"]],
  [".spec.parts[0]['name','kind']", ["p1", "x"]],
  [".spec.parts.*.name", ["p1", "p2", "p3"]],
  ["..deep", ["found"]],
  ['.spec.parts[?(@.kind=="y")].name', ["p2", "p3"]],
  [".spec.parts[?(@.kind=='y')].name", ["p2", "p3"]],
  [".spec.parts[?(@.kind!='y')].name", ["p1"]],
  [".spec.parts[?(@.inner)].name", ["p2"]],
  [".spec.parts[?(@.name>='p2')].name", ["p2", "p3"]],
  [".spec.parts[?(@.nothing=='y')].name", []],
])("%s", ([path, found]) => {
  expect(JsonPath.parse(path)!.find(object)).toEqual(found);
});

test.for([
  [".spec.parts[7].name", "array index out of bounds: index 7, length 3"],
  [".spec.parts[2:1]", "array index out of bounds"],
  [".spec.parts[0:9]", "array index out of bounds"],
  [".spec.size[0]", "what is sliced is no list"],
  [".spec.size[?(@.a)]", "what is filtered is no list"],
  [".spec.parts[?(@.weight>1)].name", "incompatible types for comparison"],
  [".spec.parts[?(@.weight=='1')].name", "incompatible types for comparison"],
  [".spec.parts[?(@.*=='p1')]", "can only compare one element at a time"],
  [".spec.parts[?(@.kind=!'y')]", "unrecognized filter operator =!"],
  [".spec.parts[::0]", "step must be > 0"],
  ["range", "unrecognized identifier range"],
] as const)("%s does not fit, which is no value: %s", ([path, why]) => {
  expect(() => JsonPath.parse(path)!.find(object)).toThrow(why);
  expect(JsonPath.parse(path)!.first(object)).toBeUndefined();
});

test.for([".a[", ".a[x]", ".a[?(@.b]", ".a[?(@.b)", '.a["x', "....", ".a}"])(
  "%s is no path",
  (text) => {
    expect(JsonPath.parse(text)).toBeUndefined();
  },
);

test("any text is a path or none, and any path finds something or nothing", () => {
  const piece = constantFrom(".a", "..", "[0]", "[*]", "[?(@.a==1)]", "['b']", "[-1:]", "*", " ");
  const text = oneof(
    string(),
    array(piece).map((pieces) => pieces.join("")),
  );
  assert(
    property(text, jsonValue(), (path, value) => {
      expect(() => JsonPath.parse(path)?.first(value as JsonValue)).not.toThrow();
    }),
  );
});

test("a path that multiplies what it finds is given up", () => {
  let value: JsonValue = 1;
  for (let depth = 0; depth < 500; depth++) value = { a: value };
  expect(JsonPath.parse("..a..a..a..a")!.first(value)).toBeUndefined();
}, 20_000);
