/**
 * Role-based access control as its documentation tells it, over plain lists and without a thought for
 * speed: what the server's own answers are compared with.
 */
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from "@homeostat/object-model/rbac-v1";

export interface RbacWorld {
  readonly clusterRoles: readonly ClusterRole[];
  readonly roles: readonly Role[];
  readonly clusterRoleBindings: readonly ClusterRoleBinding[];
  readonly roleBindings: readonly RoleBinding[];
}

export interface Person {
  readonly username: string;
  readonly groups: readonly string[];
}

/** `resource` may be `pods/status`; "" as namespace is the whole cluster. */
export type Deed =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly name: string;
      readonly namespace: string;
    }
  | { readonly verb: string; readonly url: string };

export function mayDo(world: RbacWorld, person: Person, deed: Deed): boolean {
  if (person.groups.includes("system:masters")) return true;
  const inCluster = world.clusterRoleBindings
    .filter(({ subjects }) => isAmong(person, subjects, ""))
    .flatMap(({ roleRef }) => rulesNamed(world.clusterRoles, roleRef.name, undefined));
  const namespace = "url" in deed ? "" : deed.namespace;
  const inNamespace = world.roleBindings
    .filter(({ metadata }) => namespace !== "" && metadata.namespace === namespace)
    .filter(({ subjects }) => isAmong(person, subjects, namespace))
    .flatMap(({ roleRef }) =>
      roleRef.kind === "Role"
        ? rulesNamed(world.roles, roleRef.name, namespace)
        : rulesNamed(world.clusterRoles, roleRef.name, undefined),
    );
  return [...inCluster, ...inNamespace].some((rule) => grants(rule, deed));
}

function rulesNamed(
  roles: readonly (ClusterRole | Role)[],
  name: string,
  namespace: string | undefined,
): readonly PolicyRule[] {
  const role = roles.find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  );
  return role?.rules ?? [];
}

function isAmong(
  { username, groups }: Person,
  subjects: readonly Subject[] | undefined,
  namespace: string,
): boolean {
  return (subjects ?? []).some((subject) => {
    if (subject.kind === "User") return subject.name === username;
    if (subject.kind === "Group") return groups.includes(subject.name);
    const place = subject.namespace ?? namespace;
    return place !== "" && username === `system:serviceaccount:${place}:${subject.name}`;
  });
}

function grants(rule: PolicyRule, deed: Deed): boolean {
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    (list ?? []).some((each) => each === "*" || each === value);
  if (!has(rule.verbs, deed.verb)) return false;
  if ("url" in deed) {
    return (rule.nonResourceURLs ?? []).some((url) =>
      url.endsWith("*") ? deed.url.startsWith(url.slice(0, -1)) : url === deed.url,
    );
  }
  const [, subresource] = deed.resource.split("/");
  const isResource =
    has(rule.resources, deed.resource) ||
    (subresource !== undefined && (rule.resources ?? []).includes(`*/${subresource}`));
  const names = rule.resourceNames ?? [];
  return (
    has(rule.apiGroups, deed.group) &&
    isResource &&
    (names.length === 0 || names.includes(deed.name))
  );
}
