import { decodeJson, encodeJson, type JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { parseStructuralSchema } from "../structural/structural-schema.ts";
import { dropNulls, prune } from "./prune.ts";

const schema = parseStructuralSchema({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
        any: { type: "object", additionalProperties: true },
        keep: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { inner: { type: "object", properties: { a: { type: "string" } } } },
        },
        text: { type: "string" },
        nullable: { type: "string", nullable: true },
      },
    },
  },
});

test("unknown fields are dropped and named as kube-apiserver names them", () => {
  const object: JsonObject = {
    apiVersion: "v1",
    kind: "K",
    metadata: { name: "x", foo: 1 },
    extra: 1,
    spec: { list: [{ a: "1" }, { b: 2 }], any: { deep: { x: 1 } }, zebra: { a: { b: 1 } } },
  };
  expect(prune(object, schema)).toEqual([
    "extra",
    "spec.any.deep.x",
    "spec.list[1].b",
    "spec.zebra",
  ]);
  expect(object).toEqual({
    apiVersion: "v1",
    kind: "K",
    metadata: { name: "x", foo: 1 },
    spec: { list: [{ a: "1" }, {}], any: { deep: {} } },
  });
});

test("what keeps unknown fields keeps them, but not below what it declares", () => {
  const object: JsonObject = { spec: { keep: { other: { x: 1 }, inner: { a: "1", b: 2 } } } };
  expect(prune(object, schema)).toEqual(["spec.keep.inner.b"]);
  expect(object).toEqual({ spec: { keep: { other: { x: 1 }, inner: { a: "1" } } } });
});

test("without a report nothing is listed", () => {
  const object: JsonObject = { extra: 1 };
  expect(prune(object, schema, { report: false })).toEqual([]);
  expect(object).toEqual({});
});

test("nulls go where null is no value", () => {
  const object: JsonObject = { spec: { text: null, nullable: null, unknown: null }, other: null };
  dropNulls(object, schema);
  expect(object).toEqual({ spec: { nullable: null, unknown: null }, other: null });
});

test("values may be deeper than the stack", () => {
  const deep = `${"[".repeat(9000)}{"x":null}${"]".repeat(9000)}`;
  const object = decodeJson(`{"spec":{"any":{"a":${deep}},"keep":{"b":${deep}}}}`) as JsonObject;
  expect(prune(object, schema)).toHaveLength(1);
  dropNulls(object, schema);
  expect(encodeJson(object)).toHaveLength(
    encodeJson({ spec: { any: {}, keep: {} } }).length + 36_020,
  );
});
