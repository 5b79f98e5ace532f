import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AccessAttributes } from "./authorizer.ts";
import { countPermissions, isHeld, permissionsOf, printMissing } from "./covered-rules.ts";
import { type HeldRule, heldRule, ruleAllows } from "./policy-rule.ts";

const some = (...texts: string[]): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom(...texts), { maxLength: 2 });

const anyRule: fc.Arbitrary<HeldRule> = fc.record({
  verbs: some("get", "list", "*"),
  apiGroups: some("", "apps", "*"),
  resources: some("pods", "pods/status", "deployments/status", "*/status", "*", "*/x"),
  resourceNames: some("a", "b", ""),
  nonResourceURLs: some("/a", "/a/*", "/a/b*", "/a**", "*"),
});

const anyAsked: fc.Arbitrary<AccessAttributes> = fc.oneof(
  fc.record({
    kind: fc.constant("resource" as const),
    verb: fc.constantFrom("get", "list", "patch"),
    group: fc.constantFrom("", "apps", "batch"),
    version: fc.constant("v1"),
    resource: fc.constantFrom("pods", "deployments", "jobs"),
    subresource: fc.constantFrom("", "status", "x"),
    namespace: fc.constant(""),
    name: fc.constantFrom("", "a", "b", "c"),
  }),
  fc.record({
    kind: fc.constant("path" as const),
    verb: fc.constantFrom("get", "list", "patch"),
    path: fc.constantFrom("/a", "/a/", "/a/b", "/a/bc", "/ab", "/", "/c"),
  }),
);

test("whoever holds every permission of some rules may do all that they allow", () => {
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 3 }),
      fc.array(anyRule, { maxLength: 2 }),
      anyAsked,
      (held, wanted, asked) => {
        const isCovered = wanted.every((rule) =>
          [...permissionsOf(rule)].every((permission) => isHeld(held, permission)),
        );
        const gains =
          wanted.some((rule) => ruleAllows(rule, asked)) &&
          !held.some((rule) => ruleAllows(rule, asked));
        expect(isCovered && gains).toBe(false);
      },
    ),
    { numRuns: 5_000 },
  );
});

test("a rule holds its own permissions, and as many as were counted", () => {
  fc.assert(
    fc.property(anyRule, (rule) => {
      const all = [...permissionsOf(rule)];
      // Of a rule with names, its URLs are everybody's: kube-apiserver has no such rules.
      const own = all.filter((each) => !("url" in each) || rule.resourceNames.length === 0);
      expect(own.every((permission) => isHeld([rule], permission))).toBe(true);
      expect(countPermissions([rule])).toBe(all.length);
    }),
  );
});

test("verbs on one resource are told in one line, and lines in the order of their bytes", () => {
  const rules = [
    heldRule({ verbs: ["get", "list"], apiGroups: ["b", "a"], resources: ["pods"] }),
    heldRule({ verbs: ["get"], apiGroups: ["b"], resources: ["pods"], resourceNames: ["x"] }),
    heldRule({ verbs: ["get"], nonResourceURLs: ["/a"] }),
  ];
  expect(printMissing(rules.flatMap((rule) => Array.from(permissionsOf(rule))))).toBe(
    [
      '{APIGroups:["a"], Resources:["pods"], Verbs:["get" "list"]}',
      '{APIGroups:["b"], Resources:["pods"], ResourceNames:["x"], Verbs:["get"]}',
      '{APIGroups:["b"], Resources:["pods"], Verbs:["get" "list"]}',
      '{NonResourceURLs:["/a"], Verbs:["get"]}',
    ].join("\n"),
  );
});
