import type { KubernetesObject } from "@homeostat/object-model";
import type { PlaneSettings } from "../registry/strategy.ts";

export interface BootstrapObject {
  readonly group: string;
  readonly resource: string;
  readonly object: KubernetesObject;
}

/** Stands for the time at which the objects are made. */
export const NOW = "now";

const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];
const FAMILY_LABEL = "ipaddress.kubernetes.io/ip-family";
const MANAGER_LABEL = "ipaddress.kubernetes.io/managed-by";

/** In the version that is kept, as kube-apiserver stores them. */
export function bootstrapObjects(settings: PlaneSettings): readonly BootstrapObject[] {
  const address = firstAddress(settings.serviceClusterIpRange);
  return [
    ...NAMESPACES.map((name) => of("", "namespaces", namespace(name))),
    of("", "services", kubernetesService(address)),
    of("networking.k8s.io", "ipaddresses", ipAddress(address)),
    of("networking.k8s.io", "servicecidrs", serviceCidr(settings.serviceClusterIpRange)),
    of(
      "scheduling.k8s.io",
      "priorityclasses",
      priorityClass("system-cluster-critical", 2_000_000_000),
    ),
    of(
      "scheduling.k8s.io",
      "priorityclasses",
      priorityClass("system-node-critical", 2_000_001_000),
    ),
  ];
}

function of(group: string, resource: string, object: unknown): BootstrapObject {
  return { group, resource, object: object as KubernetesObject };
}

function namespace(name: string): object {
  return {
    metadata: {
      name,
      labels: { "kubernetes.io/metadata.name": name },
      managedFields: [written("v1", { "f:metadata": labelFields("kubernetes.io/metadata.name") })],
    },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

function kubernetesService(address: string): object {
  return {
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { component: "apiserver", provider: "kubernetes" },
      managedFields: [written("v1", serviceFields)],
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

/** What the server says of the objects that it makes as a client of its own. */
function written(apiVersion: string, fieldsV1: object): object {
  const fieldsType = "FieldsV1";
  return {
    manager: "kube-apiserver",
    operation: "Update",
    apiVersion,
    time: NOW,
    fieldsType,
    fieldsV1,
  };
}

function labelFields(...names: readonly string[]): object {
  return {
    "f:labels": { ".": {}, ...Object.fromEntries(names.map((name) => [`f:${name}`, {}])) },
  };
}

function ipAddress(name: string): object {
  return {
    metadata: {
      name,
      labels: { [FAMILY_LABEL]: "IPv4", [MANAGER_LABEL]: "ipallocator.k8s.io" },
      managedFields: [
        written("networking.k8s.io/v1", {
          "f:metadata": labelFields(FAMILY_LABEL, MANAGER_LABEL),
          "f:spec": {
            "f:parentRef": { ".": {}, "f:name": {}, "f:namespace": {}, "f:resource": {} },
          },
        }),
      ],
    },
    spec: { parentRef: { resource: "services", namespace: "default", name: "kubernetes" } },
  };
}

const cidrStatus = {
  manager: "kubernetes-service-cidr-controller",
  operation: "Apply",
  apiVersion: "networking.k8s.io/v1",
  time: NOW,
  fieldsType: "FieldsV1",
  fieldsV1: {
    "f:status": {
      "f:conditions": {
        'k:{"type":"Ready"}': {
          ".": {},
          "f:lastTransitionTime": {},
          "f:message": {},
          "f:status": {},
          "f:type": {},
        },
      },
    },
  },
  subresource: "status",
};

function serviceCidr(range: string): object {
  return {
    metadata: {
      name: "kubernetes",
      managedFields: [cidrStatus, written("networking.k8s.io/v1", { "f:spec": { "f:cidrs": {} } })],
    },
    spec: { cidrs: [range] },
    status: {
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastTransitionTime: NOW,
          reason: "",
          message: "Kubernetes default Service CIDR is ready",
        },
      ],
    },
  };
}

function priorityClass(name: string, value: number): object {
  const what =
    name === "system-node-critical"
      ? "not be moved from their current node"
      : "run in the cluster, but can be moved to another node if necessary";
  return {
    metadata: {
      name,
      generation: 1,
      managedFields: [
        written("scheduling.k8s.io/v1", {
          "f:description": {},
          "f:preemptionPolicy": {},
          "f:value": {},
        }),
      ],
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
