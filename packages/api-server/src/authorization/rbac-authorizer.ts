import { goQuote } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { RoleRef } from "@homeostat/object-model/rbac-v1";
import type { AccessAttributes, AccessDecision, Authorization, HeldRules } from "./authorizer.ts";
import { printMissingRoles } from "./missing-roles.ts";
import { type HeldRule, ruleAllows } from "./policy-rule.ts";
import { appliesTo, type HeldBinding, type RbacPolicy } from "./rbac-policy.ts";

/** Members may do everything, whatever roles say: how a plane whose roles are lost is repaired. */
export const MASTERS = "system:masters";

const ALLOWED: AccessDecision = { allowed: true, reason: "" };
const DENIED: AccessDecision = { allowed: false, reason: "" };

/** Role-based access control: what no role grants is refused. */
export class RbacAuthorizer implements Authorization {
  readonly #policy: RbacPolicy;

  constructor(policy: RbacPolicy) {
    this.#policy = policy;
  }

  authorize(user: UserInfo, attributes: AccessAttributes): AccessDecision {
    if (user.groups?.includes(MASTERS) === true) return ALLOWED;
    const namespace = attributes.kind === "resource" ? attributes.namespace : "";
    let missing: RoleRef[] | undefined;
    for (const binding of this.#policy.bindingsFor(user, namespace)) {
      const rules = this.#policy.rulesOf(binding.roleRef, binding.namespace);
      if (rules === undefined) {
        missing ??= [];
        missing.push(binding.roleRef);
        continue;
      }
      for (const rule of rules) {
        if (ruleAllows(rule, attributes)) {
          return { allowed: true, reason: `RBAC: allowed by ${describe(binding, user)}` };
        }
      }
    }
    if (missing === undefined) return DENIED;
    return { allowed: false, reason: `RBAC: ${printMissingRoles(missing)}` };
  }

  rulesFor(user: UserInfo, namespace: string): HeldRules {
    const rules: HeldRule[] = [];
    const missing: RoleRef[] = [];
    for (const binding of this.#policy.bindingsFor(user, namespace)) {
      const found = this.#policy.rulesOf(binding.roleRef, binding.namespace);
      if (found === undefined) missing.push(binding.roleRef);
      else rules.push(...found);
    }
    return { rules, missing };
  }

  get changes(): number {
    return this.#policy.changes;
  }

  whenChanged(listener: () => void): void {
    this.#policy.whenChanged(listener);
  }
}

function describe(binding: HeldBinding, user: UserInfo): string {
  const { namespace, name, roleRef, subjects } = binding;
  const subject = subjects.find((each) => appliesTo(each, user, namespace))!;
  const isAccount = subject.kind === "ServiceAccount";
  const who = isAccount ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const what = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const bound = namespace === "" ? name : `${name}/${namespace}`;
  return `${what} ${goQuote(bound)} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${subject.kind} ${goQuote(who)}`;
}
