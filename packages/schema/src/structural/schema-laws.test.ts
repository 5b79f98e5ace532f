/** What holds for every schema and every value. */
import { finishNow } from "@homeostat/cel";
import {
  cloneJson,
  decodeJson,
  encodeJson,
  type JsonObject,
  type JsonValue,
  setOwnKey,
} from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applySchemaDefaults } from "../defaulting/apply-schema-defaults.ts";
import { dropNulls, prune } from "../pruning/prune.ts";
import { checkListTypes } from "../validation/list-types.ts";
import { validateAgainst, validateChangeAgainst } from "../validation/validate-against.ts";
import { parseStructuralSchema, type StructuralSchema } from "./structural-schema.ts";

const names = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "kind", "metadata");

function named<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const map: Record<string, T> = {};
  for (const [name, value] of entries) setOwnKey(map, name, value);
  return map;
}

const scalars: fc.Arbitrary<JSONSchemaProps> = fc.oneof(
  fc.record(
    {
      type: fc.constant("string"),
      maxLength: fc.nat(4),
      nullable: fc.boolean(),
      enum: fc.constantFrom<string[]>(["a", "bb"]),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constant("integer"),
      minimum: fc.integer({ min: -3, max: 3 }),
      nullable: fc.boolean(),
    },
    { requiredKeys: ["type"] },
  ),
  fc.constant({ type: "boolean" }),
  fc.constant({ type: "number", multipleOf: 0.5 }),
  fc.constant({ "x-kubernetes-int-or-string": true }),
  fc.constant({ "x-kubernetes-preserve-unknown-fields": true }),
);

const { schema: schemas } = fc.letrec<{ schema: JSONSchemaProps }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalars,
    fc
      .tuple(
        fc.array(fc.tuple(names, tie("schema")), { maxLength: 4 }),
        fc.record(
          {
            required: fc.array(names, { maxLength: 2 }),
            "x-kubernetes-preserve-unknown-fields": fc.constant(true),
            nullable: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
      )
      .map(([properties, rest]) =>
        Object.assign(rest, { type: "object", properties: named(properties) }),
      ),
    tie("schema").map((additionalProperties) => ({ type: "object", additionalProperties })),
    fc.record(
      {
        type: fc.constant("array"),
        items: tie("schema"),
        "x-kubernetes-list-type": fc.constantFrom("atomic", "set"),
      },
      { requiredKeys: ["type", "items"] },
    ),
  ),
}));

const leaves = fc.oneof(
  fc.constantFrom<JsonValue[]>(
    null,
    true,
    0,
    1,
    -7,
    2.5,
    9007199254740993n,
    "",
    "a",
    "bb",
    "abcdef",
  ),
);

const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaves,
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie("value")), { maxLength: 5 })
      .map((entries) => named(entries) as JsonObject),
  ),
}));

/** Puts defaults that the schema allows wherever a value of the stream is one. */
function withDefaults(
  source: JSONSchemaProps,
  candidates: readonly JsonValue[],
  depth = 0,
): JSONSchemaProps {
  const inner = { ...source };
  if (source.properties !== undefined) {
    inner.properties = named(
      Object.entries(source.properties).map(([name, property], index) => {
        const below = withDefaults(property, candidates, depth + 1);
        const fitting = candidates.filter((value) => isDefaultFor(value, below));
        const chosen = fitting[(index + depth) % (fitting.length + 1)];
        return [name, chosen === undefined ? below : { ...below, default: chosen }];
      }),
    );
  }
  if (typeof source.items === "object" && !Array.isArray(source.items)) {
    inner.items = withDefaults(source.items, candidates, depth + 1);
  }
  return inner;
}

function isDefaultFor(value: JsonValue, source: JSONSchemaProps): boolean {
  if (value === null) return false;
  const schema = parseStructuralSchema(source);
  const whole = cloneJson(value);
  if (prune(whole, schema, { isResource: false }).length > 0) return false;
  dropNulls(whole, schema);
  applySchemaDefaults(whole, schema);
  return validateAgainst(value, schema).length === 0 && isValid(whole, schema);
}

