/**
 * Jobs. Selector and controller-uid labels come from the strategy; here they are only checked, twice
 * over on an update, since Kubernetes looks at the whole job before it looks at the change.
 */
import { checkDns1123Label, ownKey } from "@homeostat/object-model";
import type {
  Job,
  JobSpec,
  PodFailurePolicyOnPodConditionsPattern,
} from "@homeostat/object-model/batch-v1";
import { all, type ChangeRule, type Rule } from "@homeostat/schema";
import {
  hasInvalidLabelValue,
  labelSelector,
  labelSelectorOfAnyValues,
  printedSelector,
  readSelector,
} from "./checks/label-selectors.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";
import { jobSpec } from "./workloads/job-spec.ts";
import { jobChange } from "./workloads/job-update.ts";
import { mismatch, printedLabels, type TemplateContext } from "./workloads/workload-template.ts";

const MAX_INT32 = 2_147_483_647;
const JOB_NAME = "batch.kubernetes.io/job-name";
const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";

export const jobRules: readonly NamedTypeRules[] = [
  rulesFor<Job>("batch.v1.Job", {
    setDefaults: setJobDefaults,
    validate: (job, place) => wholeJob(job, place),
    validateChange({ value, old }, place) {
      const at = place.knowing(knowing(old, place.context));
      jobSpecWithSelector(value?.spec, at.child("spec"));
      jobChange({ value, old }, place);
    },
  }),
  rulesFor<PodFailurePolicyOnPodConditionsPattern>(
    "batch.v1.PodFailurePolicyOnPodConditionsPattern",
    { defaults: { status: "True" } },
  ),
];

/**
 * A job without labels has those of its template: the same map, not a copy, so that what the strategy
 * adds to it (controller-uid, job-name) is on both. kube-apiserver's jobs show that.
 */
function setJobDefaults(job: Unchecked<Job>): void {
  job.spec ??= {};
  setSpecDefaults(job.spec);
  const labels = job.spec.template?.metadata?.labels;
  if (!labels) return;
  job.metadata ??= {};
  if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = labels;
}

/** Parallelism alone means a work queue, which has no number of completions. */
function setSpecDefaults(spec: Unchecked<JobSpec>): void {
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
  spec.manualSelector ??= false;
}

interface JobContext extends TemplateContext {
  /** The old selector had values that no label can have. */
  readonly anyLabelValues?: boolean;
  /** The old template was made before labels had prefixes. */
  readonly unprefixedLabels?: boolean;
}

function knowing(old: Readonly<Job> | undefined, context: RuleContext): JobContext {
  const template = old?.spec?.template;
  const labels = template?.metadata?.labels;
  return {
    ...context,
    oldTemplate: template ?? {},
    anyLabelValues: hasInvalidLabelValue(old?.spec?.selector),
    unprefixedLabels: [JOB_NAME, CONTROLLER_UID].some((key) => ownKey(labels, key) === undefined),
  };
}

/** Of an update: all of the new job, before what changed. */
export const jobAgain: ChangeRule<Job, RuleContext> = ({ value, old }, place) =>
  wholeJob(value, place.knowing(knowing(old, place.context)));

/** Unless it brings its own selector, it selects by what the server put there. */
const generatedSelector: Rule<Job, JobContext> = (job, place) => {
  const { spec, metadata } = job ?? {};
  if (spec?.manualSelector === true || spec?.selector === undefined) return;
  const { uid = "", name = "" } = metadata ?? {};
  if (uid === "") place.child("metadata").child("uid").required();
  const expected: Record<string, string> = {
    "controller-uid": uid,
    "job-name": name,
    ...(place.context.unprefixedLabels ? {} : { [CONTROLLER_UID]: uid, [JOB_NAME]: name }),
  };
  const at = place.child("spec");
  const labels = spec.template?.metadata?.labels;
  for (const [key, value] of Object.entries(expected)) {
    const found = ownKey(labels, key);
    const label = at.child("template").child("metadata").child("labels").key(key);
    if (found === undefined) label.required(`must be '${value}'`);
    else if (found !== value) label.invalid(printedLabels(labels), `must be '${value}'`);
  }
  if (readSelector(spec.selector)?.matches(expected) === false) {
    at.child("selector").invalid(printedSelector(spec.selector), "`selector` not auto-generated");
  }
};

const selector: Rule<JobSpec, JobContext> = (spec, place) => {
  const at = place.child("selector");
  if (spec?.selector === undefined) at.required();
  else if (place.context.anyLabelValues) labelSelectorOfAnyValues(spec.selector, at);
  else labelSelector(spec.selector, at);
  const labels = spec?.template?.metadata?.labels;
  if (readSelector(spec?.selector)?.matches(labels) === false) {
    mismatch(labels, place.child("template"));
  }
};

const jobSpecWithSelector = all<JobSpec, JobContext>(jobSpec, selector);

/** Pods of an indexed job have their index in their host name. */
const indexedName: Rule<Job> = (job, place) => {
  const { completionMode, completions = 0 } = job?.spec ?? {};
  if (completionMode !== "Indexed" || completions <= 0) return;
  const name = job?.metadata?.name ?? "";
  const host = `${name}-${completions - 1}`;
  if (checkDns1123Label(host).length === 0) return;
  const why = `will not able to create pod with invalid DNS label: ${host}`;
  place.child("metadata").child("name").invalid(name, why);
};

const wholeJob = all<Job, JobContext>(
  generatedSelector,
  (job, place) => jobSpecWithSelector(job?.spec, place.child("spec")),
  indexedName,
);
