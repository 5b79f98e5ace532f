/**
 * The roles and bindings that every plane begins with. Their text has a block for each: its kind, its
 * namespace if it is of one, its name, `+label` for a role that others gather, `of role` for a binding
 * whose role has another name; indented below it what it grants or to whom:
 *
 *     ClusterRole edit +aggregate-to-admin          RoleBinding kube-system a-reader of reader
 *       aggregates aggregate-to-edit                  ServiceAccount a kube-system
 *       get,list core,apps pods,deployments names     User system:kube-scheduler
 *       get at /healthz,/livez
 */
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Subject,
} from "@homeostat/object-model/rbac-v1";
import { gatheredRules } from "../authorization/gathered-rules.ts";
import { RBAC_GROUP } from "../authorization/rbac-policy.ts";
import { AGGREGATION_MANAGER } from "../authorization/role-aggregation.ts";
import { DEFAULT_POLICY_TEXT } from "./generated/default-policy-text.ts";
import { keyFields, writtenByServer } from "./server-written.ts";

export const AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";
const BOOTSTRAPPING = "kubernetes.io/bootstrapping";
const API_VERSION = `${RBAC_GROUP}/v1`;

/** Those of a namespace have the same fields as those of the cluster, and fewer. */
export type DefaultPolicyObject =
  | { readonly resource: "clusterroles" | "roles"; readonly object: ClusterRole }
  | {
      readonly resource: "clusterrolebindings" | "rolebindings";
      readonly object: ClusterRoleBinding;
    };

export interface PolicyOptions {
  /** When the objects are made. */
  readonly now: string;
  /** Whether aggregated roles have their rules already, as if the controller had been there. */
  readonly gathered: boolean;
}

/** New objects with every call. */
export function defaultPolicy({ now, gathered }: PolicyOptions): readonly DefaultPolicyObject[] {
  const objects = readPolicy(now);
  if (gathered) gather(objects, now);
  return objects;
}

/** A role may gather one that gathers: those that are gathered come later in the text. */
function gather(objects: readonly DefaultPolicyObject[], now: string): void {
  const roles = objects.flatMap((each) => (each.resource === "clusterroles" ? [each.object] : []));
  for (const role of roles.toReversed()) {
    const rules = gatheredRules(role, roles);
    if (rules === undefined) continue;
    role.rules = rules;
    const entry = {
      ...writtenByServer({
        manager: AGGREGATION_MANAGER,
        apiVersion: API_VERSION,
        now,
        fields: { "f:rules": {} },
      }),
      operation: "Apply",
    };
    role.metadata.managedFields = [entry, ...(role.metadata.managedFields ?? [])];
  }
}

function readPolicy(now: string): readonly DefaultPolicyObject[] {
  return DEFAULT_POLICY_TEXT.trimEnd()
    .split(/\n(?! )/)
    .map((block) => {
      const [head = "", ...lines] = block.split("\n");
      return objectOf(
        head.split(" "),
        lines.map((line) => line.trimStart().split(" ")),
        now,
      );
    });
}

type Words = readonly string[];

function objectOf(head: Words, lines: readonly Words[], now: string): DefaultPolicyObject {
  const [kind, ...rest] = head;
  switch (kind) {
    case "ClusterRole":
      return { resource: "clusterroles", object: roleOf(rest, lines, { now }) };
    case "Role": {
      const [namespace = "", ...named] = rest;
      return { resource: "roles", object: roleOf(named, lines, { now, namespace }) };
    }
    case "ClusterRoleBinding":
      return { resource: "clusterrolebindings", object: bindingOf(rest, lines, { now }) };
    case "RoleBinding": {
      const [namespace = "", ...named] = rest;
      return { resource: "rolebindings", object: bindingOf(named, lines, { now, namespace }) };
    }
    default:
      throw new Error(`The default policy holds a ${kind}, which is no role and no binding`);
  }
}

interface Place {
  readonly now: string;
  readonly namespace?: string;
}

function roleOf([name = "", ...marks]: Words, lines: readonly Words[], place: Place): ClusterRole {
  const labels = marks.map((mark) => `${RBAC_GROUP}/${mark.slice(1)}`);
  const gathered = lines.filter(([first]) => first === "aggregates");
  if (gathered.length > 0) {
    const fields = { "f:aggregationRule": keyFields("clusterRoleSelectors") };
    const selectors = gathered.map(([, label]) => ({
      matchLabels: { [`${RBAC_GROUP}/${label}`]: "true" },
    }));
    return {
      ...metadataOf(name, { ...place, labels, fields }),
      rules: null as never,
      aggregationRule: { clusterRoleSelectors: selectors },
    };
  }
  return {
    ...metadataOf(name, { ...place, labels, fieldsBehind: { "f:rules": {} } }),
    rules: lines.map(ruleOf),
  };
}

function ruleOf([verbs = "", second = "", third = "", names]: Words): PolicyRule {
  if (second === "at") return { verbs: verbs.split(","), nonResourceURLs: third.split(",") };
  return {
    verbs: verbs.split(","),
    apiGroups: second.split(",").map((group) => (group === "core" ? "" : group)),
    resources: third.split(","),
    ...(names !== undefined && { resourceNames: names.split(",") }),
  };
}

function bindingOf(
  [name = "", , role = name]: Words,
  lines: readonly Words[],
  place: Place,
): ClusterRoleBinding {
  const subjects = lines.map(subjectOf);
  const owned = subjects.length === 0 ? {} : { "f:subjects": {} };
  const kind = place.namespace === undefined ? "ClusterRole" : "Role";
  return {
    ...metadataOf(name, { ...place, labels: [], fieldsBehind: { "f:roleRef": {}, ...owned } }),
    ...(subjects.length > 0 && { subjects }),
    roleRef: { apiGroup: RBAC_GROUP, kind, name: role },
  };
}

function subjectOf([kind = "", name = "", namespace]: Words): Subject {
  return namespace === undefined ? { kind, apiGroup: RBAC_GROUP, name } : { kind, name, namespace };
}

interface Described extends Place {
  readonly labels: readonly string[];
  /** Owned fields by the sides of the metadata, in their order. */
  readonly fields?: object;
  readonly fieldsBehind?: object;
}

function metadataOf(name: string, described: Described): Pick<ClusterRole, "metadata"> {
  const { now, namespace, labels } = described;
  const fields = {
    ...described.fields,
    "f:metadata": {
      "f:annotations": keyFields(AUTO_UPDATE),
      "f:labels": keyFields(BOOTSTRAPPING, ...labels),
    },
    ...described.fieldsBehind,
  };
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: Object.fromEntries([
        [BOOTSTRAPPING, "rbac-defaults"],
        ...labels.map((label) => [label, "true"]),
      ]),
      annotations: { [AUTO_UPDATE]: "true" },
      managedFields: [writtenByServer({ apiVersion: API_VERSION, now, fields })] as never[],
    },
  };
}
