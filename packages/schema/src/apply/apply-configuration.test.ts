import { finishNow } from "@homeostat/cel";
import { equalJson, type JsonObject, type JsonValue, schemaOf } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyConfiguration } from "./apply-configuration.ts";
import { builtinMergeSchema } from "./builtin-merge-schema.ts";
import { difference, equalSets, hasPath, isEmptySet, pathsOf, union } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { printFieldsV1 } from "./fields-v1.ts";
import { ApplyConflictError, type Managers, type MergeContext } from "./managers.ts";
import { type MergeField, type MergeSchema, scalarSchema } from "./merge-schema.ts";
import { withNamedFields } from "./named-fields.ts";
import { fieldElement, printFieldPath } from "./path-element.ts";
import { updateManagers } from "./update-managers.ts";
import { validateValue } from "./validate-value.ts";

const context: MergeContext = { convert: (object) => object, filter: (set) => set };

function versioned(value: JsonValue, schema: MergeSchema) {
  return { apiVersion: "v1", value, schema };
}

/** One object and who owns what of it. */
class World {
  value: JsonValue = {};
  managers: Managers = new Map();
  readonly #schema: MergeSchema;

  constructor(schema: MergeSchema) {
    this.#schema = schema;
  }

  apply(manager: string, configuration: JsonObject, force = false): boolean {
    const live = versioned(this.value, this.#schema);
    const { object, managers } = finishNow(
      applyConfiguration({
        live,
        configuration: versioned(configuration, this.#schema),
        managers: this.managers,
        manager,
        force,
        context,
      }),
    );
    this.managers = managers;
    if (object !== undefined) this.value = object.value;
    return object !== undefined;
  }

  update(manager: string, value: JsonObject): void {
    this.managers = finishNow(
      updateManagers({
        live: versioned(this.value, this.#schema),
        object: versioned(value, this.#schema),
        managers: this.managers,
        manager,
        context,
      }),
    );
    this.value = value;
  }

  owned(manager: string): string[] {
    const set = this.managers.get(manager)?.set ?? {};
    return Array.from(pathsOf(set), printFieldPath).sort();
  }
}

const text = scalarSchema("string");
const field = (type: MergeSchema, value?: JsonValue): MergeField => ({ type, default: value });
const struct = (fields: Record<string, MergeSchema>): MergeSchema => ({
  scalar: undefined,
  list: undefined,
  map: {
    relation: "granular",
    fields: new Map(Object.entries(fields).map(([name, type]) => [name, field(type)])),
    element: undefined,
    deduced: false,
  },
});
const mapOf = (
  element: MergeSchema,
  relation: "atomic" | "granular" = "granular",
): MergeSchema => ({
  scalar: undefined,
  list: undefined,
  map: { relation, fields: new Map(), element, deduced: false },
});
const listOf = (
  element: MergeSchema,
  relation: "associative" | "atomic",
  keys: readonly string[] = [],
): MergeSchema => ({ scalar: undefined, list: { relation, keys, element }, map: undefined });

/** A type together with the values it has; containers are never empty. */
interface Typed {
  readonly schema: MergeSchema;
  readonly values: fc.Arbitrary<JsonValue>;
}

const word = fc.constantFrom("a", "b", "c", "constructor");
const leaf: Typed = { schema: text, values: fc.constantFrom("1", "2", "3") };

const types: fc.Arbitrary<Typed> = fc.letrec<{ type: Typed; struct: Typed }>((tie) => ({
  struct: fc
    .dictionary(word, tie("type"), { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    .map((fields): Typed => {
      const entries = Object.entries(fields);
      const schemas = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
      const values = Object.fromEntries(entries.map(([name, each]) => [name, each.values]));
      return {
        schema: struct(schemas),
        values: fc
          .record(values, { requiredKeys: [], noNullPrototype: true })
          .filter((value) => Object.keys(value).length > 0) as fc.Arbitrary<JsonValue>,
      };
    }),
  type: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constant(leaf),
    fc.constant<Typed>({
      schema: listOf(text, "atomic"),
      values: fc.array(word, { minLength: 1, maxLength: 3 }),
    }),
    fc.constant<Typed>({
      schema: listOf(text, "associative"),
      values: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
    }),
    fc.constant<Typed>({
      schema: mapOf(text),
      values: fc.dictionary(word, leaf.values, { minKeys: 1, noNullPrototype: true }),
    }),
    fc.constant<Typed>({
      schema: mapOf(text, "atomic"),
      values: fc.dictionary(word, leaf.values, { minKeys: 1, noNullPrototype: true }),
    }),
    fc.constant<Typed>({
      schema: listOf(struct({ name: text, v: text, w: text }), "associative", ["name"]),
      values: fc.uniqueArray(
        fc.record(
          { name: word, v: leaf.values, w: leaf.values },
          { requiredKeys: ["name"], noNullPrototype: true },
        ) as fc.Arbitrary<JsonObject>,
        { minLength: 1, maxLength: 3, selector: (item) => item["name"] },
      ),
    }),
    tie("struct"),
  ),
})).struct;

interface Step {
  readonly manager: string;
  readonly operation: "apply" | "force" | "update";
  readonly value: JsonObject;
}

const histories: fc.Arbitrary<{ schema: MergeSchema; steps: Step[] }> = types.chain(
  ({ schema, values }) =>
    fc.record({
      schema: fc.constant(schema),
      steps: fc.array(
        fc.record({
          manager: fc.constantFrom("one", "two", "three"),
          operation: fc.constantFrom("apply", "apply", "force", "update"),
          value: values as fc.Arbitrary<JsonObject>,
        }),
        { minLength: 1, maxLength: 8 },
      ),
    }),
);

/** Undefined where the apply was refused. */
function perform(world: World, { manager, operation, value }: Step): boolean | undefined {
  if (operation === "update") {
    world.update(`${manager} updates`, value);
    return true;
  }
  try {
    return world.apply(manager, value, operation === "force");
  } catch (error) {
    if (error instanceof ApplyConflictError) return undefined;
    throw error;
  }
}

test("what is applied is there, and what anybody owns is there", () => {
  fc.assert(
    fc.property(histories, ({ schema, steps }) => {
      const world = new World(schema);
      for (const step of steps) {
        const done = perform(world, step);
        validateValue(world.value, schema);
        const fields = withNamedFields(fieldSetOf(world.value, schema), schema);
        for (const { set } of world.managers.values()) {
          expect(isEmptySet(difference(withNamedFields(set, schema), fields))).toBe(true);
        }
        if (done === undefined) continue;
        const probe = new World(schema);
        probe.value = world.value;
        expect(probe.apply("probe", step.value)).toBe(false);
      }
    }),
  );
});

test("applying the same again changes neither object nor owners", () => {
  fc.assert(
    fc.property(histories, ({ schema, steps }) => {
      const world = new World(schema);
      for (const step of steps) {
        if (perform(world, step) === undefined || step.operation === "update") continue;
        const before = world.managers;
        expect(world.apply(step.manager, step.value)).toBe(false);
        expect([...world.managers.keys()].sort()).toEqual([...before.keys()].sort());
        for (const [name, { set }] of world.managers) {
          expect(equalSets(set, before.get(name)!.set)).toBe(true);
        }
      }
    }),
  );
});

test("no apply loses a field that somebody else owns, unless it takes along what only it had", () => {
  fc.assert(
    fc.property(histories, ({ schema, steps }) => {
      const world = new World(schema);
      for (const step of steps) {
        const others = [...world.managers].filter(([name]) => name !== step.manager);
        const before = world.managers.get(step.manager)?.set ?? {};
        const owned = others.reduce((all, [, { set }]) => union(all, set), {});
        if (perform(world, step) === undefined || step.operation === "update") continue;
        const fields = withNamedFields(fieldSetOf(world.value, schema), schema);
        const lost = difference(withNamedFields(owned, schema), fields);
        for (const path of pathsOf(lost)) {
          const holders = path.slice(1).map((_, at) => path.slice(0, at + 1));
          expect(holders.some((holder) => hasPath(before, holder) && !hasPath(owned, holder))).toBe(
            true,
          );
        }
      }
    }),
  );
});

/** What a step is refused for; undefined where it is done. */
function refusalOf(world: World, step: Step): ApplyConflictError | undefined {
  try {
    if (step.operation === "apply") world.apply(step.manager, step.value);
    else perform(world, step);
    return undefined;
  } catch (error) {
    if (error instanceof ApplyConflictError) return error;
    throw error;
  }
}

test("a refused apply names fields that others own with another value, and changes nothing", () => {
  fc.assert(
    fc.property(histories, ({ schema, steps }) => {
      const world = new World(schema);
      for (const step of steps) {
        const { value, managers } = world;
        const refusal = refusalOf(world, step);
        const isSame = world.value === value && world.managers === managers;
        expect(refusal === undefined || isSame).toBe(true);
        const wanted = fieldSetOf(step.value, schema);
        expect(refusal?.conflicts.length).not.toBe(0);
        for (const { manager, path } of refusal?.conflicts ?? []) {
          expect(manager).not.toBe(step.manager);
          expect(hasPath(managers.get(manager)!.set, path)).toBe(true);
          expect(hasPath(wanted, path)).toBe(true);
        }
      }
    }),
  );
});

/** Structs of texts only: an object is its leaves, and applying is a rule about each of them. */
test("applies of plain structs agree with a table of leaves", () => {
  const schema = struct({ a: text, b: text, c: struct({ d: text, e: text }) });
  const values = fc.record(
    {
      a: leaf.values,
      b: leaf.values,
      c: fc.record({ d: leaf.values, e: leaf.values }, { noNullPrototype: true }),
    },
    { requiredKeys: ["c"], noNullPrototype: true },
  ) as fc.Arbitrary<JsonObject>;
  const step = fc.record({ manager: fc.constantFrom("one", "two"), value: values });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const world = new World(schema);
      const table = new Map<string, { value: JsonValue; owners: Set<string> }>();
      for (const { manager, value } of steps) {
        world.apply(manager, value, true);
        const leaves = leavesOf(value);
        for (const [path, entry] of table) {
          if (leaves.has(path)) continue;
          entry.owners.delete(manager);
          if (entry.owners.size === 0) table.delete(path);
        }
        for (const [path, given] of leaves) {
          const known = table.get(path);
          if (known !== undefined && known.value === given) known.owners.add(manager);
          else table.set(path, { value: given, owners: new Set([manager]) });
        }
        expect(leavesOf(world.value as JsonObject)).toEqual(
          new Map(Array.from(table, ([path, entry]) => [path, entry.value])),
        );
        for (const name of ["one", "two"]) {
          const mine = [...table].filter(([, entry]) => entry.owners.has(name));
          expect(world.owned(name)).toEqual(mine.map(([path]) => path).sort());
        }
      }
    }),
  );
});

function leavesOf(value: JsonObject, prefix = ""): Map<string, JsonValue> {
  const leaves = new Map<string, JsonValue>();
  for (const [key, each] of Object.entries(value)) {
    const path = `${prefix}.${key}`;
    if (typeof each !== "object" || each === null) leaves.set(path, each);
    else for (const [inner, given] of leavesOf(each as JsonObject, path)) leaves.set(inner, given);
  }
  return leaves;
}

test("containers of two managers keep the order that each gives them", () => {
  const schema = builtinMergeSchema(schemaOf("core.v1.Pod"));
  const pod = (...names: string[]): JsonObject => ({
    spec: { containers: names.map((name) => ({ name })) },
  });
  const namesIn = (value: JsonValue): unknown[] =>
    ((value as JsonObject)["spec"] as unknown as { containers: { name: string }[] }).containers.map(
      ({ name }) => name,
    );
  const world = new World(schema);
  world.apply("one", pod("a", "b", "c"));
  world.apply("two", pod("x", "b", "y"));
  expect(namesIn(world.value)).toEqual(["a", "x", "b", "c", "y"]);
  world.apply("one", pod("c", "a"));
  expect(namesIn(world.value)).toEqual(["x", "b", "c", "y", "a"]);
});

test("a port is found by its protocol, which is TCP where none is said", () => {
  const schema = builtinMergeSchema(schemaOf("core.v1.Pod"));
  const set = fieldSetOf(
    { spec: { containers: [{ name: "c", ports: [{ containerPort: 80, name: "http" }] }] } },
    schema,
  );
  expect(JSON.stringify(printFieldsV1(set))).toBe(
    String.raw`{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:name":{},"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{}}}}}}}`,
  );
});

test("an update takes what it changes, and gives nothing for what it leaves", () => {
  const schema = builtinMergeSchema(schemaOf("core.v1.ConfigMap"));
  const world = new World(schema);
  world.apply("one", { data: { a: "1", b: "1", constructor: "1" } });
  world.update("two", { data: { a: "2", b: "1" } });
  expect(world.owned("one")).toEqual([".data.b"]);
  expect(world.owned("two")).toEqual([".data.a"]);
  expect(equalJson(world.value, { data: { a: "2", b: "1" } })).toBe(true);
  expect(fieldElement("a")).toBe("f:a");
});
