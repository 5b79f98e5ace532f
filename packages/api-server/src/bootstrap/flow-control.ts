/** Priority levels and flow schemas, in the version that is kept. */
import type { KubernetesObject } from "@homeostat/object-model";
import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
  ResourcePolicyRule,
  Subject,
} from "@homeostat/object-model/flowcontrol-v1";
import { conditionApplied, keyFields, writtenByServer } from "./server-written.ts";

const API_VERSION = "flowcontrol.apiserver.k8s.io/v1";
const PRODUCER = "api-priority-and-fairness-config-producer-v1";
const CONSUMER = "api-priority-and-fairness-config-consumer-v1";
const AUTO_UPDATE = "apf.kubernetes.io/autoupdate-spec";

interface Queues {
  readonly queues: number;
  readonly handSize: number;
}

/** Name, shares, percentage that may be lent, queues; none: what is too much is rejected. */
const LIMITED: readonly (readonly [string, number, number, Queues?])[] = [
  ["catch-all", 5, 0],
  ["global-default", 20, 50, { queues: 128, handSize: 6 }],
  ["leader-election", 10, 0, { queues: 16, handSize: 4 }],
  ["node-high", 40, 25, { queues: 64, handSize: 6 }],
  ["system", 30, 33, { queues: 64, handSize: 6 }],
  ["workload-high", 40, 50, { queues: 128, handSize: 6 }],
  ["workload-low", 100, 90, { queues: 128, handSize: 6 }],
];

export function priorityLevels(now: string): readonly KubernetesObject[] {
  const exempt: PriorityLevelConfigurationSpec = {
    type: "Exempt",
    exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 },
  };
  const exemptFields = keyFields("lendablePercent", "nominalConcurrencyShares");
  return [
    { name: "exempt", spec: exempt, fields: { "f:exempt": exemptFields } },
    ...LIMITED.map(limitedLevel),
  ].map(({ name, spec, fields }) => {
    const owned = { ...fields, "f:type": {} };
    return objectOf(name, { now, owned, spec, status: {} });
  });
}

function limitedLevel([name, shares, lendablePercent, queues]: (typeof LIMITED)[number]): {
  name: string;
  spec: PriorityLevelConfigurationSpec;
  fields: object;
} {
  const queuing = queues && { queuing: { ...queues, queueLengthLimit: 50 } };
  const spec: PriorityLevelConfigurationSpec = {
    type: "Limited",
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse: { type: queues ? "Queue" : "Reject", ...queuing },
      lendablePercent,
    },
  };
  const queuingFields = keyFields("handSize", "queueLengthLimit", "queues");
  const fields = {
    "f:limited": {
      ".": {},
      "f:lendablePercent": {},
      "f:limitResponse": {
        ".": {},
        ...(queues && { "f:queuing": queuingFields }),
        "f:type": {},
      },
      "f:nominalConcurrencyShares": {},
    },
  };
  return { name, spec, fields };
}

const EVERYTHING: readonly ResourcePolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] },
];
const EVERY_PATH = [{ verbs: ["*"], nonResourceURLs: ["*"] }];
const LEASES = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], namespaces: ["*"] };

interface Flow {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  /** Whose requests stand in line behind one another. */
  readonly by?: "ByUser" | "ByNamespace";
  readonly subjects: readonly Subject[];
  /** Default: everything. */
  readonly resources?: readonly ResourcePolicyRule[];
  readonly paths?: PolicyRulesWithSubjects["nonResourceRules"];
}

const everybody = [group("system:unauthenticated"), group("system:authenticated")];
const systemAccounts = accounts("kube-system");
const manager = user("system:kube-controller-manager");
const scheduler = user("system:kube-scheduler");

