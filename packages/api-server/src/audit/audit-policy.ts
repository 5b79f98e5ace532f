import { checkDns1123Subdomain, FieldError, FieldPath } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import { AUDIT_LEVELS, AUDIT_STAGES, type AuditLevel, type AuditStage } from "./audit-event.ts";

/** A Policy of audit.k8s.io/v1: the first rule that is about a request says how much is told of it. */
export interface AuditPolicy {
  readonly apiVersion: "audit.k8s.io/v1";
  readonly kind: "Policy";
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly AuditResources[];
  /** "" for what is in no namespace. */
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

interface AuditResources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What is to be told of one request. */
export interface AuditOrder {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

export class AuditPolicyError extends Error {
  override readonly name = "AuditPolicyError";
  readonly code = "audit-policy-invalid";
}

/** Reads what a policy file holds, decoded. Throws AuditPolicyError. */
export function readAuditPolicy(value: unknown): AuditPolicy {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AuditPolicyError("an audit policy has to be an object of kind Policy");
  }
  const { apiVersion, kind } = value as Partial<AuditPolicy>;
  if (apiVersion !== "audit.k8s.io/v1" || kind !== "Policy") {
    const got = `${String(apiVersion)}, Kind=${String(kind)}`;
    throw new AuditPolicyError(`unknown group version field ${got} in policy`);
  }
  checkShape(value, "policy", { rules: "objects", omitStages: "texts" });
  const policy = value as AuditPolicy;
  for (const [at, rule] of (policy.rules ?? []).entries()) {
    const lists = ["users", "userGroups", "verbs", "namespaces", "nonResourceURLs", "omitStages"];
    const shape = Object.fromEntries(lists.map((name) => [name, "texts" as const]));
    checkShape(rule, `rules[${at}]`, { ...shape, resources: "objects" });
    for (const [place, each] of (rule.resources ?? []).entries()) {
      const where = `rules[${at}].resources[${place}]`;
      checkShape(each, where, { resources: "texts", resourceNames: "texts" });
    }
  }
  const errors = [
    ...checkStages(policy.omitStages, FieldPath.of("omitStages")),
    ...(policy.rules ?? []).flatMap((rule, at) => checkRule(rule, FieldPath.of("rules").index(at))),
  ];
  if (errors.length > 0) {
    const texts = errors.map(String);
    throw new AuditPolicyError(texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`);
  }
  if ((policy.rules ?? []).length === 0) {
    throw new AuditPolicyError("loaded illegal policy with 0 rules");
  }
  return policy;
}

/** What a policy says about a request. Without a rule about it nothing is told. */
export function orderOf(policy: AuditPolicy, user: UserInfo, asked: AccessAttributes): AuditOrder {
  const rule = policy.rules.find((each) => matches(each, user, asked));
  const omitStages = [...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])];
  const omitManagedFields = rule?.omitManagedFields ?? policy.omitManagedFields ?? false;
  return { level: rule?.level ?? "None", omitStages, omitManagedFields };
}

function matches(rule: AuditRule, user: UserInfo, asked: AccessAttributes): boolean {
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [] } = rule;
  if (users.length > 0 && !users.includes(user.username ?? "")) return false;
  if (userGroups.length > 0 && !user.groups?.some((group) => userGroups.includes(group))) {
    return false;
  }
  if (verbs.length > 0 && !verbs.includes(asked.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) {
    if (asked.kind === "path") return false;
    if (namespaces.length > 0 && !namespaces.includes(asked.namespace)) return false;
    return resources.length === 0 || resources.some((each) => names(each, asked));
  }
  const { nonResourceURLs = [] } = rule;
  if (nonResourceURLs.length === 0) return true;
  return asked.kind === "path" && nonResourceURLs.some((url) => isPath(url, asked.path));
}

function names(
  { group = "", resources = [], resourceNames = [] }: AuditResources,
  asked: Extract<AccessAttributes, { kind: "resource" }>,
): boolean {
  if (group !== "*" && group !== asked.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(asked.name)) return false;
  const { resource, subresource } = asked;
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some(
    (each) =>
      each === whole ||
      each === "*" ||
      (subresource !== "" && each === `*/${subresource}`) ||
      each === `${resource}/*`,
  );
}

function isPath(url: string, path: string): boolean {
  if (url === "*" || url === path) return true;
  return url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""));
}

function checkRule(rule: AuditRule, at: FieldPath): FieldError[] {
  const { level, nonResourceURLs = [], resources = [], namespaces = [] } = rule;
  const errors: FieldError[] = [];
  if (!level) errors.push(FieldError.required(at.child("level"), ""));
  else if (!AUDIT_LEVELS.includes(level)) {
    errors.push(FieldError.notSupported(at.child("level"), level, AUDIT_LEVELS));
  }
  for (const [place, url] of nonResourceURLs.entries()) {
    if (url === "*") continue;
    const where = at.child("nonResourceURLs").index(place);
    if (!url.startsWith("/")) {
      const why = "non-resource URL rules must begin with a '/' character";
      errors.push(FieldError.invalid(where, url, why));
    }
    if (url.slice(0, -1).includes("*")) {
      const why = "non-resource URL wildcards '*' must be the final character of the rule";
      errors.push(FieldError.invalid(where, url, why));
    }
  }
  for (const each of resources) {
    const { group = "", resourceNames = [] } = each;
    const problems = group === "" || group === "*" ? [] : checkDns1123Subdomain(group);
    if (problems.length > 0) {
      const where = at.child("resources").child("group");
      errors.push(FieldError.invalid(where, group, problems.join(",")));
    }
    if (resourceNames.length > 0 && (each.resources ?? []).length === 0) {
      const where = at.child("resources").child("resourceNames");
      const why = "using resourceNames requires at least one resource";
      errors.push(FieldError.invalid(where, [...resourceNames], why));
    }
  }
  errors.push(...checkStages(rule.omitStages, at.child("omitStages")));
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
    const why = "rules cannot apply to both regular resources and non-resource URLs";
    errors.push(FieldError.invalid(at.child("nonResourceURLs"), [...nonResourceURLs], why));
  }
  return errors;
}

function checkStages(stages: readonly AuditStage[] = [], at: FieldPath): FieldError[] {
  const why = `allowed stages are ${AUDIT_STAGES.join(",")}`;
  return stages.flatMap((stage, place) =>
    AUDIT_STAGES.includes(stage) ? [] : [FieldError.invalid(at.index(place), stage, why)],
  );
}

function checkShape(
  value: object,
  where: string,
  lists: Readonly<Record<string, "texts" | "objects">>,
): void {
  for (const [name, of] of Object.entries(lists)) {
    const list = (value as Record<string, unknown>)[name];
    if (list === undefined || list === null) continue;
    const isRight = (each: unknown): boolean =>
      of === "texts" ? typeof each === "string" : typeof each === "object" && each !== null;
    if (!Array.isArray(list) || !list.every(isRight)) {
      throw new AuditPolicyError(`failed decoding: ${where}.${name} has to be a list of ${of}`);
    }
  }
}
