/**
 * Jobs and cron jobs. The job inside a cron job gets nothing: it does when it is created. Selector and
 * controller-uid labels of a job come from the strategy.
 */
import type {
  CronJobSpec,
  Job,
  JobSpec,
  PodFailurePolicyOnPodConditionsPattern,
} from "@homeostat/object-model/batch-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

const MAX_INT32 = 2_147_483_647;

export const jobRules: readonly NamedTypeRules[] = [
  rulesFor<Job>("batch.v1.Job", { setDefaults: setJobDefaults }),
  rulesFor<PodFailurePolicyOnPodConditionsPattern>(
    "batch.v1.PodFailurePolicyOnPodConditionsPattern",
    { defaults: { status: "True" } },
  ),
  rulesFor<CronJobSpec>("batch.v1.CronJobSpec", {
    defaults: {
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
  }),
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
