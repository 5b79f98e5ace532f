/** Claims on persistent volumes. The protection finalizer and a default class come from admission. */
import { checkLabelKey, FieldPath, ownKey } from "@homeostat/object-model";
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  VolumeResourceRequirements,
} from "@homeostat/object-model/core-v1";
import { Place, type Rule } from "@homeostat/schema";
import { labelSelector } from "./checks/label-selectors.ts";
import { nonNegativeQuantity } from "./checks/quantities.ts";
import { isNativeResource } from "./checks/resource-names.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";
import { claimSpec } from "./volumes/claim-spec.ts";
import { basicAmount } from "./volumes/persistent-volume-spec.ts";

const newClaim = claimSpec();

export const persistentVolumeClaimRules: readonly NamedTypeRules[] = [
  rulesFor<PersistentVolumeClaim>("core.v1.PersistentVolumeClaim", {
    validate: (claim, place) => newClaim(claim?.spec, place.child("spec")),
    validateChange({ value, old }, place) {
      const facts = { anyLabelValues: isWrongSelector(old), anyApiGroup: hasApiGroup(old) };
      claimSpec(facts)(value?.spec, place.child("spec"));
    },
  }),
  rulesFor<PersistentVolumeClaimSpec>("core.v1.PersistentVolumeClaimSpec", {
    defaults: { volumeMode: "Filesystem" },
  }),
  rulesFor<PersistentVolumeClaimStatus>("core.v1.PersistentVolumeClaimStatus", {
    defaults: { phase: "Pending" },
    resourceLists: ["capacity", "allocatedResources"],
  }),
  rulesFor<VolumeResourceRequirements>("core.v1.VolumeResourceRequirements", {
    resourceLists: ["limits", "requests"],
  }),
];

function isWrongSelector(claim: Readonly<PersistentVolumeClaim> | undefined): boolean {
  const place = Place.root(undefined, FieldPath.of(""));
  labelSelector(claim?.spec?.selector, place);
  return place.errors.length > 0;
}

/** Whatever group it is in: a source in a group stays allowed. */
function hasApiGroup(claim: Readonly<PersistentVolumeClaim> | undefined): boolean {
  const { dataSource, dataSourceRef } = claim?.spec ?? {};
  return dataSource?.apiGroup !== undefined || dataSourceRef?.apiGroup !== undefined;
}

const RESIZE_STATES = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** An update of the status. */
export const claimStatus: Rule<PersistentVolumeClaim> = (claim, place) => {
  const {
    capacity = {},
    allocatedResources = {},
    allocatedResourceStatuses = {},
  } = claim?.status ?? {};
  if ((claim?.spec?.accessModes ?? []).length === 0) {
    place.child("Spec").child("accessModes").required();
  }
  const status = place.child("status");
  for (const name of Object.keys(capacity)) {
    basicAmount(ownKey(capacity, name), status.child("capacity").key(name));
  }
  const states = status.child("allocatedResourceStatuses");
  for (const name of Object.keys(allocatedResourceStatuses)) {
    claimResource(name, states);
    const known = RESIZE_STATES.includes(ownKey(allocatedResourceStatuses, name) ?? "");
    if (!known) states.notSupported(name, RESIZE_STATES);
  }
  const allocated = status.child("allocatedResources");
  for (const name of Object.keys(allocatedResources)) {
    const before = place.errors.length;
    claimResource(name, allocated);
    if (place.errors.length > before) continue;
    const amount = ownKey(allocatedResources, name);
    basicAmount(amount, allocated.key(name));
    if (place.errors.length === before) nonNegativeQuantity(amount, allocated.key(name));
  }
};

/** Of what Kubernetes knows only storage can be claimed; what others know, they know. */
const claimResource: Rule<string> = (name = "", place) => {
  const problems = checkLabelKey(name);
  for (const problem of problems) place.invalid(name, problem);
  if (problems.length > 0 || !isNativeResource(name) || name === "storage") return;
  place.notSupported(name, ["storage"]);
};
