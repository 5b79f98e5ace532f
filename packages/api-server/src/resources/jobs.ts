/**
 * Jobs and CronJobs. A Job's selector is made from its uid, and the labels of its pods with it, unless
 * it brings its own. What makes them valid is in `../rules/`.
 */

import { ownKey, setOwnKey } from "@homeostat/object-model";
import type { CronJob, Job, JobSpec } from "@homeostat/object-model/batch-v1";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { jobAgain } from "../rules/job.ts";
import { jobStatusChange } from "../rules/workloads/job-status.ts";
import { podNameWarnings } from "./apps.ts";
import { preparePodTemplate } from "./pod-template.ts";
import { podWarnings } from "./pod-warnings.ts";
import { keepSpec, statusOnly } from "./status-updates.ts";

const JOB_NAME = "batch.kubernetes.io/job-name";
const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
const LEGACY_JOB_NAME = "job-name";
const LEGACY_CONTROLLER_UID = "controller-uid";

const PRESERVED_PODS =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

const jobStatus: SubresourceStrategy<Job> = {
  prepareForUpdate: keepSpec,
  validateUpdate: changeCheckOf(jobStatusChange),
};

export const jobs: Strategy<Job> = {
  generation: true,
  deletePropagation: "Orphan",
  warningsOnDelete: ({ propagationPolicy, orphanDependents }) =>
    propagationPolicy === undefined && orphanDependents === undefined ? [PRESERVED_PODS] : [],
  selectableFields: { "status.successful": (job) => String(job.status?.succeeded ?? 0) },

  prepareForCreate(job) {
    if (job.spec?.manualSelector !== true && job.spec !== undefined) selectOwnPods(job, job.spec);
    preparePodTemplate(job.spec?.template);
  },

  prepareForUpdate: (job, old) => preparePodTemplate(job.spec?.template, old.spec?.template),
  revalidate: changeCheckOf(jobAgain),

  warnings: (job, old) => [
    ...(old === undefined ? podNameWarnings(job.metadata.name) : []),
    ...(old !== undefined && old.metadata.generation === job.metadata.generation
      ? []
      : jobSpecWarnings(job.spec, "spec")),
  ],

  subresources: { status: jobStatus },
};

function selectOwnPods({ metadata }: Job, spec: JobSpec): void {
  spec.template ??= {};
  spec.template.metadata ??= {};
  const { template } = spec;
  // Labels that the job took over from its template go on being the same ones.
  const shared = metadata.labels !== undefined && metadata.labels === template.metadata?.labels;
  const labels = { ...template.metadata?.labels };
  template.metadata!.labels = labels;
  if (shared) metadata.labels = labels;
  const own = [
    [LEGACY_JOB_NAME, metadata.name],
    [JOB_NAME, metadata.name],
    [LEGACY_CONTROLLER_UID, metadata.uid],
    [CONTROLLER_UID, metadata.uid],
  ] as const;
  for (const [key, value] of own) {
    if (ownKey(labels, key) === undefined) setOwnKey(labels, key, value ?? "");
  }
  const matchLabels = { ...spec.selector?.matchLabels };
  if (ownKey(matchLabels, CONTROLLER_UID) === undefined) {
    setOwnKey(matchLabels, CONTROLLER_UID, metadata.uid ?? "");
  }
  spec.selector = { ...spec.selector, matchLabels };
}

export const cronJobs: Strategy<CronJob> = {
  generation: true,
  prepareForCreate: (cronJob) => preparePodTemplate(cronJob.spec?.jobTemplate?.spec?.template),
  prepareForUpdate: (cronJob, old) =>
    preparePodTemplate(
      cronJob.spec?.jobTemplate?.spec?.template,
      old.spec?.jobTemplate?.spec?.template,
    ),
  warnings: (cronJob, old) => [
    ...(old === undefined ? podNameWarnings(cronJob.metadata.name) : []),
    ...(old !== undefined && old.metadata.generation === cronJob.metadata.generation
      ? []
      : jobSpecWarnings(cronJob.spec?.jobTemplate?.spec, "spec.jobTemplate.spec")),
    ...(old !== undefined && cronJob.spec?.schedule?.includes("TZ")
      ? [
          "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
        ]
      : []),
  ],
  subresources: { status: statusOnly },
};

function jobSpecWarnings(spec: Readonly<JobSpec> | undefined, path: string): readonly string[] {
  const isHuge =
    spec?.completionMode === "Indexed" &&
    (spec.completions ?? 0) > 100_000 &&
    (spec.parallelism ?? 0) > 10_000;
  const warning = `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`;
  return [...(isHuge ? [warning] : []), ...podWarnings(spec?.template ?? {}, `${path}.template`)];
}