function isValid(value: JsonValue, schema: StructuralSchema): boolean {
  return (
    validateAgainst(value, schema).length === 0 &&
    finishNow(checkListTypes(value, schema)).length === 0
  );
}

const defaulted = fc
  .tuple(schemas, fc.array(values, { maxLength: 6 }))
  .map(([source, candidates]) => withDefaults(source, candidates));

test("pruning twice drops nothing more", () => {
  fc.assert(
    fc.property(schemas, values, fc.boolean(), (source, given, isResource) => {
      const schema = parseStructuralSchema(source);
      const value = cloneJson(given);
      prune(value, schema, { isResource });
      const once = cloneJson(value);
      expect(prune(value, schema, { isResource })).toEqual([]);
      expect(value).toEqual(once);
    }),
  );
});

test("what pruning reports is what it drops, sorted", () => {
  fc.assert(
    fc.property(schemas, values, (x, given) => {
      // At the top apiVersion, kind and metadata go without a word.
      const schema = parseStructuralSchema({ type: "object", properties: { x } });
      const value = { x: cloneJson(given) };
      const dropped = prune(value, schema);
      expect(dropped).toEqual(dropped.toSorted());
      expect(encodeJson(value.x) === encodeJson(given)).toBe(dropped.length === 0);
    }),
  );
});

test("defaulting twice adds nothing more, and never changes what is there", () => {
  fc.assert(
    fc.property(defaulted, values, (source, original) => {
      const schema = parseStructuralSchema(source);
      const value = cloneJson(original);
      dropNulls(value, schema);
      const given = cloneJson(value);
      applySchemaDefaults(value, schema);
      const once = cloneJson(value);
      applySchemaDefaults(value, schema);
      expect(value).toEqual(once);
      expect(keepsAll(given, value)).toBe(true);
    }),
  );
});

/** Whether everything that is not null is still there. */
function keepsAll(given: JsonValue, now: JsonValue): boolean {
  if (given === null) return true;
  if (typeof given !== "object") return given === now;
  if (typeof now !== "object" || now === null) return false;
  return Object.keys(given).every(
    (key) =>
      (given as JsonObject)[key] === null ||
      (Object.hasOwn(now, key) && keepsAll((given as JsonObject)[key]!, (now as JsonObject)[key]!)),
  );
}

test("a valid value that is pruned stays valid when it is defaulted", () => {
  let valid = 0;
  fc.assert(
    fc.property(defaulted, values, (source, given) => {
      const schema = parseStructuralSchema(source);
      const value = cloneJson(given);
      // First, because what is required and not declared is pruned too.
      prune(value, schema, { isResource: false });
      dropNulls(value, schema);
      if (!isValid(value, schema)) return;
      valid++;
      applySchemaDefaults(value, schema);
      expect(validateAgainst(value, schema)).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(valid).toBeGreaterThan(10);
});

test("a JSON round trip loses nothing and changes no verdict", () => {
  fc.assert(
    fc.property(schemas, values, (source, value) => {
      const schema = parseStructuralSchema(source);
      const again = decodeJson(encodeJson(value));
      expect(again).toEqual(value);
      expect(validateAgainst(again, schema).map(String)).toEqual(
        validateAgainst(value, schema).map(String),
      );
    }),
  );
});

test("an update is never asked more than a create", () => {
  fc.assert(
    fc.property(schemas, values, values, (source, value, old) => {
      const schema = parseStructuralSchema(source);
      const onCreate = new Set(validateAgainst(value, schema).map(String));
      const onUpdate = finishNow(validateChangeAgainst({ value, old }, schema)).map(String);
      expect(onUpdate.filter((error) => !onCreate.has(error))).toEqual([]);
    }),
  );
});
