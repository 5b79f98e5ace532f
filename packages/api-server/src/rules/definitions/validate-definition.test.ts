/** What kube-apiserver 1.36.3 answered to definitions (`fixtures/definitions.json`, dry run). */
import { readFileSync } from "node:fs";
import { type JsonObject, schemaOf } from "@homeostat/object-model";
import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import { expect, test } from "vitest";
import { readObject } from "../../codec/read-object.ts";
import { builtinCodec } from "../../registry/object-codec.ts";
import { embeddedMetadata } from "./embedded-metadata.ts";
import {
  type DefinitionContext,
  validateDefinition,
  validateDefinitionStatus,
  validateDefinitionUpdate,
} from "./validate-definition.ts";

type Cause = readonly [reason: string, field: string, message: string];

interface Created {
  readonly spec: JsonObject;
  readonly causes?: readonly Cause[];
}

interface Updated extends Created {
  readonly old: JsonObject;
}

const { created, updated } = JSON.parse(
  readFileSync(new URL("fixtures/definitions.json", import.meta.url), "utf8"),
) as { created: Created[]; updated: Updated[] };

const context: DefinitionContext = { reader: embeddedMetadata, breathe: () => Promise.resolve() };
const schema = schemaOf("apiextensions.v1.CustomResourceDefinition");
const codec = builtinCodec(schema);

/** As it is when it is validated: read, with defaults, its storage version among the stored ones. */
function decoded(parts: JsonObject): CustomResourceDefinition {
  const { object } = readObject(schema, structuredClone(parts));
  codec.applyDefaults(object, 0);
  const definition = object as unknown as CustomResourceDefinition;
  const stored = definition.spec.versions?.find(({ storage }) => storage)?.name;
  const known =
    (parts["status"] as { storedVersions?: string[] } | undefined)?.storedVersions ?? [];
  const storedVersions = stored === undefined ? known : [...new Set([...known, stored])];
  definition.status = {
    ...definition.status,
    ...(storedVersions.length > 0 ? { storedVersions } : {}),
  };
  return { ...definition, metadata: {} };
}

function sorted(causes: readonly (readonly string[])[]): string[] {
  return [...new Set(causes.map((cause) => cause.join(" ")))].sort();
}

test.for(created.map((each, index) => [index, each] as const))(
  "a new definition (%i) is refused as kube-apiserver refuses it",
  async ([, { spec, causes = [] }]) => {
    const definition = decoded({ spec });
    const errors = await validateDefinition(definition, context);
    expect(sorted(errors.map(({ type, field, body }) => [type, field, body]))).toEqual(
      sorted(causes),
    );
  },
);

test.for(updated.map((each, index) => [index, each] as const))(
  "a changed definition (%i) is refused as kube-apiserver refuses it",
  async ([, { old, spec, causes = [] }]) => {
    const before = decoded(old);
    const definition = decoded({ spec, status: old["status"]! });
    const errors = await validateDefinitionUpdate(definition, before, context);
    expect(sorted(errors.map(({ type, field, body }) => [type, field, body]))).toEqual(
      sorted(causes),
    );
  },
);

const RULED = {
  type: "array",
  items: { type: "string" },
  "x-kubernetes-validations": [{ rule: "self.all(a, self.all(b, a != b))" }],
};

function ruled(list: object): CustomResourceDefinition {
  const openAPIV3Schema = { type: "object", properties: { list } } as JsonObject;
  return decoded({
    spec: {
      group: "shop.example.com",
      scope: "Cluster",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
}

test("rules may stay as expensive as they were, but not together with others", async () => {
  const old = ruled(RULED);
  const errors = await validateDefinitionUpdate(ruled(RULED), old, context);
  // The limit of all rules together is not lifted.
  expect(errors.map(String)).toEqual([
    expect.stringContaining("contributed to estimated rule cost total"),
    expect.stringContaining("estimated rule cost total for entire OpenAPIv3 schema exceeds budget"),
  ]);
});

test("what a stored definition breaks already is not asked of its updates", async () => {
  const set = { type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } };
  expect(await validateDefinition(ruled(set), context)).toHaveLength(1);
  expect(await validateDefinitionUpdate(ruled(set), ruled(set), context)).toEqual([]);
  const untyped = { properties: { a: {} } };
  // Whether fields have types is always asked where unknown ones are pruned.
  expect(await validateDefinitionUpdate(ruled(untyped), ruled(untyped), context)).not.toEqual([]);
});

test("the names a status accepts are checked like those of the spec", () => {
  const definition = ruled({ type: "string" });
  definition.status = { acceptedNames: { plural: "A B", kind: "Widget" } };
  expect(validateDefinitionStatus(definition).map(({ field }) => field)).toEqual([
    "status.acceptedNames.plural",
  ]);
});

test("a large definition is checked in slices", async () => {
  const properties: Record<string, object> = {};
  for (let index = 0; index < 500; index++) {
    properties[`field${index}`] = {
      type: "string",
      maxLength: 10,
      "x-kubernetes-validations": [{ rule: "self != 'x'" }],
    };
  }
  let turns = 0;
  const breathe = () => {
    turns++;
    return Promise.resolve();
  };
  await validateDefinition(ruled({ type: "object", properties }), { ...context, breathe });
  expect(turns).toBeGreaterThanOrEqual(500);
});
