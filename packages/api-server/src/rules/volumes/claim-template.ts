/** Claims that a pod brings into being. */
import { FieldPath, type ObjectMeta } from "@homeostat/object-model";
import type {
  EphemeralVolumeSource,
  PersistentVolumeClaimTemplate,
} from "@homeostat/object-model/core-v1";
import { isZero, type Rule } from "@homeostat/schema";
import { checkAnnotations, checkLabels } from "../../resources/object-meta.ts";
import { claimSpec } from "./claim-spec.ts";

/** What the metadata of a template may not say, in the order of the message; Go spells one its way. */
const REFUSED: readonly (readonly [keyof ObjectMeta, string?])[] = [
  ["name"],
  ["generateName"],
  ["namespace"],
  ["selfLink"],
  ["uid", "uID"],
  ["resourceVersion"],
  ["generation"],
  ["creationTimestamp"],
  ["deletionTimestamp"],
  ["deletionGracePeriodSeconds"],
  ["ownerReferences"],
  ["finalizers"],
  ["managedFields"],
];

const POINTERS: ReadonlySet<string> = new Set(["deletionTimestamp", "deletionGracePeriodSeconds"]);

const spec = claimSpec();

/** Labels and annotations, and nothing else. */
export const templateMetadata: Rule<ObjectMeta> = (metadata, place) => {
  const path = place.path ?? FieldPath.of("metadata");
  place.add(...checkAnnotations(metadata?.annotations, path.child("annotations")));
  place.add(...checkLabels(metadata?.labels, path.child("labels")));
  for (const [field, named = field] of REFUSED) {
    const value = metadata?.[field];
    const isSet = POINTERS.has(field) ? value != null : !isZero(value);
    if (isSet) place.child(named).forbidden("cannot be set");
  }
};

const claimTemplate: Rule<PersistentVolumeClaimTemplate> = (template, place) => {
  templateMetadata(template?.metadata, place.child("metadata"));
  spec(template?.spec, place.child("spec"));
};

export const ephemeralVolume: Rule<EphemeralVolumeSource> = (source, place) => {
  const at = place.child("volumeClaimTemplate");
  if (source?.volumeClaimTemplate === undefined) at.required();
  else claimTemplate(source.volumeClaimTemplate, at);
};
