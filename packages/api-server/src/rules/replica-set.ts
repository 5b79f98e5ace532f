/** Replica sets. */
import type { ReplicaSet, ReplicaSetSpec, ReplicaSetStatus } from "@homeostat/object-model/apps-v1";
import { all, type ChangeRule, fields, nonNegative } from "@homeostat/schema";
import { immutablePart } from "./checks/immutable-parts.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";
import { amongReplicas, atMost } from "./workloads/replica-counts.ts";
import {
  knowingOldTemplate,
  selectedTemplate,
  type TemplateContext,
  workloadSelector,
} from "./workloads/workload-template.ts";

export const replicaSetRules: readonly NamedTypeRules[] = [
  rulesFor<ReplicaSet>("apps.v1.ReplicaSet", {
    validate: (replicaSet, place) => replicaSetSpec(replicaSet?.spec, place.child("spec")),
    validateChange({ value, old }, place) {
      const at = place.child("spec");
      replicaSetSpec(value?.spec, knowingOldTemplate(at, old?.spec?.template));
      const change = { value: value?.spec?.selector, old: old?.spec?.selector };
      immutablePart("LabelSelector")(change, at.child("selector"));
    },
  }),
  rulesFor<ReplicaSetSpec>("apps.v1.ReplicaSetSpec", { defaults: { replicas: 1 } }),
];

const replicaSetSpec = all<ReplicaSetSpec, TemplateContext>(
  fields<ReplicaSetSpec, TemplateContext>({
    replicas: nonNegative,
    minReadySeconds: nonNegative,
    // Kubernetes calls it so here too.
    selector: workloadSelector("deployment"),
  }),
  selectedTemplate("ReplicaSet"),
);

const status = all<ReplicaSetStatus>(
  fields<ReplicaSetStatus>({
    replicas: nonNegative,
    fullyLabeledReplicas: nonNegative,
    readyReplicas: nonNegative,
    availableReplicas: nonNegative,
    observedGeneration: nonNegative,
    terminatingReplicas: nonNegative,
  }),
  amongReplicas("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
  atMost("availableReplicas", "readyReplicas", "cannot be greater than readyReplicas"),
);

export const replicaSetStatusChange: ChangeRule<ReplicaSet, RuleContext> = ({ value }, place) =>
  status(value?.status, place.child("status"));
