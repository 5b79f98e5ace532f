/**
 * Structural schemas and values that fit them, for property tests. Values hold no empty lists or maps:
 * kube-apiserver's merge, and so ours, lets nobody own those.
 */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import * as fc from "fast-check";

/** A schema, and how to make values of it. */
export interface Shape {
  readonly schema: JsonObject;
  readonly value: fc.Arbitrary<JsonValue>;
}

const word = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "日本", "x.y/z");
const names = ["one", "two", "three", "four", "five"] as const;

const text: Shape = { schema: { type: "string" }, value: word };
const integer: Shape = {
  schema: { type: "integer" },
  value: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(2n ** 53n + 1n)),
};
const flag: Shape = { schema: { type: "boolean" }, value: fc.boolean() };
const either: Shape = {
  schema: { "x-kubernetes-int-or-string": true },
  value: fc.oneof(fc.integer({ min: 0, max: 3 }), word),
};
const withDefault: Shape = { schema: { type: "integer", default: 7 }, value: integer.value };
const scalar = fc.constantFrom(text, integer, flag, either, withDefault);

const set: Shape = {
  schema: { type: "array", items: text.schema, "x-kubernetes-list-type": "set" },
  value: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
};
const atomicList: Shape = {
  schema: { type: "array", items: integer.schema },
  value: fc.array(integer.value, { minLength: 1, maxLength: 3 }),
};

function keyed(inner: Shape): Shape {
  return {
    schema: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["key", "side"],
      items: {
        type: "object",
        required: ["key"],
        properties: {
          key: { type: "string" },
          side: { type: "integer", default: 1 },
          inner: inner.schema,
        },
      },
    },
    value: fc
      .uniqueArray(fc.tuple(word, fc.constantFrom(undefined, 2), fc.option(inner.value)), {
        minLength: 1,
        maxLength: 3,
        selector: ([key, side]) => `${key} ${side ?? 1}`,
      })
      .map((elements) =>
        elements.map(([key, side, value]) => ({
          key,
          ...(side !== undefined && { side }),
          ...(value !== null && { inner: value }),
        })),
      ),
  };
}

function mapOf(inner: Shape, type: "atomic" | "granular"): Shape {
  return {
    schema: { type: "object", additionalProperties: inner.schema, "x-kubernetes-map-type": type },
    value: fc
      .uniqueArray(fc.tuple(word, inner.value), {
        minLength: 1,
        maxLength: 3,
        selector: ([key]) => key,
      })
      .map((entries) => Object.fromEntries(entries)),
  };
}

/** An object with some of five fields, of which values have some. */
export function objectShape(depth: number): fc.Arbitrary<Shape> {
  const field = depth === 0 ? scalar : fc.oneof({ weight: 1, arbitrary: scalar }, composite(depth));
  return fc.array(field, { minLength: 1, maxLength: names.length }).map((shapes) => {
    const fields = shapes.map((shape, index) => [names[index]!, shape] as const);
    return {
      schema: {
        type: "object",
        properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
      },
      value: fc
        .record<JsonObject>(Object.fromEntries(fields.map(([name, { value }]) => [name, value])), {
          requiredKeys: [],
          noNullPrototype: true,
        })
        .filter((object) => Object.keys(object).length > 0),
    };
  });
}

function composite(depth: number): fc.Arbitrary<Shape> {
  const inner = fc.oneof(scalar, objectShape(depth - 1));
  return fc.oneof(
    fc.constantFrom(set, atomicList),
    inner.map(keyed),
    inner.map((shape) => mapOf(shape, "granular")),
    inner.map((shape) => mapOf(shape, "atomic")),
    objectShape(depth - 1),
  );
}
