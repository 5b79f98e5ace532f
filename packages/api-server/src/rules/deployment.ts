/** Deployments. */
import type {
  Deployment,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from "@homeostat/object-model/apps-v1";
import { all, type ChangeRule, fields, ifPresent, nonNegative, type Rule } from "@homeostat/schema";
import { internalForm } from "../resources/internal-form.ts";
import { immutablePart } from "./checks/immutable-parts.ts";
import { atMost100Percent, intOrPercent, numberOf } from "./checks/int-or-percent.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";
import { amongReplicas, atMost, collisions } from "./workloads/replica-counts.ts";
import {
  knowingOldTemplate,
  selectedTemplate,
  type TemplateContext,
  workloadSelector,
} from "./workloads/workload-template.ts";

const QUARTER = "25%";

export const deploymentRules: readonly NamedTypeRules[] = [
  rulesFor<Deployment>("apps.v1.Deployment", {
    validate: (deployment, place) => deploymentSpec(deployment?.spec, place.child("spec")),
    validateChange({ value, old }, place) {
      const at = place.child("spec");
      deploymentSpec(value?.spec, knowingOldTemplate(at, old?.spec?.template));
      const change = { value: value?.spec?.selector, old: old?.spec?.selector };
      immutablePart("LabelSelector")(change, at.child("selector"));
    },
  }),
  rulesFor<DeploymentSpec>("apps.v1.DeploymentSpec", {
    defaults: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  }),
  rulesFor<DeploymentStrategy>("apps.v1.DeploymentStrategy", {
    defaults: { type: "RollingUpdate" },
    setDefaults: setRollingUpdate,
  }),
];

function setRollingUpdate(strategy: Unchecked<DeploymentStrategy>): void {
  if (strategy.type !== "RollingUpdate") return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= QUARTER;
  strategy.rollingUpdate.maxSurge ??= QUARTER;
}

const rollingUpdate = all<RollingUpdateDeployment>(
  fields<RollingUpdateDeployment>({ maxUnavailable: intOrPercent, maxSurge: intOrPercent }),
  (value, place) => {
    const { maxUnavailable = 0, maxSurge } = value ?? {};
    if (numberOf(maxUnavailable) !== 0 || numberOf(maxSurge) !== 0) return;
    place.child("maxUnavailable").invalid(maxUnavailable, "may not be 0 when `maxSurge` is 0");
  },
  fields<RollingUpdateDeployment>({ maxUnavailable: atMost100Percent }),
);

const strategy: Rule<DeploymentStrategy> = (value, place) => {
  const at = place.child("rollingUpdate");
  switch (value?.type) {
    case "Recreate":
      if (value.rollingUpdate === undefined) return;
      at.forbidden("may not be specified when strategy `type` is 'Recreate'");
      return;
    case "RollingUpdate":
      if (value.rollingUpdate !== undefined) rollingUpdate(value.rollingUpdate, at);
      else at.required("this should be defaulted and never be nil");
      return;
    default: {
      const shown = internalForm("apps.DeploymentStrategy", value);
      place.notSupported(shown, ["Recreate", "RollingUpdate"]);
    }
  }
};

/** A deployment that takes no time to be ready still needs some to progress. */
const deadline: Rule<DeploymentSpec> = (spec, place) => {
  const { progressDeadlineSeconds: seconds, minReadySeconds = 0 } = spec ?? {};
  if (seconds === undefined || seconds > minReadySeconds) return;
  const at = place.child("progressDeadlineSeconds");
  at.invalid(seconds, "must be greater than minReadySeconds");
};

const deploymentSpec = all<DeploymentSpec, TemplateContext>(
  fields<DeploymentSpec, TemplateContext>({
    replicas: nonNegative,
    selector: workloadSelector("deployment"),
  }),
  selectedTemplate("ReplicaSet"),
  fields<DeploymentSpec, TemplateContext>({
    strategy,
    minReadySeconds: nonNegative,
    revisionHistoryLimit: ifPresent(nonNegative),
    progressDeadlineSeconds: ifPresent(nonNegative),
  }),
  deadline,
);

const status = all<DeploymentStatus>(
  fields<DeploymentStatus>({
    observedGeneration: nonNegative,
    replicas: nonNegative,
    updatedReplicas: nonNegative,
    readyReplicas: nonNegative,
    availableReplicas: nonNegative,
    unavailableReplicas: nonNegative,
    terminatingReplicas: nonNegative,
    collisionCount: nonNegative,
  }),
  amongReplicas("updatedReplicas", "readyReplicas", "availableReplicas"),
  atMost("availableReplicas", "readyReplicas", "cannot be greater than readyReplicas"),
);

export const deploymentStatusChange: ChangeRule<Deployment, RuleContext> = (
  { value, old },
  place,
) => {
  const at = place.child("status");
  status(value?.status, at);
  collisions({ value: value?.status, old: old?.status }, at);
};
