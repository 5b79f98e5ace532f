/** The texts are those of kube-apiserver 1.36.3. */
import type { ResourceAttributes } from "@homeostat/object-model/authorization-v1";
import { expect, test } from "vitest";
import { evaluationError } from "./evaluation-error.ts";

const FIELDS = "spec.resourceAttributes.fieldSelector";
const LABELS = "spec.resourceAttributes.labelSelector";

const known = { key: "a", operator: "In", values: ["b"] };
const unknown = { key: "a", operator: "Near", values: ["b"] };

test.each<[string, ResourceAttributes, string]>([
  ["nothing", {}, ""],
  ["known requirements", requirements(known), ""],
  [
    "unknown operators",
    requirements(unknown),
    `${FIELDS} ignored due to parse error; ${LABELS} ignored due to parse error`,
  ],
  [
    "known and unknown ones",
    requirements(unknown, known),
    `${FIELDS} partially ignored due to parse error; ${LABELS} partially ignored due to parse error`,
  ],
  [
    "two values, which labels may have",
    requirements({ ...known, values: ["b", "c"] }),
    `${FIELDS} ignored due to parse error`,
  ],
  [
    "existence, which labels have",
    requirements({ key: "a", operator: "Exists" }),
    `${FIELDS} ignored due to parse error`,
  ],
  ["texts that can be read", raw("a=b"), ""],
  [
    "texts that cannot",
    raw("a in"),
    `${FIELDS} ignored due to parse error; ${LABELS} ignored due to parse error`,
  ],
])("of %s in selectors", (_, attributes, text) => {
  expect(evaluationError(attributes)).toBe(text);
});

function requirements(
  ...list: { key: string; operator: string; values?: string[] }[]
): ResourceAttributes {
  return { fieldSelector: { requirements: list }, labelSelector: { requirements: list } };
}

function raw(rawSelector: string): ResourceAttributes {
  return { fieldSelector: { rawSelector }, labelSelector: { rawSelector } };
}
