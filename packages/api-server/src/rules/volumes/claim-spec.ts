/** What is asked for by a claim: on its own, in a template of an ephemeral volume or of a StatefulSet. */
import { ownKey } from "@homeostat/object-model";
import type {
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
  TypedObjectReference,
} from "@homeostat/object-model/core-v1";
import {
  dns1123Label,
  dns1123Subdomain,
  ifPresent,
  ifSet,
  type Place,
  type Rule,
  required,
} from "@homeostat/schema";
import { optionalChoice } from "../checks/choices.ts";
import { labelSelector, labelSelectorOfAnyValues } from "../checks/label-selectors.ts";
import { positiveQuantity } from "../checks/quantities.ts";
import { accessModes } from "./access-modes.ts";

/** What the claim that an update replaces already had. */
interface ClaimFacts {
  /** A selector with values that no label can have. */
  readonly anyLabelValues?: boolean;
  /** A source in a group, whatever its name. */
  readonly anyApiGroup?: boolean;
}

export const volumeMode: Rule<string> = optionalChoice("Block", "Filesystem");
/** Of storage classes and of classes of attributes. */
export const className: Rule<string> = dns1123Subdomain;

export function claimSpec(facts: ClaimFacts = {}): Rule<PersistentVolumeClaimSpec> {
  const selector = facts.anyLabelValues ? labelSelectorOfAnyValues : labelSelector;
  const dataSource = dataSourceRule(facts);
  return (spec, place) => {
    const modes = place.child("accessModes");
    if ((spec?.accessModes ?? []).length === 0)
      modes.required("at least 1 access mode is required");
    ifPresent(selector)(spec?.selector, place.child("selector"));
    accessModes(spec?.accessModes, modes);
    const requested = ownKey(spec?.resources?.requests, "storage");
    // The path leaves `requests` out in Kubernetes too.
    const at = place.child("resources").key("storage");
    if (requested === undefined) at.required();
    else positiveQuantity(requested, at);
    ifSet(className)(spec?.storageClassName, place.child("storageClassName"));
    volumeMode(spec?.volumeMode, place.child("volumeMode"));
    ifPresent(dataSource)(spec?.dataSource, place.child("dataSource"));
    ifPresent(dataSource)(spec?.dataSourceRef, place.child("dataSourceRef"));
    checkSameSource(spec, place);
    ifSet(className)(spec?.volumeAttributesClassName, place.child("volumeAttributesClassName"));
  };
}

function dataSourceRule({
  anyApiGroup,
}: ClaimFacts): Rule<TypedLocalObjectReference & TypedObjectReference> {
  return (source, place) => {
    const { apiGroup = "", kind = "", name = "", namespace = "" } = source ?? {};
    required(name, place.child("name"));
    required(kind, place.child("kind"));
    if (apiGroup === "" && kind !== "PersistentVolumeClaim") {
      const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
      place.invalid(kind, why);
    }
    if (!anyApiGroup) ifSet(dns1123Subdomain)(apiGroup, place.child("apiGroup"));
    ifSet(dns1123Label)(namespace, place.child("namespace"));
  };
}

/** Both name the same source, or only the one that can leave the namespace is there. */
function checkSameSource(spec: PersistentVolumeClaimSpec | undefined, place: Place): void {
  const { dataSource, dataSourceRef } = spec ?? {};
  if (!dataSource || !dataSourceRef) return;
  if (dataSourceRef.namespace) {
    place.invalid({}, "may not be specified when dataSourceRef.namespace is specified");
  } else if (
    dataSource.apiGroup !== dataSourceRef.apiGroup ||
    (dataSource.kind ?? "") !== (dataSourceRef.kind ?? "") ||
    (dataSource.name ?? "") !== (dataSourceRef.name ?? "")
  ) {
    place.invalid({}, "must match dataSourceRef");
  }
}
