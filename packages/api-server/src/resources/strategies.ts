/**
 * Which strategy each built-in resource has. Most kinds are a few facts, kept in a file per API group;
 * a kind that really differs (pods, jobs, namespaces, services) has a file of its own. What Kubernetes
 * decides elsewhere is not here: defaults in `rules/`, metadata in `object-meta.ts`, subresources of
 * other kinds (scale, binding, eviction) in `subresources/`.
 */

import type { GroupResource, KubernetesObject } from "@homeostat/object-model";
import type { Strategy } from "../registry/strategy.ts";
import { admissionConfigurations, validatingAdmissionPolicies } from "./admission-registration.ts";
import { daemonSets, deployments, replicaSets, statefulSets } from "./apps.ts";
import { certificateSigningRequests } from "./certificate-requests.ts";
import {
  configMaps,
  endpoints,
  limitRanges,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  serviceAccounts,
} from "./core.ts";
import { events, newEvents } from "./events.ts";
import { apiServices, customResourceDefinitions } from "./extensions.ts";
import { cronJobs, jobs } from "./jobs.ts";
import { namespaces } from "./namespaces.ts";
import {
  endpointSlices,
  ingressClasses,
  ingresses,
  ipAddresses,
  networkPolicies,
  serviceCidrs,
} from "./networking.ts";
import { nodes } from "./nodes.ts";
import { pods } from "./pods.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "./rbac.ts";
import {
  deviceClasses,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
} from "./resource-claims.ts";
import { secrets } from "./secrets.ts";
import { services } from "./services.ts";
import {
  flowSchemas,
  horizontalPodAutoscalers,
  leases,
  podDisruptionBudgets,
  priorityClasses,
  priorityLevels,
  runtimeClasses,
} from "./small-groups.ts";
import {
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
} from "./storage.ts";
import { persistentVolumeClaims, persistentVolumes } from "./volumes.ts";

/** By group, "" for core, and resource. */
const STRATEGIES: ReadonlyMap<string, Strategy> = new Map([
  entry("/configmaps", configMaps),
  entry("/endpoints", endpoints),
  entry("/events", events),
  entry("/limitranges", limitRanges),
  entry("/namespaces", namespaces),
  entry("/nodes", nodes),
  entry("/persistentvolumeclaims", persistentVolumeClaims),
  entry("/persistentvolumes", persistentVolumes),
  entry("/pods", pods),
  entry("/podtemplates", podTemplates),
  entry("/replicationcontrollers", replicationControllers),
  entry("/resourcequotas", resourceQuotas),
  entry("/secrets", secrets),
  entry("/serviceaccounts", serviceAccounts),
  entry("/services", services),
  entry("admissionregistration.k8s.io/mutatingadmissionpolicies", admissionConfigurations),
  entry("admissionregistration.k8s.io/mutatingadmissionpolicybindings", admissionConfigurations),
  entry("admissionregistration.k8s.io/mutatingwebhookconfigurations", admissionConfigurations),
  entry("admissionregistration.k8s.io/validatingadmissionpolicies", validatingAdmissionPolicies),
  entry("admissionregistration.k8s.io/validatingadmissionpolicybindings", admissionConfigurations),
  entry("admissionregistration.k8s.io/validatingwebhookconfigurations", admissionConfigurations),
  entry("apiextensions.k8s.io/customresourcedefinitions", customResourceDefinitions),
  entry("apiregistration.k8s.io/apiservices", apiServices),
  entry("apps/daemonsets", daemonSets),
  entry("apps/deployments", deployments),
  entry("apps/replicasets", replicaSets),
  entry("apps/statefulsets", statefulSets),
  entry("autoscaling/horizontalpodautoscalers", horizontalPodAutoscalers),
  entry("batch/cronjobs", cronJobs),
  entry("batch/jobs", jobs),
  entry("certificates.k8s.io/certificatesigningrequests", certificateSigningRequests),
  entry("coordination.k8s.io/leases", leases),
  entry("discovery.k8s.io/endpointslices", endpointSlices),
  // The same objects as those of the core group, under stricter rules.
  entry("events.k8s.io/events", newEvents),
  entry("flowcontrol.apiserver.k8s.io/flowschemas", flowSchemas),
  entry("flowcontrol.apiserver.k8s.io/prioritylevelconfigurations", priorityLevels),
  entry("networking.k8s.io/ingressclasses", ingressClasses),
  entry("networking.k8s.io/ingresses", ingresses),
  entry("networking.k8s.io/ipaddresses", ipAddresses),
  entry("networking.k8s.io/networkpolicies", networkPolicies),
  entry("networking.k8s.io/servicecidrs", serviceCidrs),
  entry("node.k8s.io/runtimeclasses", runtimeClasses),
  entry("policy/poddisruptionbudgets", podDisruptionBudgets),
  entry("rbac.authorization.k8s.io/clusterrolebindings", clusterRoleBindings),
  entry("rbac.authorization.k8s.io/clusterroles", clusterRoles),
  entry("rbac.authorization.k8s.io/rolebindings", roleBindings),
  entry("rbac.authorization.k8s.io/roles", roles),
  entry("resource.k8s.io/deviceclasses", deviceClasses),
  entry("resource.k8s.io/resourceclaims", resourceClaims),
  entry("resource.k8s.io/resourceclaimtemplates", resourceClaimTemplates),
  entry("resource.k8s.io/resourceslices", resourceSlices),
  entry("scheduling.k8s.io/priorityclasses", priorityClasses),
  entry("storage.k8s.io/csidrivers", csiDrivers),
  entry("storage.k8s.io/csinodes", csiNodes),
  entry("storage.k8s.io/csistoragecapacities", csiStorageCapacities),
  entry("storage.k8s.io/storageclasses", storageClasses),
  entry("storage.k8s.io/volumeattachments", volumeAttachments),
]);

const NO_STRATEGY: Strategy = {};

/** A resource that is not listed has nothing of its own. */
export function strategyOf({ group, resource }: GroupResource): Strategy {
  return STRATEGIES.get(`${group}/${resource}`) ?? NO_STRATEGY;
}

/** The server only ever gives a strategy objects of its kind, so it can forget which kind that is. */
function entry<T extends KubernetesObject>(
  key: string,
  strategy: Strategy<T>,
): readonly [string, Strategy] {
  return [key, strategy as unknown as Strategy];
}

/** Resources whose DELETE answers with the object that is gone, where others answer a Status. */
const ANSWERED_WITH_OBJECT: ReadonlySet<string> = new Set([
  "/namespaces",
  "/persistentvolumeclaims",
  "/persistentvolumes",
  "/pods",
  "/podtemplates",
  "/resourcequotas",
  "/serviceaccounts",
  "/services",
  "resource.k8s.io/deviceclasses",
  "resource.k8s.io/resourceclaims",
  "resource.k8s.io/resourceclaimtemplates",
  "resource.k8s.io/resourceslices",
  "storage.k8s.io/csidrivers",
  "storage.k8s.io/csinodes",
  "storage.k8s.io/storageclasses",
  "storage.k8s.io/volumeattachments",
  "storage.k8s.io/volumeattributesclasses",
]);

export function answersDeletedObject({ group, resource }: GroupResource): boolean {
  return ANSWERED_WITH_OBJECT.has(`${group}/${resource}`);
}
