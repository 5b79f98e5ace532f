import { type JsonObject, type KubernetesObject, schemaOf } from "@homeostat/object-model";
import { EMPTY_SET, fieldElement, fieldSetOfPaths } from "@homeostat/schema";
import { expect, test } from "vitest";
import { builtinCodec } from "../registry/object-codec.ts";
import { FieldManager } from "./field-manager.ts";
import type { ManagedKindOptions } from "./managed-kind.ts";

const START = 1_767_225_600_000;

function managerOf(kind: string, schema: string, more: Partial<ManagedKindOptions> = {}) {
  const codec = builtinCodec(schemaOf(schema));
  const apiVersion = kind === "Deployment" ? "apps/v1" : "v1";
  return new FieldManager({
    kind,
    version: {
      apiVersion,
      schema: codec.mergeSchema,
      isTyped: true,
      print: (object) => codec.print(object),
    },
    versionOf: () => undefined,
    convert: (object) => object,
    subresource: "",
    resetFields: EMPTY_SET,
    ...more,
  });
}

/** One ConfigMap through its life, a second per write. */
class Life {
  readonly #manager = managerOf("ConfigMap", "core.v1.ConfigMap");
  #now = START;
  object: KubernetesObject = {};

  create(manager: string, data: JsonObject, metadata: JsonObject = {}): this {
    this.object = configMap(data, metadata);
    this.#manager.update(this.#manager.empty(), this.object, this.#writer(manager));
    this.object.metadata!.uid = "u";
    return this;
  }

  update(manager: string, data: JsonObject, metadata: JsonObject = {}): this {
    const object = configMap(data, { uid: "u", ...metadata });
    this.#manager.update(this.object as unknown as JsonObject, object, this.#writer(manager));
    this.object = object;
    return this;
  }

  apply(manager: string, given: JsonObject, force = false): this {
    const live = this.object as unknown as JsonObject;
    const writer = { ...this.#writer(manager), force };
    this.object = this.#manager.apply(live, given, writer).object;
    return this;
  }

  #writer(manager: string) {
    this.#now += 1000;
    return { manager, now: this.#now };
  }

  get entries() {
    return this.object.metadata?.managedFields;
  }

  /** `manager operation: fields` in their order. */
  get owners(): string[] {
    return (this.entries ?? []).map(
      ({ manager, operation, fieldsV1 }) =>
        `${manager} ${operation}: ${Object.keys((fieldsV1 as JsonObject)["f:data"] ?? {}).join(" ")}`,
    );
  }
}

function configMap(data: JsonObject, metadata: JsonObject = {}): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", ...metadata },
    data,
  } as never;
}

function configuration(data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return configMap(data, metadata) as unknown as JsonObject;
}

test("a new object belongs to whoever made it, its identity to nobody", () => {
  const { entries } = new Life().create("maker", { a: "1" }, { labels: { constructor: "x" } });
  expect(entries).toEqual([
    {
      manager: "maker",
      operation: "Update",
      apiVersion: "v1",
      time: "2026-01-01T00:00:01Z",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:data": { ".": {}, "f:a": {} },
        "f:metadata": { "f:labels": { ".": {}, "f:constructor": {} } },
      },
    },
  ]);
});

test("an update takes the fields that it changes, and leaves the time of others alone", () => {
  const life = new Life().create("one", { a: "1", b: "1" }).update("two", { a: "2", b: "1" });
  expect(life.owners).toEqual(["one Update: . f:b", "two Update: f:a"]);
  expect(life.entries?.map(({ time }) => time)).toEqual([
    "2026-01-01T00:00:01Z",
    "2026-01-01T00:00:02Z",
  ]);
  const before = life.entries;
  expect(life.update("three", { a: "2", b: "1" }).entries).toEqual(before);
});

test("who is nobody is unknown", () => {
  expect(new Life().create("", { a: "1" }).owners).toEqual(["unknown Update: . f:a"]);
});

test("of more than ten who update the oldest become one", () => {
  const life = new Life().create("m00", { k00: "1" });
  const data: JsonObject = { k00: "1" };
  for (let at = 1; at < 12; at++) {
    const name = `${at}`.padStart(2, "0");
    data[`k${name}`] = "1";
    life.update(`m${name}`, { ...data });
  }
  expect(life.owners).toHaveLength(10);
  expect(life.owners.slice(0, 2)).toEqual([
    "ancient-changes Update: . f:k00 f:k01 f:k02",
    "m03 Update: f:k03",
  ]);
});

