/** What kube-apiserver 1.36.3 answered to resources inside others (`fixtures/embedded.json`, dry run). */
import { readFileSync } from "node:fs";
import { decodeJson, type JsonObject, type JsonValue } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import {
  checkEmbedded,
  coerceEmbedded,
  dropNulls,
  parseStructuralSchema,
  prune,
  validateAgainst,
} from "@homeostat/schema";
import { expect, test } from "vitest";
import { embeddedMetadata as reader } from "./embedded-metadata.ts";

interface Case {
  readonly name: string;
  /** JSON. */
  readonly value: string;
  readonly causes?: readonly (readonly [string, string, string])[];
  readonly unknown?: readonly string[];
  readonly result?: JsonValue;
  readonly refused?: string;
}

const { schemas, cases } = JSON.parse(
  readFileSync(new URL("fixtures/embedded.json", import.meta.url), "utf8"),
) as { schemas: Record<string, JSONSchemaProps>; cases: Case[] };

test.for(cases.map((each) => [each.value, each] as const))(
  "embedded resource %s is read and checked as kube-apiserver does",
  ([, { name, value, causes = [], unknown = [], result, refused }]) => {
    const spec = { type: "object", properties: { [name]: schemas[name]! } };
    const schema = parseStructuralSchema({ type: "object", properties: { spec } });
    const object = decodeJson(`{"kind":"K","spec":{"${name}":${value}}}`) as JsonObject;
    const dropped = prune(object, schema);
    dropNulls(object, schema);
    const { error, unknownFields } = coerceEmbedded(object, schema, { reader });
    expect(error && String(error)).toBe(refused);
    expect([...dropped, ...unknownFields]).toEqual(unknown);
    if (refused !== undefined) return;
    const errors = [
      ...validateAgainst(object, schema),
      ...checkEmbedded(object, schema, { reader }),
    ];
    expect(errors.map(({ type, field, body }) => `${type} ${field} ${body}`).sort()).toEqual(
      causes.map((cause) => cause.join(" ")).sort(),
    );
    const left = (object["spec"] as JsonObject)[name];
    expect(causes.length === 0 ? left : undefined).toEqual(result);
  },
);

test("of stored metadata that is malformed what reads is kept", () => {
  const metadata = { name: "x", labels: { a: 1 }, annotations: { b: "c" }, foo: true };
  const read = reader.read(metadata, { dropMalformed: true });
  expect(read.metadata).toEqual({ name: "x", annotations: { b: "c" } });
  expect(() => reader.read(metadata, { dropMalformed: false })).toThrow(
    "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
  );
});
