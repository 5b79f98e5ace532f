/** Stateful sets. */
import type {
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from "@homeostat/object-model/apps-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const statefulSetRules: readonly NamedTypeRules[] = [
  rulesFor<StatefulSetSpec>("apps.v1.StatefulSetSpec", {
    defaults: {
      podManagementPolicy: "OrderedReady",
      persistentVolumeClaimRetentionPolicy: {},
      replicas: 1,
      revisionHistoryLimit: 10,
    },
    normalize: nameClaimKind,
  }),
  rulesFor<StatefulSetPersistentVolumeClaimRetentionPolicy>(
    "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy",
    { defaults: { whenDeleted: "Retain", whenScaled: "Retain" } },
  ),
  rulesFor<StatefulSetUpdateStrategy>("apps.v1.StatefulSetUpdateStrategy", {
    setDefaults: setRollingUpdate,
  }),
];

/**
 * A strategy that says RollingUpdate without more keeps no `rollingUpdate`; one that says nothing
 * gets it. `maxUnavailable` has no default: its feature is off in 1.36.
 */
function setRollingUpdate(strategy: Unchecked<StatefulSetUpdateStrategy>): void {
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type !== "RollingUpdate" || !strategy.rollingUpdate) return;
  strategy.rollingUpdate.partition ??= 0;
}

function nameClaimKind(spec: Unchecked<StatefulSetSpec>): void {
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = "v1";
    claim.kind = "PersistentVolumeClaim";
  }
}
