import type { KubernetesObject } from "@homeostat/object-model";
import type { PlaneSettings } from "../registry/strategy.ts";
import { apiServices } from "./api-services.ts";
import { defaultPolicy, type PolicyOptions } from "./default-policy.ts";
import { flowSchemas, priorityLevels } from "./flow-control.ts";
import { conditionApplied, keyFields, writtenByServer } from "./server-written.ts";

export interface BootstrapObject {
  readonly group: string;
  readonly resource: string;
  readonly object: KubernetesObject;
}

const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];
const NAME_LABEL = "kubernetes.io/metadata.name";
const FAMILY_LABEL = "ipaddress.kubernetes.io/ip-family";
const NETWORKING = "networking.k8s.io/v1";
const MANAGER_LABEL = "ipaddress.kubernetes.io/managed-by";

/** In the version that is kept, as kube-apiserver stores them; new objects with every call. */
export function bootstrapObjects(
  settings: PlaneSettings,
  policy: PolicyOptions,
): readonly BootstrapObject[] {
  return [...objectsOfEveryPlane(policy), ...objectsOfSettings(settings, policy.now)];
}

/** Those that say something of this very plane. */
export function objectsOfSettings(
  { serviceClusterIpRange: range }: PlaneSettings,
  now: string,
): readonly BootstrapObject[] {
  const address = firstAddress(range);
  return [
    of("", "services", kubernetesService(address, now)),
    of("", "configmaps", tokenTracking(now)),
    of("networking.k8s.io", "ipaddresses", ipAddress(address, now)),
    of("networking.k8s.io", "servicecidrs", serviceCidr(range, now)),
  ];
}

/** Those that differ between planes by uid and time only. */
export function objectsOfEveryPlane(policy: PolicyOptions): readonly BootstrapObject[] {
  const { now } = policy;
  const flowControl = "flowcontrol.apiserver.k8s.io";
  return [
    ...NAMESPACES.map((name) => of("", "namespaces", namespace(name, now))),
    ...PRIORITIES.map(([name, value, what]) =>
      of("scheduling.k8s.io", "priorityclasses", priorityClass({ name, value, what, now })),
    ),
    ...priorityLevels(now).map((each) => of(flowControl, "prioritylevelconfigurations", each)),
    ...flowSchemas(now).map((each) => of(flowControl, "flowschemas", each)),
    ...apiServices(now).map((each) => of("apiregistration.k8s.io", "apiservices", each)),
    ...defaultPolicy(policy).map(({ resource, object }) =>
      of("rbac.authorization.k8s.io", resource, object),
    ),
  ];
}

const PRIORITIES: readonly (readonly [string, number, string])[] = [
  [
    "system-cluster-critical",
    2_000_000_000,
    "run in the cluster, but can be moved to another node if necessary",
  ],
  ["system-node-critical", 2_000_001_000, "not be moved from their current node"],
];

function of(group: string, resource: string, object: unknown): BootstrapObject {
  return { group, resource, object: object as KubernetesObject };
}

function namespace(name: string, now: string): object {
  return {
    metadata: {
      name,
      labels: { [NAME_LABEL]: name },
      managedFields: [
        writtenByServer({
          apiVersion: "v1",
          now,
          fields: { "f:metadata": labelFields(NAME_LABEL) },
        }),
      ],
    },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

/** Its target port follows when the server is told where it listens. */
function kubernetesService(address: string, now: string): object {
  return {
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { component: "apiserver", provider: "kubernetes" },
      managedFields: [writtenByServer({ apiVersion: "v1", now, fields: serviceFields })],
    },
    spec: {
      ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: 6443 }],
      clusterIP: address,
      clusterIPs: [address],
      type: "ClusterIP",
      sessionAffinity: "None",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      internalTrafficPolicy: "Cluster",
    },
    status: { loadBalancer: {} },
  };
}

const serviceFields = {
  "f:metadata": labelFields("component", "provider"),
  "f:spec": {
    "f:clusterIP": {},
    "f:internalTrafficPolicy": {},
    "f:ipFamilyPolicy": {},
    "f:ports": {
      ".": {},
      'k:{"port":443,"protocol":"TCP"}': {
        ".": {},
        "f:name": {},
        "f:port": {},
        "f:protocol": {},
        "f:targetPort": {},
      },
    },
    "f:sessionAffinity": {},
    "f:type": {},
  },
};

function labelFields(...names: readonly string[]): object {
  return { "f:labels": keyFields(...names) };
}

/** Since when legacy tokens are tracked. */
function tokenTracking(now: string): object {
  const name = "kube-apiserver-legacy-service-account-token-tracking";
  return systemData(name, { since: now.slice(0, "2006-01-02".length) }, now);
}

/** Where servers behind this one learn whose client certificates to trust. */
export function systemData(
  name: string,
  data: Readonly<Record<string, string>>,
  now: string,
): object {
  const fields = { "f:data": keyFields(...Object.keys(data)) };
  const managedFields = [writtenByServer({ apiVersion: "v1", now, fields })];
  return { metadata: { name, namespace: "kube-system", managedFields }, data };
}

function ipAddress(name: string, now: string): object {
  return {
    metadata: {
      name,
      labels: { [FAMILY_LABEL]: "IPv4", [MANAGER_LABEL]: "ipallocator.k8s.io" },
      managedFields: [
        writtenByServer({
          apiVersion: NETWORKING,
          now,
          fields: {
            "f:metadata": labelFields(FAMILY_LABEL, MANAGER_LABEL),
            "f:spec": { "f:parentRef": keyFields("name", "namespace", "resource") },
          },
        }),
      ],
    },
    spec: { parentRef: { resource: "services", namespace: "default", name: "kubernetes" } },
  };
}

function serviceCidr(range: string, now: string): object {
  const applied = conditionApplied({
    manager: "kubernetes-service-cidr-controller",
    apiVersion: NETWORKING,
    now,
    condition: "Ready",
    fields: ["lastTransitionTime", "message", "status", "type"],
  });
  const fields = { "f:spec": { "f:cidrs": {} } };
  return {
    metadata: {
      name: "kubernetes",
      managedFields: [applied, writtenByServer({ apiVersion: NETWORKING, now, fields })],
    },
    spec: { cidrs: [range] },
    status: {
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastTransitionTime: now,
          reason: "",
          message: "Kubernetes default Service CIDR is ready",
        },
      ],
    },
  };
}

interface PriorityClassParts {
  readonly name: string;
  readonly value: number;
  readonly what: string;
  readonly now: string;
}

function priorityClass({ name, value, what, now }: PriorityClassParts): object {
  const fields = { "f:description": {}, "f:preemptionPolicy": {}, "f:value": {} };
  return {
    metadata: {
      name,
      generation: 1,
      managedFields: [writtenByServer({ apiVersion: "scheduling.k8s.io/v1", now, fields })],
    },
    value,
    description: `Used for system critical pods that must ${what}.`,
    preemptionPolicy: "PreemptLowerPriority",
  };
}

/** The first address of an IPv4 range is the API server's. */
function firstAddress(range: string): string {
  const [base = ""] = range.split("/");
  const parts = base.split(".");
  parts[3] = String(Number(parts[3]) + 1);
  return parts.join(".");
}
