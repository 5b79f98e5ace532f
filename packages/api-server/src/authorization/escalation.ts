/**
 * Nobody grants what they do not hold. Whoever writes a role needs every permission in it, whoever
 * writes a binding every permission of the role that it binds; the verbs `escalate` on roles and `bind`
 * on the bound role stand for all of them. Taking rights away is not looked at, and neither is a change
 * that only lets the object be collected.
 *
 * Asked after everybody who may change the object, before its rules are: the last of the plugins that
 * mutate.
 */
import {
  ApiError,
  cloneJson,
  equalJson,
  goQuote,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
} from "@homeostat/object-model";
import type { ClusterRole, ClusterRoleBinding, RoleRef } from "@homeostat/object-model/rbac-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "../admission/admission.ts";
import type { Authorization } from "./authorizer.ts";
import {
  countPermissions,
  isHeld,
  list,
  type Permission,
  permissionsOf,
  printMissing,
} from "./covered-rules.ts";
import { printMissingRoles } from "./missing-roles.ts";
import { type HeldRule, heldRule } from "./policy-rule.ts";
import { MASTERS } from "./rbac-authorizer.ts";
import { RBAC_GROUP } from "./rbac-policy.ts";

export interface EscalationOptions {
  readonly authorizer: Authorization;
  /** The rules of a role as a binding in this namespace names it. */
  readonly rulesOf: (role: Readonly<RoleRef>, namespace: string) => readonly HeldRule[] | undefined;
  /** What users hold by roles, whoever decides about requests. */
  readonly roles: Authorization;
  /** Gives others a turn. */
  readonly breathe: () => Promise<void>;
}

/** The product of a rule's lists grows faster than its text: more than this nobody looks through. */
const MAX_PERMISSIONS = 100_000;
/** How many are looked at in one go. */
const STEP = 2_000;

const FULL_AUTHORITY: readonly HeldRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

export class EscalationCheck implements AdmissionPlugin {
  readonly name = "RBACEscalation";
  readonly resources: readonly string[] = [
    `roles.${RBAC_GROUP}`,
    `clusterroles.${RBAC_GROUP}`,
    `rolebindings.${RBAC_GROUP}`,
    `clusterrolebindings.${RBAC_GROUP}`,
  ];
  readonly #options: EscalationOptions;

  constructor(options: EscalationOptions) {
    this.#options = options;
  }

  mutate(change: AdmittedChange, request: AdmissionRequest): void | Promise<void> {
    const { object, old, operation } = change;
    if (object === undefined || request.user.groups?.includes(MASTERS) === true) return undefined;
    const { resource } = request.served.stored.groupResource;
    const isRole = resource === "roles" || resource === "clusterroles";
    if (isRole && this.#may(request, "escalate", { resource, name: nameAsked(operation, request) }))
      return undefined;
    if (old !== undefined && changesOnlyCollection(object, old)) return undefined;
    if (isRole) return this.#checkRole(object as ClusterRole, old as ClusterRole, request);
    return this.#checkBinding(object as ClusterRoleBinding, request);
  }

  async #checkRole(
    role: ClusterRole,
    old: Readonly<ClusterRole> | undefined,
    request: AdmissionRequest,
  ): Promise<void> {
    const refuse = (why: string): never => {
      const { groupResource } = request.served.stored;
      throw ApiError.forbidden(groupResource, role.metadata?.name ?? "", why);
    };
    const problem = await this.#problemWith((role.rules ?? []).map(heldRule), request);
    if (problem !== undefined) refuse(problem);
    if (!gathers(role) && !gathers(old)) return;
    if ((await this.#problemWith(FULL_AUTHORITY, request)) !== undefined) {
      refuse("must have cluster-admin privileges to use the aggregationRule");
    }
  }

  async #checkBinding(binding: ClusterRoleBinding, request: AdmissionRequest): Promise<void> {
    const roleRef: Partial<RoleRef> = binding.roleRef ?? {};
    const { kind = "", name = "" } = roleRef;
    const resource = ROLE_RESOURCES.get(kind);
    if (resource !== undefined && this.#may(request, "bind", { resource, name })) return;
    if (resource === undefined) {
      throw new ApiError({
        message: `unsupported role reference kind: ${goQuote(kind)}`,
        httpStatus: 500,
      });
    }
    const rules = this.#options.rulesOf({ apiGroup: RBAC_GROUP, kind, name }, request.namespace);
    if (rules === undefined) {
      // kube-apiserver means the role, and says what was asked for.
      throw ApiError.notFound(request.served.stored.groupResource, name);
    }
    const problem = await this.#problemWith(rules, request);
    if (problem === undefined) return;
    const { groupResource } = request.served.stored;
    throw ApiError.forbidden(groupResource, binding.metadata?.name ?? "", problem);
  }

  #may(
    { user, namespace }: AdmissionRequest,
    verb: string,
    { resource, name }: { readonly resource: string; readonly name: string },
  ): boolean {
    const attributes = {
      kind: "resource",
      verb,
      group: RBAC_GROUP,
      version: "*",
      resource,
      subresource: "",
      namespace,
      name,
    } as const;
    return this.#options.authorizer.authorize(user, attributes).allowed;
  }

