import type { JsonObject, KubernetesObject } from "@homeostat/object-model";
import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import { expect, test } from "vitest";
import { decodeStored, isSameObject } from "../registry/stored-object.ts";
import { serveDefinition } from "./serve-definition.ts";
import { structuralVersionSchema } from "./structural-version-schema.ts";
import { renamingConverter } from "./version-converter.ts";

function version(name: string, properties: JsonObject): JsonObject {
  const spec = { type: "object", properties };
  const openAPIV3Schema = { type: "object", properties: { spec } };
  return { name, served: true, storage: name === "v1", schema: { openAPIV3Schema } };
}

/** What keeps objects, by version. */
function keepings(generation: number, ...versions: readonly JsonObject[]) {
  const definition = {
    metadata: { name: "widgets.example.com", uid: "u", generation },
    spec: {
      group: "example.com",
      names: { plural: "widgets", kind: "Widget" },
      scope: "Namespaced",
      versions,
    },
  } as unknown as CustomResourceDefinition;
  const served = serveDefinition(definition, {
    schemaOf: ({ schema }) => structuralVersionSchema(schema?.openAPIV3Schema),
    converter: renamingConverter,
    isTerminating: () => false,
  });
  return served.map(({ stored }) => stored.keeping!);
}

const text = { type: "string" };
const inV1 = { a: { ...text, default: "of v1" }, b: text };
const inV2 = { a: { ...text, default: "of v2" }, b: text, c: { ...text, default: "of v2" } };

const widget = (apiVersion: string, spec: JsonObject): KubernetesObject =>
  ({ apiVersion, kind: "Widget", metadata: { name: "a", uid: "1" }, spec }) as KubernetesObject;

async function read(keeping: ReturnType<typeof keepings>[number], bytes: Uint8Array) {
  const [value] = await keeping.refresh([bytes]);
  return decodeStored(value!, 1) as unknown as JsonObject;
}

test("a read has the defaults of the version that is stored, not those of the version served", async () => {
  const [, v2] = keepings(1, version("v1", inV1), version("v2", inV2));
  const bytes = await v2!.encode(widget("example.com/v2", { b: "x", c: "of v2" }));
  expect(await read(v2!, bytes)).toMatchObject({
    apiVersion: "example.com/v2",
    spec: { a: "of v1", b: "x" },
  });
  expect((await read(v2!, bytes))["spec"]).not.toHaveProperty("c");
});

test("under a changed definition a read has its defaults, without what it does not know", async () => {
  const [before] = keepings(1, version("v1", inV1));
  const bytes = await before!.encode(widget("example.com/v1", { b: "x" }));
  const [after] = keepings(2, version("v1", { d: { ...text, default: "new" } }));
  expect((await read(after!, bytes))["spec"]).toEqual({ d: "new" });
});

test("the same object written in another version or under another definition is the same", async () => {
  const [v1, v2] = keepings(1, version("v1", inV1), version("v2", inV2));
  const [later] = keepings(2, version("v1", inV1));
  const spec = { a: "1", b: "2" };
  const bytes = await v1!.encode(widget("example.com/v1", spec));
  expect(isSameObject(bytes, await v2!.encode(widget("example.com/v2", spec)))).toBe(true);
  expect(isSameObject(bytes, await later!.encode(widget("example.com/v1", spec)))).toBe(true);
  const other = await v1!.encode(widget("example.com/v1", { ...spec, b: "3" }));
  expect(isSameObject(bytes, other)).toBe(false);
});

test("a large object is kept to the byte as it would be at once, with turns for others", async () => {
  const properties = { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const open = version("v1", properties);
  const schema = { openAPIV3Schema: { type: "object", properties } };
  const [keeping] = keepings(1, { ...open, schema });
  const numbers = Array.from({ length: 10_000 }, (_, at) => (at * 7_919) % 10_007);
  const spec = Object.fromEntries(
    numbers.map((at) => [`key-${at}`, { z: at, a: [{ c: 1, b: 2 }] }]),
  );
  const object = widget("example.com/v1", { 10: 1, 9: 2, list: numbers, map: spec, text: "ä" });
  const sets = Object.fromEntries(numbers.map((at) => [`v:${at}`, {}]));
  Object.assign(object.metadata!, {
    annotations: Object.fromEntries(numbers.map((at) => [`note-${at}`, "x"])),
    labels: { b: "2", a: "1" },
    managedFields: [
      { manager: "m", operation: "Update", fieldsType: "FieldsV1", fieldsV1: { "f:spec": sets } },
    ],
  });
  const atOnce = await keeping!.encode(object);
  let turns = 0;
  const inTurns = await keeping!.encode(object, () => {
    turns++;
    return Promise.resolve();
  });
  expect(Buffer.compare(inTurns, atOnce)).toBe(0);
  expect(turns).toBeGreaterThan(20);
});
