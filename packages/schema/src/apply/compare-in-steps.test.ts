import { finishNow } from "@homeostat/cel";
import { encodeJson, type JsonValue, schemaOf } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { builtinMergeSchema } from "./builtin-merge-schema.ts";
import { compareInSteps } from "./compare-in-steps.ts";
import { compareValues } from "./compare-values.ts";
import type { FieldSet } from "./field-set.ts";
import { printFieldsV1, printFieldsV1InSteps } from "./fields-v1.ts";

const pod = builtinMergeSchema(schemaOf("core.v1.Pod"));

const text = fc.constantFrom("a", "b", "ä", 'q"');
const labels = fc.oneof(
  fc.dictionary(text, text),
  fc.dictionary(fc.string({ maxLength: 3 }), text, { minKeys: 45, maxKeys: 140, size: "max" }),
);
const container = fc.record(
  {
    name: fc.oneof(text, fc.nat(200).map(String)),
    image: text,
    ports: fc.array(
      fc.record({ containerPort: fc.nat(9), protocol: fc.constantFrom("TCP", "UDP"), name: text }),
      { maxLength: 3 },
    ),
    args: fc.array(text, { maxLength: 2 }),
  },
  { requiredKeys: ["name"] },
);
const containers = fc.oneof(
  fc.array(container, { maxLength: 3 }),
  fc.array(container, { minLength: 40, maxLength: 150, size: "max" }),
);
const value: fc.Arbitrary<JsonValue> = fc.record(
  {
    metadata: fc.oneof(fc.constant(null), fc.record({ labels }, { requiredKeys: [] })),
    spec: fc.oneof(
      fc.constant(null),
      fc.record(
        { containers: fc.oneof(fc.constant(null), containers), nodeSelector: labels },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

test("comparing and printing in steps give what they give at once", () => {
  fc.assert(
    fc.property(value, value, (left, right) => {
      const inSteps = finishNow(compareInSteps(left, right, pod));
      const { added, modified, removed } = compareValues(left, right, pod);
      expect(inSteps).toEqual({ added, modified, removed });
      for (const set of [added, modified, removed]) {
        const printed = encodeJson(printFieldsV1(set));
        expect(encodeJson(finishNow(printFieldsV1InSteps(set)))).toBe(printed);
        const like = printFieldsV1(removed) as FieldSet;
        expect(encodeJson(finishNow(printFieldsV1InSteps(set, like)))).toBe(printed);
      }
    }),
    { numRuns: 50 },
  );
});

test("a long list takes many steps", () => {
  const spec = {
    containers: Array.from({ length: 10_000 }, (_, at) => ({ name: `c${at}`, image: "i" })),
  };
  let steps = 0;
  for (const _ of compareInSteps({}, { spec }, pod)) steps++;
  expect(steps).toBeGreaterThan(10);
});
