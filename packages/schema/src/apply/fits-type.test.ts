import { finishNow } from "@homeostat/cel";
import { type JsonValue, schemaOf } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { builtinMergeSchema } from "./builtin-merge-schema.ts";
import { fitsType } from "./fits-type.ts";
import { problemsInSteps } from "./validate-value.ts";

const service = builtinMergeSchema(schemaOf("core.v1.Service"));
const strict = { allowDuplicates: false };

const scalar = fc.constantFrom<JsonValue>("", "a", "b", 0, 1, true, null);
const port = fc.record(
  { name: scalar, port: fc.constantFrom<JsonValue>(1, 2, "1", null), protocol: scalar },
  { requiredKeys: [] },
);
const value = fc.record(
  {
    metadata: fc.oneof(
      scalar,
      fc.record(
        {
          labels: fc.dictionary(fc.constantFrom("a", "b", "__proto__"), scalar),
          finalizers: fc.array(fc.constantFrom<JsonValue>("x", "y", 1, null, {})),
          ownerReferences: fc.array(
            fc.oneof(scalar, fc.record({ uid: scalar, name: scalar }, { requiredKeys: [] })),
          ),
          unknown: scalar,
        },
        { requiredKeys: [] },
      ),
    ),
    spec: fc.record(
      { ports: fc.oneof(scalar, fc.array(port)), type: fc.oneof(scalar, fc.constant([])) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

test("what fits at a glance has nothing wrong, and what has nothing wrong fits", () => {
  fc.assert(
    fc.property(value, fc.boolean(), (made, allowDuplicates) => {
      const given = made as JsonValue;
      const problems = finishNow(problemsInSteps(given, service, { allowDuplicates }));
      expect(fitsType(given, service, { allowDuplicates })).toBe(problems.length === 0);
    }),
    { numRuns: 1000 },
  );
});

test("of what is large or deep it is left open", () => {
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`key-${at}`, "x"]));
  expect(fitsType({ metadata: { labels: many } }, service, strict)).toBe(false);
  const schemas = builtinMergeSchema(schemaOf("apiextensions.v1.JSONSchemaProps"));
  let deep: JsonValue = {};
  for (let level = 0; level < 60; level++) deep = { not: deep };
  expect(fitsType(deep, schemas, strict)).toBe(false);
  expect(finishNow(problemsInSteps(deep, schemas, strict))).toEqual([]);
});
