import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { compareRecordings } from "./compare.ts";

function differencesOf(expected: JsonObject[], got: JsonObject[]) {
  const steps = (answers: JsonObject[]) =>
    answers.map((answer, i) => ({ id: String(i + 1), answer }));
  const { differences, compared } = compareRecordings({
    topic: "t",
    scenario: "s",
    expected: steps(expected),
    got: steps(got),
  });
  return {
    compared,
    told: differences.map(({ step, path, expected: e, got: g }) => [step, path, e, g]),
  };
}

const ok = (body: JsonObject): JsonObject => ({ status: 200, body });

test("equal answers have no differences, and every value counts", () => {
  const body = { a: [1, { b: null }], c: "x" };
  expect(differencesOf([ok(body)], [ok(body)])).toEqual({ compared: 4, told: [] });
});

test("values, missing and additional ones, and the order of keys are told by path", () => {
  const { told } = differencesOf(
    [ok({ a: 1, b: { x: [1, 2] }, only: true })],
    [ok({ b: { x: [1] }, a: 2, more: false })],
  );
  expect(told).toEqual([
    ["1", "body.a", 1, 2],
    ["1", "body.b.x{length}", [1, 2], [1]],
    ["1", "body.only", true, undefined],
    ["1", "body.more", undefined, false],
    ["1", "body{order}", "a b", "b a"],
  ]);
});

test("an answer of another status or kind is one difference, and later ranks follow from it", () => {
  const failure = { status: 404, body: { kind: "Status", message: "gone", code: 404 } };
  const { told } = differencesOf(
    [ok({ kind: "Pod", n: 1 }), ok({ rv: "rv2", other: "x" })],
    [failure, ok({ rv: "rv1", other: "y" })],
  );
  expect(told).toEqual([
    ["1", "answer", ok({ kind: "Pod", n: 1 }), { status: 404, message: "gone" }],
    ["2", "body.other", "x", "y"],
  ]);
  expect(differencesOf([ok({ kind: "Pod" })], [ok({ kind: "Status" })]).told).toHaveLength(1);
});

test("ranks that differ by themselves are differences", () => {
  expect(differencesOf([ok({ rv: "rv2" })], [ok({ rv: "rv1" })]).told).toHaveLength(1);
});

test("missing and additional steps are told", () => {
  expect(differencesOf([ok({})], []).told).toEqual([["1", "answer", ok({}), undefined]]);
  expect(differencesOf([], [ok({})]).told).toEqual([["1", "answer", undefined, ok({})]]);
});

test("keys that every object inherits are data", () => {
  const special = JSON.parse('{"__proto__":1,"constructor":2}') as JsonObject;
  expect(differencesOf([ok(special)], [ok({})]).told).toEqual([
    ["1", "body.__proto__", 1, undefined],
    ["1", "body.constructor", 2, undefined],
  ]);
});