  /** Undefined when the user holds all of it. */
  async #problemWith(
    wanted: readonly HeldRule[],
    { user, namespace, served }: AdmissionRequest,
  ): Promise<string | undefined> {
    const { username = "", groups = [] } = user;
    const who = `user ${goQuote(username)} (groups=${list(groups)})`;
    const count = countPermissions(wanted);
    if (count > MAX_PERMISSIONS) {
      return `${who} is attempting to grant ${count} RBAC permissions at once, more than the ${MAX_PERMISSIONS} that are looked through`;
    }
    const held = this.#options.roles.rulesFor(user, namespace);
    const missing: Permission[] = [];
    let looked = 0;
    for (const rule of wanted) {
      for (const permission of permissionsOf(rule)) {
        if (!isHeld(held.rules, permission)) missing.push(permission);
        if (++looked % STEP === 0) await this.#options.breathe();
      }
    }
    if (missing.length === 0) return undefined;
    const { resource } = served.stored.groupResource;
    const unresolved =
      held.missing.length === 0
        ? ""
        : `; resolution errors: [${printMissingRoles(held.missing, resource)}]`;
    return `${who} is attempting to grant RBAC permissions not currently held:\n${printMissing(missing)}${unresolved}`;
  }
}

const ROLE_RESOURCES: ReadonlyMap<string, string> = new Map([
  ["ClusterRole", "clusterroles"],
  ["Role", "roles"],
]);

/** A new object is named by its body, which is not what was asked for: only rights to all names count. */
function nameAsked(operation: AdmittedChange["operation"], { name }: AdmissionRequest): string {
  return operation === "CREATE" ? "" : name;
}

function gathers(role: Readonly<ClusterRole> | undefined): boolean {
  return (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

const COLLECTION_FIELDS = ["ownerReferences", "finalizers", "selfLink", "managedFields"] as const;

/** Whether nothing changes but what garbage collection works with. */
function changesOnlyCollection(
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject>,
): boolean {
  return equalJson(essence(object), essence(old));
}

function essence(object: Readonly<KubernetesObject>): JsonValue {
  const copy = cloneJson(object as unknown as JsonObject);
  delete copy["kind"];
  delete copy["apiVersion"];
  const metadata = copy["metadata"] as JsonObject | undefined;
  for (const field of COLLECTION_FIELDS) delete metadata?.[field];
  return withoutEmpty(copy);
}

/** Nothing, an empty list and an empty map say the same. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, each]): [string, JsonValue] => [key, withoutEmpty(each)])
    .filter(([, each]) => !isEmpty(each));
  return Object.fromEntries(entries);
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
