import * as fc from "fast-check";
import { expect, test } from "vitest";
import { equalJson } from "../json/equal-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { patchSchemaOf } from "../resource-table/patch-schema-of.ts";
import { createStrategicMergePatch } from "./create-strategic-merge-patch.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const schema = patchSchemaOf("apps.v1.Deployment");

function create(original: JsonObject, modified: JsonObject): JsonObject {
  return createStrategicMergePatch(deepFreeze(original), deepFreeze(modified), { schema });
}

function containers(...items: JsonObject[]): JsonObject {
  return { spec: { template: { spec: { containers: items } } } };
}

test("equal objects give an empty patch", () => {
  const object = {
    ...containers({ name: "a", env: [{ name: "x" }] }),
    metadata: { finalizers: ["b", "a"] },
  };
  expect(create(object, structuredClone(object))).toEqual({});
});

test("changed and added members are said, deleted ones are null", () => {
  expect(
    create(
      { metadata: { labels: { a: "1", b: "2" }, name: "x" }, spec: { replicas: 1, paused: true } },
      { metadata: { labels: { a: "1", c: "3" }, name: "x" }, spec: { replicas: 2n } },
    ),
  ).toEqual({ metadata: { labels: { c: "3", b: null } }, spec: { replicas: 2n, paused: null } });
});

test("a changed item carries its merge key, a deleted one a directive, and the list its order", () => {
  const original = containers(
    { name: "b", image: "b:1" },
    { name: "a", image: "a:1" },
    { name: "z" },
    { name: "c" },
  );
  const modified = containers({ name: "a", image: "a:2" }, { name: "n" }, { name: "c" });
  expect(create(original, modified)).toEqual({
    spec: {
      template: {
        spec: {
          containers: [
            { name: "a", image: "a:2" },
            { name: "n" },
            { name: "b", $patch: "delete" },
            { name: "z", $patch: "delete" },
          ],
          "$setElementOrder/containers": [{ name: "a" }, { name: "n" }, { name: "c" }],
        },
      },
    },
  });
});

test("a mere change of order is said by the order alone", () => {
  expect(
    create(containers({ name: "a" }, { name: "b" }), containers({ name: "b" }, { name: "a" })),
  ).toEqual({
    spec: { template: { spec: { "$setElementOrder/containers": [{ name: "b" }, { name: "a" }] } } },
  });
});

test("merged lists of scalars say what is added and what is deleted", () => {
  expect(
    create({ metadata: { finalizers: ["z", "b", "c"] } }, { metadata: { finalizers: ["c", "a"] } }),
  ).toEqual({
    metadata: {
      finalizers: ["a"],
      "$deleteFromPrimitiveList/finalizers": ["b", "z"],
      "$setElementOrder/finalizers": ["c", "a"],
    },
  });
});

test("an emptied list has deletions and no order", () => {
  expect(create(containers({ name: "a" }), containers())).toEqual({
    spec: { template: { spec: { containers: [{ name: "a", $patch: "delete" }] } } },
  });
});

test("a list without merge strategy is given whole", () => {
  expect(
    create(containers({ name: "a", args: ["x", "y"] }), containers({ name: "a", args: ["y"] })),
  ).toMatchObject({ spec: { template: { spec: { containers: [{ name: "a", args: ["y"] }] } } } });
});

test("a field with retainKeys lists the keys that stay", () => {
  expect(
    create(
      { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } } },
      { spec: { strategy: { type: "Recreate" } } },
    ),
  ).toEqual({
    spec: { strategy: { type: "Recreate", rollingUpdate: null, $retainKeys: ["type"] } },
  });
});

test("fields the schema does not know matter only where they differ", () => {
  const object = { zork: { a: 1 }, list: [1] };
  expect(create(object, structuredClone(object))).toEqual({});
  expect(() => create(object, { ...object, zork: { a: 2 } })).toThrow(
    'unable to find api field in struct Deployment for the json field "zork"',
  );
});

test("a list that repeats a merge key is replaced whole", () => {
  const dns = { name: "dns", ports: [{ containerPort: 53, protocol: "UDP" }] };
  const both = { name: "dns", ports: [...dns.ports, { containerPort: 53, protocol: "TCP" }] };
  const patch = create(containers(dns), containers(both));
  expect(patch).toMatchObject(
    containers({ name: "dns", ports: [...both.ports, { $patch: "replace" }] }),
  );
  expect(applyStrategicMergePatch(containers(dns), patch, { schema })).toEqual(containers(both));
  expect(create(containers(both), containers(structuredClone(both)))).toEqual({});
});

test("an item without its merge key is refused", () => {
  expect(() => create(containers({ name: "a" }), containers({ image: "x" }))).toThrow(
    "map: map[image:x] does not contain declared merge key: name",
  );
});

test("a modified object nested too deeply is refused", () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 600; level++) deep = { a: deep };
  expect(() => create({}, deep)).toThrow(expect.objectContaining({ code: "patch-too-deep" }));
});

test("applying a created patch gives the modified object, order included", () => {
  const options = { schema };
  fc.assert(
    fc.property(deployment(), deployment(), (original, modified) => {
      const patch = create(original, modified);
      expect(equalJson(applyStrategicMergePatch(original, patch, options), modified)).toBe(true);
      expect(create(modified, structuredClone(modified))).toEqual({});
    }),
  );
});

function deployment(): fc.Arbitrary<JsonObject> {
  const word = fc.constantFrom("a", "b", "c", "d");
  const words = fc.uniqueArray(word, { maxLength: 4 });
  const labels = fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor"), word);
  const listOf = (item: Record<string, fc.Arbitrary<JsonValue>>, key: string) =>
    fc.uniqueArray(fc.record(item, { requiredKeys: [key], noNullPrototype: true }), {
      maxLength: 4,
      selector: (value) => value[key],
    }) as fc.Arbitrary<JsonObject[]>;
  const env = listOf({ name: word, value: word }, "name");
  const ports = listOf({ containerPort: fc.nat(4), protocol: word }, "containerPort");
  const record = (members: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonObject> =>
    fc.record(members, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
  const pod = record({
    containers: listOf({ name: word, image: word, args: fc.array(word), env, ports }, "name"),
    volumes: listOf({ name: word, emptyDir: record({}), hostPath: record({ path: word }) }, "name"),
    nodeSelector: labels,
  });
  return record({
    metadata: record({ labels, finalizers: words }),
    spec: record({
      replicas: fc.nat(3),
      strategy: record({ type: word, rollingUpdate: record({ maxSurge: fc.nat(2) }) }),
      template: record({ spec: pod }),
    }),
  });
}

function deepFreeze<T extends JsonValue>(tree: T): T {
  if (typeof tree === "object" && tree !== null && !Object.isFrozen(tree)) {
    for (const member of Object.values(tree)) deepFreeze(member);
    Object.freeze(tree);
  }
  return tree;
}
