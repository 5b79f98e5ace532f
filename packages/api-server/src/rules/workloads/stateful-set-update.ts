/** What an update of a StatefulSet may change: how many and which pods, and how they are replaced. */
import type { StatefulSetSpec } from "@homeostat/object-model/apps-v1";
import type { PersistentVolumeClaim } from "@homeostat/object-model/core-v1";
import type { ChangeRule } from "@homeostat/schema";
import { sameForm, sameInternal, samePointer } from "../../resources/internal-form.ts";

const UPDATABLE = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
] as const satisfies readonly (keyof StatefulSetSpec)[];

const WHY =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export const fixedStatefulSetFields: ChangeRule<StatefulSetSpec> = ({ value, old }, place) => {
  const { selector, volumeClaimTemplates, ...rest } = fixedFields(value);
  const {
    selector: oldSelector,
    volumeClaimTemplates: oldTemplates,
    ...oldRest
  } = fixedFields(old);
  const same =
    samePointer("LabelSelector", selector, oldSelector) &&
    sameForm(rest, oldRest) &&
    sameClaims(volumeClaimTemplates ?? [], oldTemplates ?? []);
  if (!same) place.forbidden(WHY);
};

function fixedFields(spec: Readonly<StatefulSetSpec> | undefined): Partial<StatefulSetSpec> {
  const rest: Partial<StatefulSetSpec> = { ...spec };
  for (const name of UPDATABLE) delete rest[name];
  // An empty name is none.
  if (rest.serviceName === "") delete rest.serviceName;
  return rest;
}

function sameClaims(
  claims: readonly PersistentVolumeClaim[],
  old: readonly PersistentVolumeClaim[],
): boolean {
  return (
    claims.length === old.length &&
    claims.every((claim, index) => {
      const before = old[index]!;
      return (
        sameForm(claim.metadata ?? {}, before.metadata ?? {}) &&
        sameInternal("PersistentVolumeClaimSpec", claim.spec, before.spec)
      );
    })
  );
}
