import { schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { validateChange, validateNew } from "./validate-object.ts";

const context = { operation: "create", subresource: "", now: 0 } as const;

function problemsOf(kind: string, object: object): readonly string[] {
  const given = { metadata: { name: "x" }, ...object };
  return validateNew(schemaOf(`storage.v1.${kind}`), given, context).map(String);
}

const storageClass = { provisioner: "p", volumeBindingMode: "Immediate" };

test.each<[object, readonly string[]]>([
  [{ provisioner: "" }, ["provisioner: Required value"]],
  [{ reclaimPolicy: "" }, []],
  [
    { reclaimPolicy: "Recycle" },
    ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
  ],
  [
    { volumeBindingMode: "" },
    [
      'volumeBindingMode: Unsupported value: "": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
  ],
  [{ parameters: { "": "x" } }, ['parameters: Invalid value: "": field can not be empty.']],
  [
    { parameters: { a: "x".repeat(256 * 1024) } },
    ["parameters: Too long: may not be more than 262144 bytes"],
  ],
  [
    { allowedTopologies: [{ matchLabelExpressions: [{ key: "a", values: ["x", "x"] }] }] },
    ['allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "x"'],
  ],
])("a storage class: %j", (more, expected) => {
  expect(problemsOf("StorageClass", { ...storageClass, ...more })).toEqual(expected);
});

test("two topologies are the same whatever the order of their keys and values", () => {
  const one = { key: "a", values: ["x", "y"] };
  const two = { key: "b", values: ["1"] };
  const allowedTopologies = [
    { matchLabelExpressions: [one, two] },
    { matchLabelExpressions: [two, { key: "a", values: ["y", "x"] }] },
  ];
  expect(problemsOf("StorageClass", { ...storageClass, allowedTopologies })).toEqual([
    'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
  ]);
});

test("an empty topology repeats one that nobody wrote, once for each topology there is", () => {
  const allowedTopologies = [{}, { matchLabelExpressions: [{ key: "a", values: ["x"] }] }];
  expect(problemsOf("StorageClass", { ...storageClass, allowedTopologies })).toEqual([
    'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""',
    'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""',
  ]);
});

test("a class of attributes has attributes, and never changes", () => {
  expect(problemsOf("VolumeAttributesClass", { driverName: "d" })).toEqual([
    "parameters: Required value: must contain at least one key/value pair",
  ]);
  const old = { metadata: { name: "x" }, driverName: "d", parameters: { a: "b" } };
  const value = { metadata: { name: "x" }, driverName: "e" };
  const schema = schemaOf("storage.v1.VolumeAttributesClass");
  expect(validateChange(schema, { value, old }, context).map(String)).toEqual([
    "driverName: Forbidden: updates to driverName are forbidden.",
    "parameters: Forbidden: updates to parameters are forbidden.",
    "parameters: Required value: must contain at least one key/value pair",
  ]);
});
