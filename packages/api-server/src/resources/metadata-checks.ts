/**
 * How often the rules of a kind look at the metadata of an update, after it has been checked for all
 * kinds alike. Everything they find is found again, and clients see it again in the causes of a
 * refusal, in this order. Persistent volumes look once more, in the midst of their own rules.
 */
import type { GroupResource } from "@homeostat/object-model";

/** All of the metadata as on a create, or what an update may not change. */
export type MetadataCheck = "whole" | "change";

/** What most kinds do. */
const CHANGE: readonly MetadataCheck[] = ["change"];
const NOTHING: readonly MetadataCheck[] = [];
const WHOLE: readonly MetadataCheck[] = ["whole"];
const WHOLE_FIRST: readonly MetadataCheck[] = ["whole", "change"];
const CHANGE_FIRST: readonly MetadataCheck[] = ["change", "whole"];

/** Updates of the object itself, by group and resource. */
const OF_OBJECTS: ReadonlyMap<string, readonly MetadataCheck[]> = new Map([
  ["/configmaps", CHANGE_FIRST],
  ["/endpoints", CHANGE_FIRST],
  ["/events", NOTHING],
  ["/limitranges", WHOLE],
  ["/namespaces", WHOLE_FIRST],
  ["/nodes", WHOLE_FIRST],
  ["/persistentvolumeclaims", CHANGE_FIRST],
  ["/persistentvolumes", WHOLE],
  ["/pods", CHANGE_FIRST],
  ["/secrets", CHANGE_FIRST],
  ["/serviceaccounts", CHANGE_FIRST],
  ["admissionregistration.k8s.io/mutatingadmissionpolicies", WHOLE],
  ["admissionregistration.k8s.io/mutatingadmissionpolicybindings", WHOLE],
  ["admissionregistration.k8s.io/mutatingwebhookconfigurations", WHOLE],
  ["admissionregistration.k8s.io/validatingadmissionpolicies", WHOLE],
  ["admissionregistration.k8s.io/validatingadmissionpolicybindings", WHOLE],
  ["admissionregistration.k8s.io/validatingwebhookconfigurations", WHOLE],
  ["apiregistration.k8s.io/apiservices", CHANGE_FIRST],
  ["apps/controllerrevisions", CHANGE_FIRST],
  ["batch/jobs", WHOLE_FIRST],
  ["certificates.k8s.io/certificatesigningrequests", WHOLE_FIRST],
  ["discovery.k8s.io/endpointslices", WHOLE],
  ["flowcontrol.apiserver.k8s.io/flowschemas", WHOLE],
  ["flowcontrol.apiserver.k8s.io/prioritylevelconfigurations", WHOLE],
  ["networking.k8s.io/ingressclasses", CHANGE_FIRST],
  ["networking.k8s.io/ingresses", CHANGE_FIRST],
  ["networking.k8s.io/ipaddresses", WHOLE_FIRST],
  ["node.k8s.io/runtimeclasses", WHOLE_FIRST],
  ["policy/poddisruptionbudgets", NOTHING],
  ["rbac.authorization.k8s.io/clusterrolebindings", WHOLE_FIRST],
  ["rbac.authorization.k8s.io/clusterroles", WHOLE_FIRST],
  ["rbac.authorization.k8s.io/rolebindings", WHOLE_FIRST],
  ["rbac.authorization.k8s.io/roles", WHOLE_FIRST],
  ["resource.k8s.io/deviceclasses", WHOLE_FIRST],
  ["resource.k8s.io/resourceclaims", WHOLE_FIRST],
  ["resource.k8s.io/resourceclaimtemplates", WHOLE_FIRST],
  ["storage.k8s.io/csinodes", WHOLE],
  ["storage.k8s.io/csistoragecapacities", WHOLE_FIRST],
  ["storage.k8s.io/storageclasses", WHOLE_FIRST],
  ["storage.k8s.io/volumeattachments", WHOLE],
  ["storage.k8s.io/volumeattributesclasses", CHANGE_FIRST],
]);

/**
 * When the metadata of a new object is looked at: before everything else; only when nothing else is wrong,
 * as by the check for all kinds alike; or by the strategy, in the midst of its own rules.
 */
export type NewMetadataTurn = "first" | "last" | "by strategy";

const TURNS: ReadonlyMap<string, NewMetadataTurn> = new Map([
  ["/events", "last"],
  ["events.k8s.io/events", "by strategy"],
  ["policy/poddisruptionbudgets", "last"],
]);

/** Updates through subresources. */
const OF_SUBRESOURCES: ReadonlyMap<string, readonly MetadataCheck[]> = new Map([
  ["admissionregistration.k8s.io/validatingadmissionpolicies", WHOLE],
  ["batch/cronjobs", NOTHING],
  ["certificates.k8s.io/certificatesigningrequests", WHOLE_FIRST],
  ["flowcontrol.apiserver.k8s.io/flowschemas", WHOLE],
  ["flowcontrol.apiserver.k8s.io/prioritylevelconfigurations", WHOLE],
  ["policy/poddisruptionbudgets", NOTHING],
  ["storage.k8s.io/volumeattachments", WHOLE],
]);

export function metadataChecksOf(
  { group, resource }: GroupResource,
  subresource: string,
): readonly MetadataCheck[] {
  const table = subresource === "" ? OF_OBJECTS : OF_SUBRESOURCES;
  return table.get(`${group}/${resource}`) ?? CHANGE;
}

export function newMetadataTurnOf({ group, resource }: GroupResource): NewMetadataTurn {
  return TURNS.get(`${group}/${resource}`) ?? "first";
}
