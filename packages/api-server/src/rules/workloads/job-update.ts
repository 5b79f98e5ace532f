/**
 * What may change in a job that exists. The selector and the template are fixed, except where the pods
 * go and what they ask for while the job is suspended.
 */
import type { Job, JobSpec } from "@homeostat/object-model/batch-v1";
import type { Container, PodSpec } from "@homeostat/object-model/core-v1";
import { type ChangeRule, changedFields } from "@homeostat/schema";
import { FIELD_IS_IMMUTABLE } from "../../resources/field-checks.ts";
import { internalForm, sameInternal } from "../../resources/internal-form.ts";
import { immutablePart, immutableStruct, immutableValue } from "../checks/immutable-parts.ts";
import { isJobConditionTrue } from "./job-conditions.ts";

export const jobChange: ChangeRule<Job> = ({ value, old }, place) => {
  const specs = { value: value?.spec, old: old?.spec };
  const at = place.child("spec");
  completions(specs, at);
  changedFields<JobSpec>({ selector: immutablePart("LabelSelector") })(specs, at);
  template({ value, old }, at.child("template"));
  changedFields<JobSpec>({
    completionMode: immutableValue,
    podFailurePolicy: immutablePart("batch.PodFailurePolicy"),
    backoffLimitPerIndex: immutableValue,
    managedBy: immutableValue,
    successPolicy: immutablePart("batch.SuccessPolicy"),
  })(specs, at);
};

/** An indexed job may be scaled: completions and parallelism together. */
const completions: ChangeRule<JobSpec> = ({ value, old }, place) => {
  const at = place.child("completions");
  const change = { value: value?.completions, old: old?.completions };
  if (value?.completionMode !== "Indexed") immutableValue(change, at);
  else if (
    change.value !== undefined &&
    change.value !== change.old &&
    change.value !== value.parallelism
  ) {
    at.invalid(change.value, "can only be modified in tandem with spec.parallelism");
  }
};

const template: ChangeRule<Job> = ({ value, old }, place) => {
  const before = old?.spec?.template;
  const now = value?.spec?.template;
  if (!isMovable(old)) {
    immutableStruct("PodTemplateSpec")({ value: now, old: before }, place);
    return;
  }
  const spec: Partial<PodSpec> = now?.spec ?? {};
  const movable = withPlacementOf(before?.spec ?? { containers: [] }, spec);
  const allowed = withResourcesOf(movable, spec);
  if (sameInternal("PodSpec", spec, allowed)) return;
  place.child("spec").invalid(internalForm("PodSpec", spec), FIELD_IS_IMMUTABLE);
};

/** Suspended, and none of its pods is left. */
function isMovable(job: Readonly<Job> | undefined): boolean {
  const { startTime, active = 0 } = job?.status ?? {};
  const isStopped = startTime == null || isJobConditionTrue(job, "Suspended");
  return job?.spec?.suspend === true && isStopped && active === 0;
}

/** The old spec with whatever says where the pods may run taken from the new one. */
function withPlacementOf(old: Readonly<PodSpec>, spec: Partial<PodSpec>): Partial<PodSpec> {
  const { nodeSelector: _, tolerations: __, schedulingGates: ___, affinity, ...rest } = old;
  const placed: Partial<PodSpec> = { ...rest };
  if (spec.nodeSelector) placed.nodeSelector = spec.nodeSelector;
  if (spec.tolerations) placed.tolerations = spec.tolerations;
  if (spec.schedulingGates) placed.schedulingGates = spec.schedulingGates;
  const { nodeAffinity: ____, ...others } = affinity ?? {};
  const nodeAffinity = spec.affinity?.nodeAffinity;
  if (spec.affinity !== undefined) {
    placed.affinity = { ...others, ...(nodeAffinity ? { nodeAffinity } : {}) };
  } else if (Object.keys(others).length > 0) {
    placed.affinity = others;
  }
  return placed;
}

function withResourcesOf(old: Partial<PodSpec>, spec: Partial<PodSpec>): Partial<PodSpec> {
  const merged = (before: readonly Container[] = [], containers: readonly Container[] = []) =>
    before.map((container, index) => {
      const other = containers[index];
      if (containers.length !== before.length || other?.name !== container.name) return container;
      const { resources: _, ...rest } = container;
      return other.resources === undefined ? rest : { ...rest, resources: other.resources };
    });
  return {
    ...old,
    // No containers are stored as null.
    containers: merged(old.containers ?? undefined, spec.containers),
    ...(old.initContainers === undefined
      ? {}
      : { initContainers: merged(old.initContainers, spec.initContainers) }),
  };
}
