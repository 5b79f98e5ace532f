/**
 * What may change in a job that exists. The selector and the template are fixed, except where the pods
 * go and what they ask for while the job is suspended; counters of its status only grow.
 */

import { FieldError, FieldPath, isConditionFalse, isConditionTrue } from "@homeostat/object-model";
import type { Job, JobSpec, JobStatus } from "@homeostat/object-model/batch-v1";
import type { Container, PodSpec, PodTemplateSpec } from "@homeostat/object-model/core-v1";
import { checkImmutable, checkImmutablePart, FIELD_IS_IMMUTABLE } from "./field-checks.ts";
import { internalForm, sameInternal } from "./internal-form.ts";

const SPEC = FieldPath.of("spec");
const STATUS = FieldPath.of("status");

export function checkJobUpdate(job: Readonly<Job>, old: Readonly<Job>): FieldError[] {
  const spec: Partial<JobSpec> = job.spec ?? {};
  const before: Partial<JobSpec> = old.spec ?? {};
  const scalar = (name: "backoffLimitPerIndex" | "completionMode" | "managedBy"): FieldError[] =>
    checkImmutable({ path: SPEC.child(name), value: spec[name], old: before[name] });
  return [
    ...checkCompletions(spec, before),
    ...checkImmutablePart("LabelSelector", {
      path: SPEC.child("selector"),
      value: spec.selector,
      old: before.selector,
    }),
    ...checkTemplate(spec.template, old),
    ...scalar("completionMode"),
    ...checkImmutablePart("batch.PodFailurePolicy", {
      path: SPEC.child("podFailurePolicy"),
      value: spec.podFailurePolicy,
      old: before.podFailurePolicy,
    }),
    ...scalar("backoffLimitPerIndex"),
    ...scalar("managedBy"),
    ...checkImmutablePart("batch.SuccessPolicy", {
      path: SPEC.child("successPolicy"),
      value: spec.successPolicy,
      old: before.successPolicy,
    }),
  ];
}

/** An indexed job may be scaled: completions and parallelism together. */
function checkCompletions(spec: Partial<JobSpec>, old: Partial<JobSpec>): FieldError[] {
  const path = SPEC.child("completions");
  if (spec.completionMode !== "Indexed") {
    return checkImmutable({ path, value: spec.completions, old: old.completions });
  }
  const { completions } = spec;
  if (completions === undefined || completions === old.completions) return [];
  if (completions === spec.parallelism) return [];
  const why = "can only be modified in tandem with spec.parallelism";
  return [FieldError.invalid(path, completions, why)];
}

function checkTemplate(template: PodTemplateSpec | undefined, old: Readonly<Job>): FieldError[] {
  const before = old.spec?.template;
  const path = SPEC.child("template");
  const isSuspended = old.spec?.suspend === true;
  const { startTime, conditions, active = 0 } = old.status ?? {};
  const isIdle = (startTime == null || isConditionTrue(conditions, "Suspended")) && active === 0;
  if (!isSuspended || !isIdle) {
    if (sameInternal("PodTemplateSpec", template, before)) return [];
    const value = internalForm("PodTemplateSpec", template);
    return [FieldError.invalid(path, value, FIELD_IS_IMMUTABLE)];
  }
  const spec: Partial<PodSpec> = template?.spec ?? {};
  const movable = withPlacementOf(before?.spec ?? { containers: [] }, spec);
  const allowed = withResourcesOf(movable, spec);
  if (sameInternal("PodSpec", spec, allowed)) return [];
  const value = internalForm("PodSpec", spec);
  return [FieldError.invalid(path.child("spec"), value, FIELD_IS_IMMUTABLE)];
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

export function checkJobStatusUpdate(job: Readonly<Job>, old: Readonly<Job>): FieldError[] {
  const status: Readonly<JobStatus> = job.status ?? {};
  const before: Readonly<JobStatus> = old.status ?? {};
  const errors: FieldError[] = [];
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (isConditionTrue(before.conditions, type) && !isConditionTrue(status.conditions, type)) {
      errors.push(refuseConditions(`cannot disable the terminal ${type}=True condition`));
    }
  }
  if ((status.failed ?? 0) < (before.failed ?? 0)) {
    const why = "cannot decrease the failed counter";
    errors.push(FieldError.invalid(STATUS.child("failed"), status.failed ?? 0, why));
  }
  const isElastic =
    job.spec?.completionMode === "Indexed" && job.spec.completions === job.spec.parallelism;
  if (!isElastic && (status.succeeded ?? 0) < (before.succeeded ?? 0)) {
    const why = "cannot decrease the succeeded counter";
    errors.push(FieldError.invalid(STATUS.child("succeeded"), status.succeeded ?? 0, why));
  }
  if (status.completionTime && before.completionTime) {
    errors.push(
      ...checkImmutable({
        path: STATUS.child("completionTime"),
        value: status.completionTime,
        old: before.completionTime,
      }),
    );
  }
  const resumes =
    isConditionTrue(before.conditions, "Suspended") &&
    isConditionFalse(status.conditions, "Suspended");
  const moved = before.startTime && before.startTime !== status.startTime;
  if (moved && !resumes && job.spec?.suspend !== true) {
    const why = "field is immutable for unsuspended job once set";
    errors.push(FieldError.invalid(STATUS.child("startTime"), status.startTime, why));
  }
  return errors;
}

function refuseConditions(why: string): FieldError {
  return FieldError.invalid(STATUS.child("conditions"), undefined, why);
}
