import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import { expect, test } from "vitest";
import { warnOfFormats } from "./format-warnings.ts";

function definitionWith(...formats: [type: string, format: string][]): CustomResourceDefinition {
  const properties = Object.fromEntries(
    formats.map(([type, format], index) => [`f${index}`, { type, format }]),
  );
  const openAPIV3Schema = { type: "object", properties };
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }];
  return {
    metadata: {},
    spec: { group: "", names: { plural: "", kind: "" }, scope: "", versions },
  };
}

test("formats that nothing checks are warned of, unless they were there", () => {
  const definition = definitionWith(
    ["string", "colour"],
    ["string", "date-time"],
    ["integer", "int32"],
  );
  expect(warnOfFormats(definition, undefined)).toEqual(['unrecognized format "colour"']);
  expect(warnOfFormats(definition, definition)).toEqual([]);
});

test("a format belongs to a type", () => {
  const definition = definitionWith(["string", "int32"], ["integer", "date"], ["boolean", "uri"]);
  expect(warnOfFormats(definition, undefined).toSorted()).toEqual([
    'unrecognized format "date"',
    'unrecognized format "int32"',
    'unrecognized format "uri"',
  ]);
});
