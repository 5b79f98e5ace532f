import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  ResourcePolicyRule,
  Subject,
} from "@homeostat/object-model/flowcontrol-v1";
import type { AccessAttributes } from "../authorization/authorizer.ts";

type ResourceAttributes = Extract<AccessAttributes, { kind: "resource" }>;

/** Whether a flow schema is about this request. */
export function matchesFlow(
  spec: FlowSchemaSpec,
  user: UserInfo,
  asked: AccessAttributes,
): boolean {
  return (spec.rules ?? []).some(
    ({ subjects, resourceRules = [], nonResourceRules = [] }) =>
      (subjects ?? []).some((subject) => isSubject(subject, user)) &&
      (asked.kind === "resource"
        ? resourceRules.some((rule) => matchesResource(rule, asked))
        : nonResourceRules.some((rule) => matchesPath(rule, asked))),
  );
}

function isSubject(subject: Subject, { username = "", groups = [] }: UserInfo): boolean {
  switch (subject.kind) {
    case "User":
      return subject.user?.name === "*" || subject.user?.name === username;
    case "Group":
      return (
        subject.group !== undefined &&
        (subject.group.name === "*" || groups.includes(subject.group.name))
      );
    case "ServiceAccount": {
      if (subject.serviceAccount === undefined) return false;
      const { namespace, name } = subject.serviceAccount;
      const prefix = `system:serviceaccount:${namespace}:`;
      return name === "*" ? username.startsWith(prefix) : username === prefix + name;
    }
    default:
      return false;
  }
}

function matchesResource(rule: ResourcePolicyRule, asked: ResourceAttributes): boolean {
  const { verb, group, resource, subresource, namespace } = asked;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  if (!names(rule.verbs, verb) || !names(rule.resources, what) || !names(rule.apiGroups, group)) {
    return false;
  }
  return namespace === "" ? rule.clusterScope === true : names(rule.namespaces, namespace);
}

function matchesPath(
  { verbs, nonResourceURLs }: NonResourcePolicyRule,
  { verb, path }: Extract<AccessAttributes, { kind: "path" }>,
): boolean {
  if (!names(verbs, verb)) return false;
  return (nonResourceURLs ?? []).some((url) => {
    if (url === "*" || url === path) return true;
    const prefix = url.endsWith("*") ? url.slice(0, -1) : url;
    return path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
  });
}

/** A star means all where it stands alone, which validation makes sure of. */
function names(list: readonly string[] | undefined, one: string): boolean {
  if (list === undefined) return false;
  return list.includes(one) || (list.length === 1 && list[0] === "*");
}