test("entries that a client sends count where they make sense, and can be cleared", () => {
  const life = new Life().create("one", { a: "1" });
  const entry = { manager: "mine", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1" };
  const mine = { ...entry, fieldsV1: { "f:data": { "f:a": {} } } };
  expect(life.update("two", { a: "1" }, { managedFields: [mine] }).owners).toEqual([
    "mine Apply: f:a",
  ]);
  const wrong = { ...entry, operation: "Guess" };
  expect(life.update("two", { a: "1" }, { managedFields: [wrong] }).owners).toEqual([
    "mine Apply: f:a",
  ]);
  expect(life.update("two", { a: "1" }, { managedFields: [{}] }).entries).toBeUndefined();
  expect(life.update("two", { a: "2" }).entries).toBeUndefined();
  expect(life.apply("three", configuration({ b: "1" })).owners).toEqual([
    "three Apply: f:b",
    "before-first-apply Update: . f:a",
  ]);
});

test("a subresource takes no entries from clients", () => {
  const manager = managerOf("ConfigMap", "core.v1.ConfigMap", { subresource: "status" });
  const object = configMap({ a: "1" }, { managedFields: [{}] });
  const live = configMap(
    { a: "1" },
    {
      uid: "u",
      managedFields: [
        {
          manager: "one",
          operation: "Update",
          apiVersion: "v1",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": { "f:a": {} } },
        },
      ],
    },
  );
  manager.update(live as unknown as JsonObject, object, { manager: "two", now: START });
  expect(object.metadata?.managedFields).toEqual(live.metadata?.managedFields);
});

test("an apply names the fields in conflict with their managers", () => {
  const life = new Life().create("one", { a: "1", b: "1" });
  expect(() => life.apply("two", configuration({ a: "2" }))).toThrow(
    'Apply failed with 1 conflict: conflict with "one" using v1: .data.a',
  );
  expect(() => life.apply("two", configuration({ a: "2", b: "2" }))).toThrow(
    'Apply failed with 2 conflicts: conflicts with "one" using v1:\n- .data.a\n- .data.b',
  );
  expect(life.apply("two", configuration({ a: "2" }), true).owners).toEqual([
    "two Apply: f:a",
    "one Update: . f:b",
  ]);
});

test("who owns together what is equal has no time until the object changes", () => {
  const life = new Life().create("one", { a: "1" });
  const [applied] = life.apply("two", configuration({ a: "1" })).entries ?? [];
  expect(applied).toMatchObject({ manager: "two", operation: "Apply" });
  expect(applied).not.toHaveProperty("time");
});

test("kubectl takes over what it applied client-side, and keeps the annotation true", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const last = JSON.stringify(configuration({ a: "1", b: "1" }));
  const life = new Life().create(
    "csa",
    { a: "1", b: "1" },
    { annotations: { [annotation]: last } },
  );
  expect(() => life.apply("other", configuration({ a: "2" }))).toThrow("conflict");
  life.apply("kubectl", configuration({ a: "<2>" }));
  expect(life.object.metadata?.annotations?.[annotation]).toBe(
    '{"apiVersion":"v1","data":{"a":"\\u003c2\\u003e"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
  );
  life.update("third", { a: "3", b: "1" }, { annotations: { [annotation]: last } });
  expect(() => life.apply("kubectl", configuration({ a: "4" }))).toThrow(
    '"third" using v1: .data.a',
  );
});

test.each([
  [{ kind: "Secret" }, "invalid object type: /v1, Kind=Secret"],
  [{ apiVersion: "a/b/c" }, "invalid object type: /, Kind="],
  [{ metadata: { name: "a", managedFields: [] } }, "metadata.managedFields must be nil"],
  [
    { spec: {} },
    "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .spec: field not declared in schema",
  ],
  [{ data: { a: 1 } }, ".data.a: expected string, got &value.valueUnstructured{Value:1}"],
  [{ data: ["a"] }, ".data: expected map, got &{[a]}"],
  [{ immutable: "x" }, ".immutable: expected boolean, got &{x}"],
  [
    { metadata: { name: "a", finalizers: ["x", "x"] } },
    '.metadata.finalizers: duplicate entries for key [="x"]',
  ],
])("a configuration with %j is refused", (change, message) => {
  const life = new Life().create("one", { a: "1" });
  expect(() => life.apply("two", { ...configuration({}), ...(change as JsonObject) })).toThrow(
    message,
  );
});

