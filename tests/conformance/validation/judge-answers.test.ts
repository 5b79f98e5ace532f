import { expect, test } from "vitest";
import { differencesOf, shapeOf } from "./judge-answers.ts";
import { refusal } from "./refusal.ts";

const sent = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } };
const one = { field: "spec.a[0]", reason: "FieldValueRequired", message: "Required value" };
const two = { field: "spec.b", reason: "FieldValueInvalid", message: "Invalid value: 5: no" };
const refused = (...causes: (typeof one)[]) => ({
  status: 422,
  warnings: [] as string[],
  body: refusal(sent, causes),
});
const accepted = { status: 201, warnings: ['299 - "w"'], body: sent };

test("equal answers differ in nothing", () => {
  expect(differencesOf(refused(one, two), refused(one, two))).toEqual([]);
  expect(differencesOf(accepted, accepted)).toEqual([]);
});

test("causes are missing, too many or in another order", () => {
  expect(differencesOf(refused(one, two), refused(one))).toEqual([
    "- spec.b: FieldValueInvalid: Invalid value: 5: no",
  ]);
  expect(differencesOf(accepted, refused(one))).toEqual([
    "+ spec.a[0]: FieldValueRequired: Required value",
  ]);
  expect(differencesOf(refused(one, two), refused(two, one))).toHaveLength(1);
  expect(differencesOf({ ...refused(one, two), unordered: true }, refused(two, one))).toEqual([]);
  const elsewhere = { ...one, field: "spec.a[1]" };
  expect(differencesOf({ ...refused(one, two), unordered: true }, refused(two, elsewhere))).toEqual(
    [],
  );
});

test("whole messages, objects, statuses and warnings count", () => {
  const other = { ...refused(one), body: { ...refused(one).body, message: "x" } };
  expect(differencesOf(refused(one), other)).toHaveLength(1);
  expect(differencesOf(accepted, { ...accepted, body: { ...sent, spec: {} } })).toEqual([
    "object: -spec",
  ]);
  expect(differencesOf(accepted, { ...accepted, warnings: [] })).toEqual(['- warning: 299 - "w"']);
  expect(differencesOf(accepted, { ...accepted, status: 200 })).toEqual([
    "status: expected 201, got 200",
  ]);
});

test("managed fields count by their digest, and are told where they are known", () => {
  const left = { ...accepted, managers: "a", managedFields: [{ manager: "x" }] };
  const right = { ...accepted, managers: "b", managedFields: [{ manager: "y" }] };
  expect(differencesOf(left, left)).toEqual([]);
  expect(differencesOf(left, right)).toEqual(['managedFields: [0].manager="x"']);
  expect(differencesOf({ ...accepted, managers: "a" }, right)).toHaveLength(1);
});

test("differences of one rule have one shape", () => {
  const shape = (value: string, at: number) =>
    shapeOf(`- spec.a[${at}]: FieldValueInvalid: Invalid value: ${value}: must be between 1 and 5`);
  expect(shape('"x"', 0)).toBe(shape('"y: z"', 3));
  expect(shape("-1", 0)).toBe(shape('{"a":1}', 3));
  expect(shapeOf("object: spec.a[1]=5")).toBe(shapeOf("object: spec.a[2]={}"));
});