const FLOWS: readonly Flow[] = [
  { name: "exempt", level: "exempt", precedence: 1, subjects: [group("system:masters")] },
  {
    name: "probes",
    level: "exempt",
    precedence: 2,
    subjects: everybody,
    resources: [],
    paths: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
  },
  {
    name: "system-leader-election",
    level: "leader-election",
    precedence: 100,
    by: "ByUser",
    subjects: [manager, scheduler, systemAccounts],
    resources: [{ verbs: ["get", "create", "update"], ...LEASES }],
    paths: [],
  },
  {
    name: "system-node-high",
    level: "node-high",
    precedence: 400,
    by: "ByUser",
    subjects: [group("system:nodes")],
    resources: [
      {
        verbs: ["*"],
        apiGroups: [""],
        resources: ["nodes", "nodes/status"],
        clusterScope: true,
        namespaces: ["*"],
      },
      { verbs: ["*"], ...LEASES },
    ],
    paths: [],
  },
  {
    name: "system-nodes",
    level: "system",
    precedence: 500,
    by: "ByUser",
    subjects: [group("system:nodes")],
  },
  {
    name: "kube-controller-manager",
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    subjects: [manager],
  },
  {
    name: "kube-scheduler",
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    subjects: [scheduler],
  },
  {
    name: "kube-system-service-accounts",
    level: "workload-high",
    precedence: 900,
    by: "ByNamespace",
    subjects: [systemAccounts],
  },
  {
    name: "service-accounts",
    level: "workload-low",
    precedence: 9000,
    by: "ByUser",
    subjects: [group("system:serviceaccounts")],
  },
  {
    name: "global-default",
    level: "global-default",
    precedence: 9900,
    by: "ByUser",
    subjects: everybody,
  },
  { name: "catch-all", level: "catch-all", precedence: 10000, by: "ByUser", subjects: everybody },
];

export function flowSchemas(now: string): readonly KubernetesObject[] {
  return FLOWS.map((flow) => {
    const { resources = EVERYTHING, paths = EVERY_PATH } = flow;
    const rule = {
      subjects: [...flow.subjects],
      ...(resources.length > 0 && { resourceRules: [...resources] }),
      ...(paths.length > 0 && { nonResourceRules: paths }),
    };
    const spec: FlowSchemaSpec = {
      priorityLevelConfiguration: { name: flow.level },
      matchingPrecedence: flow.precedence,
      ...(flow.by && { distinguisherMethod: { type: flow.by } }),
      rules: [rule],
    };
    const owned = {
      ...(flow.by && { "f:distinguisherMethod": keyFields("type") }),
      "f:matchingPrecedence": {},
      "f:priorityLevelConfiguration": { "f:name": {} },
      "f:rules": {},
    };
    const status = { conditions: [found(flow.level, now)] };
    const applied = conditionApplied({
      manager: CONSUMER,
      apiVersion: API_VERSION,
      now,
      condition: "Dangling",
      fields: ["lastTransitionTime", "message", "reason", "status", "type"],
    });
    return objectOf(flow.name, { now, owned, spec, status, entries: [applied] });
  });
}

function found(level: string, now: string): object {
  return {
    type: "Dangling",
    status: "False",
    lastTransitionTime: now,
    reason: "Found",
    message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`,
  };
}

function group(name: string): Subject {
  return { kind: "Group", group: { name } };
}

function user(name: string): Subject {
  return { kind: "User", user: { name } };
}

function accounts(namespace: string): Subject {
  return { kind: "ServiceAccount", serviceAccount: { namespace, name: "*" } };
}

interface Parts {
  readonly now: string;
  readonly owned: object;
  readonly spec: object;
  readonly status: object;
  /** Managers before the server itself. */
  readonly entries?: readonly object[];
}

function objectOf(
  name: string,
  { now, owned, spec, status, entries = [] }: Parts,
): KubernetesObject {
  const fields = { "f:metadata": { "f:annotations": keyFields(AUTO_UPDATE) }, "f:spec": owned };
  const produced = writtenByServer({ manager: PRODUCER, apiVersion: API_VERSION, now, fields });
  const object = {
    metadata: {
      name,
      generation: 1,
      annotations: { [AUTO_UPDATE]: "true" },
      managedFields: [...entries, produced],
    },
    spec,
    status,
  };
  return object;
}
