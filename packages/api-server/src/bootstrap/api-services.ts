/** One object for each group and version that is served, which clients of the aggregator look for. */
import type { KubernetesObject } from "@homeostat/object-model";
import { keyFields, writtenByServer } from "./server-written.ts";

const API_VERSION = "apiregistration.k8s.io/v1";
const MANAGED = "kube-aggregator.kubernetes.io/automanaged";

/** Group, version, priority of the group, priority of the version in it. */
const SERVICES: readonly (readonly [string, string, number, number])[] = [
  ["", "v1", 18000, 1],
  ["admissionregistration.k8s.io", "v1", 16700, 15],
  ["apiextensions.k8s.io", "v1", 16700, 15],
  ["apps", "v1", 17800, 15],
  ["authentication.k8s.io", "v1", 17700, 15],
  ["authorization.k8s.io", "v1", 17600, 15],
  ["autoscaling", "v1", 17500, 15],
  ["autoscaling", "v2", 17500, 30],
  ["batch", "v1", 17400, 15],
  ["certificates.k8s.io", "v1", 17300, 15],
  ["coordination.k8s.io", "v1", 16500, 15],
  ["discovery.k8s.io", "v1", 16200, 15],
  ["events.k8s.io", "v1", 17750, 15],
  ["flowcontrol.apiserver.k8s.io", "v1", 16100, 21],
  ["networking.k8s.io", "v1", 17200, 15],
  ["node.k8s.io", "v1", 16300, 15],
  ["policy", "v1", 17100, 15],
  ["rbac.authorization.k8s.io", "v1", 17000, 15],
  ["resource.k8s.io", "v1", 16200, 21],
  ["scheduling.k8s.io", "v1", 16600, 15],
  ["storage.k8s.io", "v1", 16800, 15],
];

export function apiServices(now: string): readonly KubernetesObject[] {
  return SERVICES.map(([group, version, groupPriorityMinimum, versionPriority]) => {
    const spec = {
      ...(group !== "" && { group }),
      version,
      groupPriorityMinimum,
      versionPriority,
    };
    const { ".": _, ...owned } = keyFields(...Object.keys(spec).sort()) as { ".": object };
    const fields = { "f:metadata": { "f:labels": keyFields(MANAGED) }, "f:spec": owned };
    const object = {
      metadata: {
        name: `${version}.${group}`,
        labels: { [MANAGED]: "onstart" },
        managedFields: [writtenByServer({ apiVersion: API_VERSION, now, fields })],
      },
      spec,
      status: { conditions: [available(now)] },
    };
    return object;
  });
}

function available(now: string): object {
  return {
    type: "Available",
    status: "True",
    lastTransitionTime: now,
    reason: "Local",
    message: "Local APIServices are always available",
  };
}
