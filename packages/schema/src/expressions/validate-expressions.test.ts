/** What kube-apiserver 1.36.3 answered to creates and updates (`fixtures/changes.json`, dry run). */

import { readFileSync } from "node:fs";
import { finishNow } from "@homeostat/cel";
import { FieldError, type JsonObject, type JsonValue } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import { expect, test } from "vitest";
import { parseStructuralSchema } from "../structural/structural-schema.ts";
import { checkListTypes } from "../validation/list-types.ts";
import { validateAgainst, validateChangeAgainst } from "../validation/validate-against.ts";
import { RuleTree } from "./rule-tree.ts";
import { type ExpressionOptions, validateExpressions } from "./validate-expressions.ts";

interface Case {
  readonly name: string;
  readonly value: JsonValue;
  readonly isUpdate?: boolean;
  readonly old?: JsonValue;
  readonly causes?: readonly (readonly [string, string, string])[];
  readonly warnings?: readonly string[];
}

const { schemas, cases } = JSON.parse(
  readFileSync(new URL("../fixtures/changes.json", import.meta.url), "utf8"),
) as { schemas: Record<string, JSONSchemaProps>; cases: Case[] };

const BLOCKING = new Set(["NotSupported", "Required", "TooLong", "TooMany", "TypeInvalid"]);
const options: ExpressionOptions = { breathe: () => Promise.resolve() };

test.for([...Map.groupBy(cases, ({ name }) => name)])(
  "changes under schema %s are taken and refused as kube-apiserver does",
  async ([name, own]) => {
    const spec = { type: "object", properties: { [name]: schemas[name]! } };
    const schema = parseStructuralSchema({ type: "object", properties: { spec } });
    for (const { value, isUpdate, old, causes = [], warnings = [] } of own) {
      const object = objectWith(name, value);
      const before = isUpdate === true ? objectWith(name, old) : undefined;
      const found = await validate(object, before, schema);
      expect(
        found.errors.map(({ type, field, body }) => `${type} ${field} ${body}`).sort(),
      ).toEqual(causes.map((cause) => cause.join(" ")).sort());
      expect(found.warnings.toSorted()).toEqual(warnings);
    }
  },
);

function objectWith(name: string, value: JsonValue | undefined): JsonObject {
  // A null is no value here; decoding drops it.
  return { kind: "K", spec: value === undefined || value === null ? {} : { [name]: value } };
}

async function validate(
  object: JsonObject,
  old: JsonObject | undefined,
  schema: ReturnType<typeof parseStructuralSchema>,
): Promise<{ errors: FieldError[]; warnings: readonly string[] }> {
  const errors =
    old === undefined
      ? validateAgainst(object, schema)
      : finishNow(validateChangeAgainst({ value: object, old }, schema));
  const wasWrong = old !== undefined && finishNow(checkListTypes(old, schema)).length > 0;
  if (!wasWrong) errors.push(...finishNow(checkListTypes(object, schema)));
  if (errors.some(({ type }) => BLOCKING.has(type.slice("FieldValue".length)))) {
    const detail =
      "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
    return { errors: [...errors, FieldError.invalid(undefined, null, detail)], warnings: [] };
  }
  const found = await validateExpressions({ value: object, old }, RuleTree.of(schema), options);
  return { errors: [...errors, ...found.errors], warnings: found.warnings };
}

const numbers = (count: number): JsonValue => Array.from({ length: count }, (_, index) => index);

function listRules(...rules: string[]): RuleTree {
  const items = { type: "integer" };
  const source = {
    type: "array",
    items,
    "x-kubernetes-validations": rules.map((rule) => ({ rule })),
  };
  return RuleTree.of(parseStructuralSchema(source), false)!;
}

test("a rule that costs too much is refused, and no other is asked", async () => {
  const rule = "self.all(a, self.exists(b, b == a))";
  const found = await validateExpressions(
    { value: numbers(1200), old: undefined },
    listRules(rule, "false"),
    options,
  );
  expect(found.errors.map(String)).toEqual([
    `<nil>: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`,
  ]);
  expect(found.remaining).toBe(-1);
});

test("rules that together cost too much are refused where the budget ends", async () => {
  const rules = Array.from({ length: 5 }, (_, at) => `self.all(a, a >= 0 || ${at} > 99)`);
  const found = await validateExpressions(
    { value: numbers(100), old: undefined },
    listRules(...rules),
    { ...options, budget: 2000 },
  );
  expect(found.errors.map(String)).toEqual([
    '<nil>: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});

test("others have their turn while a rule takes long", async () => {
  let turns = 0;
  await validateExpressions(
    { value: numbers(500), old: undefined },
    listRules("self.all(a, self.exists(b, b == a))"),
    {
      breathe: () => {
        turns++;
        return Promise.resolve();
      },
    },
  );
  expect(turns).toBeGreaterThan(3);
});

test("a rule that does not compile refuses every value", async () => {
  const found = await validateExpressions(
    { value: [1], old: undefined },
    listRules("self.x"),
    options,
  );
  expect(found.errors.map(String)).toEqual([
    expect.stringContaining(
      '<nil>: Invalid value: "array": rule compile error: compilation failed: ERROR:',
    ),
  ]);
});

test("values without rules cost nothing", async () => {
  const found = await validateExpressions({ value: { a: 1 }, old: undefined }, undefined, options);
  expect(found).toMatchObject({ errors: [], warnings: [], remaining: 10_000_000 });
});
