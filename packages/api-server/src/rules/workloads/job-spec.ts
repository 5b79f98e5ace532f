/** What a job has to be, whether it is one or the template of one. Selectors are the owner's affair. */
import { FieldError } from "@homeostat/object-model";
import type { JobSpec } from "@homeostat/object-model/batch-v1";
import { all, fields, ifPresent, nonNegative, type Rule } from "@homeostat/schema";
import { internalForm } from "../../resources/internal-form.ts";
import { domainPrefixedPath } from "../checks/domain-prefixed-paths.ts";
import { podFailurePolicy } from "./pod-failure-policy.ts";
import { successPolicy } from "./success-policy.ts";
import { podTemplate, type TemplateContext } from "./workload-template.ts";

const MAX_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
/** With more completions than this, less of everything else. */
const MANY_COMPLETIONS = 100_000;
const MAX_OF_MANY = 10_000;
const MAX_MANAGED_BY = 63;

const managedBy: Rule<string> = (value = "", place) => {
  domainPrefixedPath(value, place);
  if (Buffer.byteLength(value) > MAX_MANAGED_BY && place.path !== undefined) {
    place.add(FieldError.tooLong(place.path, MAX_MANAGED_BY));
  }
};

const counts = all<JobSpec>(
  fields<JobSpec>({
    parallelism: nonNegative,
    completions: nonNegative,
    activeDeadlineSeconds: nonNegative,
    backoffLimit: nonNegative,
    ttlSecondsAfterFinished: nonNegative,
    backoffLimitPerIndex: nonNegative,
    maxFailedIndexes: nonNegative,
  }),
  (spec, place) => {
    if (spec?.maxFailedIndexes === undefined || spec.backoffLimitPerIndex !== undefined) return;
    place.child("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
  },
  fields<JobSpec>({
    managedBy: ifPresent(managedBy),
    completionMode: ifPresent((value, place) => {
      const known = ["NonIndexed", "Indexed"];
      if (!known.includes(value ?? "")) place.notSupported(value, known);
    }),
  }),
);

const indexed: Rule<JobSpec> = (spec, place) => {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec ?? {};
  const failed = place.child("maxFailedIndexes");
  if (completions === undefined) {
    place.child("completions").required("when completion mode is Indexed");
  }
  if (parallelism > MAX_PARALLELISM) {
    const why = `must be less than or equal to ${MAX_PARALLELISM} when completion mode is Indexed`;
    place.child("parallelism").invalid(parallelism, why);
  }
  if (completions !== undefined && (maxFailedIndexes ?? 0) > completions) {
    if (maxFailedIndexes !== undefined) {
      failed.invalid(maxFailedIndexes, "must be less than or equal to completions");
    }
  }
  if ((maxFailedIndexes ?? 0) > MAX_FAILED_INDEXES) {
    failed.invalid(maxFailedIndexes, `must be less than or equal to ${MAX_FAILED_INDEXES}`);
  }
  if ((completions ?? 0) <= MANY_COMPLETIONS || backoffLimitPerIndex === undefined) return;
  const why = `must be less than or equal to ${MAX_OF_MANY} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) {
    failed.required(`must be specified when completions is above ${MANY_COMPLETIONS}`);
  }
  if (parallelism > MAX_OF_MANY) place.child("parallelism").invalid(parallelism, why);
  if ((maxFailedIndexes ?? 0) > MAX_OF_MANY) failed.invalid(maxFailedIndexes, why);
};

const completion: Rule<JobSpec> = (spec, place) => {
  const { completionMode, backoffLimitPerIndex, maxFailedIndexes } = spec ?? {};
  if (completionMode === "Indexed") indexed(spec, place);
  if (completionMode !== undefined && completionMode !== "NonIndexed") return;
  const why = "requires indexed completion mode";
  if (backoffLimitPerIndex !== undefined) {
    place.child("backoffLimitPerIndex").invalid(backoffLimitPerIndex, why);
  }
  if (maxFailedIndexes !== undefined) {
    place.child("maxFailedIndexes").invalid(maxFailedIndexes, why);
  }
};

const policies: Rule<JobSpec> = (spec, place) => {
  if (spec?.podFailurePolicy !== undefined) {
    podFailurePolicy(spec, place.child("podFailurePolicy"));
  }
  if (spec?.successPolicy !== undefined) {
    const at = place.child("successPolicy");
    if (spec.completionMode === "Indexed") successPolicy(spec, at);
    else {
      const shown = internalForm("batch.SuccessPolicy", spec.successPolicy);
      at.invalid(shown, "requires indexed completion mode");
    }
  }
  const replacement = spec?.podReplacementPolicy;
  const known =
    spec?.podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  if (replacement !== undefined && !known.includes(replacement)) {
    place.child("podReplacementPolicy").notSupported(replacement, known);
  }
};

/** Pods of a job end. */
const restartPolicy: Rule<JobSpec> = (spec, place) => {
  const policy = spec?.template?.spec?.restartPolicy ?? "";
  const at = place.child("template").child("spec").child("restartPolicy");
  if (policy === "Always" || policy === "") at.required('valid values: "OnFailure", "Never"');
  else if (policy !== "OnFailure" && policy !== "Never") {
    at.notSupported(policy, ["OnFailure", "Never"]);
  } else if (spec?.podFailurePolicy !== undefined && policy !== "Never") {
    at.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
};

export const jobSpec: Rule<JobSpec, TemplateContext> = all<JobSpec, TemplateContext>(
  counts,
  completion,
  policies,
  fields<JobSpec, TemplateContext>({ template: podTemplate }),
  restartPolicy,
);