test("fields that a door resets are nobody's", () => {
  const resetFields = fieldSetOfPaths([fieldElement("status")]);
  const manager = managerOf("Deployment", "apps.v1.Deployment", { resetFields });
  const object: KubernetesObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "a" },
    spec: { replicas: 2 },
    status: { replicas: 3 },
  } as never;
  manager.update(manager.empty(), object, { manager: "one", now: START });
  expect(object.metadata?.managedFields?.[0]?.fieldsV1).toEqual({ "f:spec": { "f:replicas": {} } });
});

test("an object with an element that no key tells apart is left without entries", () => {
  const manager = managerOf("Pod", "core.v1.Pod");
  const object: KubernetesObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers: [null] },
  } as never;
  manager.update(manager.empty(), object, { manager: "one", now: START });
  expect(object.metadata).toEqual({ name: "a" });
});

test("new objects of one shape have the same fields, whatever their values and writers", () => {
  const manager = managerOf("ConfigMap", "core.v1.ConfigMap");
  const made = ["a", "b"].map((name, at) => {
    const object = configMap({ key: name }, { name });
    manager.update(manager.empty(), object, { manager: name, now: START + at * 1000 });
    return object.metadata!.managedFields![0]!;
  });
  expect(made.map((entry) => entry.manager)).toEqual(["a", "b"]);
  expect(made.map((entry) => entry.time)).toEqual(["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]);
  expect(made[0]!.fieldsV1).toEqual({ "f:data": { ".": {}, "f:key": {} } });
  expect(made[1]!.fieldsV1).toEqual(made[0]!.fieldsV1);
  expect(Object.isFrozen(made[0]!.fieldsV1)).toBe(true);
});

test("a new object of another shape has its own fields", () => {
  const manager = managerOf("ConfigMap", "core.v1.ConfigMap");
  const fieldsOf = (data: JsonObject): unknown => {
    const object = configMap(data);
    manager.update(manager.empty(), object, { manager: "m", now: START });
    return object.metadata!.managedFields?.[0]?.fieldsV1;
  };
  expect(fieldsOf({ a: "1" })).toEqual({ "f:data": { ".": {}, "f:a": {} } });
  expect(fieldsOf({ b: "1" })).toEqual({ "f:data": { ".": {}, "f:b": {} } });
  expect(fieldsOf({ ["__proto__"]: "1", b: "1" })).toEqual({
    "f:data": { ".": {}, "f:__proto__": {}, "f:b": {} },
  });
  expect(fieldsOf({})).toBeUndefined();
  expect(fieldsOf({ a: "2" })).toEqual({ "f:data": { ".": {}, "f:a": {} } });
});

test("a write in steps comes to the same as one at once", () => {
  const manager = managerOf("ConfigMap", "core.v1.ConfigMap");
  const writer = { manager: "m", now: START };
  const live = configMap({ a: "1", b: "1" }, { uid: "u" });
  manager.update(manager.empty(), live, writer);
  live.metadata!.uid = "u";
  const outcomes = [false, true].map((pauses) => {
    const object = configMap({ a: "2", c: "1" }, { uid: "u" });
    const later = { manager: "n", now: START + 1000, pauses };
    const steps = manager.updateInSteps(live as unknown as JsonObject, object, later);
    let count = 1;
    while (steps.next().done !== true) count++;
    return { count, object };
  });
  expect(outcomes[0]!.count).toBe(1);
  expect(outcomes[1]!.count).toBeGreaterThan(3);
  expect(outcomes[1]!.object).toEqual(outcomes[0]!.object);
});

test("who gives up all it applied of the metadata leaves the object its name", () => {
  const manager = managerOf("ConfigMap", "core.v1.ConfigMap");
  const applied = (metadata: JsonObject): JsonObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", ...metadata },
  });
  const writer = { manager: "one", now: START, force: false };
  const { object } = manager.apply(manager.empty(), applied({ labels: { x: "y" } }), writer);
  const after = manager.apply(object, applied({}), writer).object as KubernetesObject;
  expect(after.metadata?.name).toBe("a");
  expect(after.metadata?.labels).toBeUndefined();
});
