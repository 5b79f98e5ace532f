import type { AccessDecision, Authorization, HeldRules } from "./authorizer.ts";
import type { HeldRule } from "./policy-rule.ts";

const DECISION: AccessDecision = { allowed: true, reason: "" };

const EVERYTHING: readonly HeldRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

const HELD: HeldRules = { rules: EVERYTHING, missing: [] };

/** Everybody may do everything, as kube-apiserver's `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: Authorization = {
  authorize: () => DECISION,
  rulesFor: () => HELD,
  changes: 0,
  whenChanged: () => undefined,
};
