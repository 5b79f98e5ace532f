import { finishNow, type WorkSteps } from "@homeostat/cel";
import { encodeJson, type JsonValue, schemaOf } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { builtinMergeSchema } from "./builtin-merge-schema.ts";
import { difference, isEmptySet, isSubset } from "./field-set.ts";
import { fieldSetInSteps, fieldSetOf } from "./field-set-of.ts";
import { mergeInSteps, mergeValues } from "./merge-values.ts";

const pod = builtinMergeSchema(schemaOf("core.v1.Pod"));

const text = fc.constantFrom("a", "b", "__proto__", 'q"');
const labels = fc.dictionary(text, fc.oneof(text, fc.constant(null)));
const container = fc.record(
  {
    name: text,
    image: fc.oneof(text, fc.constant(null)),
    ports: fc.array(
      fc.record({ containerPort: fc.nat(2), protocol: fc.constantFrom("TCP", "UDP"), name: text }),
      { maxLength: 3 },
    ),
    args: fc.array(text, { maxLength: 2 }),
  },
  { requiredKeys: ["name"] },
);
const containers = fc.uniqueArray(container, { selector: ({ name }) => name, maxLength: 4 });
const value = fc.record(
  {
    metadata: fc.oneof(fc.constant(null), fc.record({ labels }, { requiredKeys: [] })),
    spec: fc.oneof(
      fc.constant(null),
      fc.constant({}),
      fc.record(
        {
          containers: fc.oneof(fc.constant(null), containers),
          nodeSelector: fc.oneof(fc.constant(null), labels),
          hostNetwork: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonValue>;

/** What it gives, or what it says where it refuses. */
function outcome(give: () => unknown): string {
  try {
    return encodeJson(give());
  } catch (error) {
    return String(error);
  }
}

test("merging, and finding the fields, in steps give what they give at once", () => {
  fc.assert(
    fc.property(value, value, (live, applied) => {
      const merged = outcome(() => mergeValues(live, applied, pod));
      expect(outcome(() => finishNow(mergeInSteps(live, applied, pod)))).toBe(merged);
      const fields = outcome(() => fieldSetOf(live, pod));
      expect(outcome(() => finishNow(fieldSetInSteps(live, pod)))).toBe(fields);
    }),
    { numRuns: 300 },
  );
});

test("a set is part of another where nothing is left without it", () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      const [left, right] = [fieldSetOf(one, pod), fieldSetOf(other, pod)];
      expect(isSubset(left, right)).toBe(isEmptySet(difference(left, right)));
      expect(isSubset(difference(left, right), left)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("items that stand for themselves are no part of a set that has them only by what is below", () => {
  const node = { "f:a": { ".": {}, "f:b": {} } };
  expect(isSubset(node, { "f:a": { "f:b": {} } })).toBe(false);
  expect(isSubset({ "f:a": { "f:b": {} } }, node)).toBe(true);
  expect(isSubset({ "f:a": {} }, node)).toBe(true);
  expect(isSubset(node, { "f:a": {} })).toBe(false);
});

test("a long list and a long map take many steps", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
  const large = {
    metadata: { labels: Object.fromEntries(names.map((name) => [name, "v"])) },
    spec: { containers: names.map((name) => ({ name, image: "i" })) },
  };
  const countOf = (steps: WorkSteps<unknown>): number => [...steps].length;
  expect(countOf(mergeInSteps(large, large, pod))).toBeGreaterThan(30);
  expect(countOf(fieldSetInSteps(large, pod))).toBeGreaterThan(30);
});
