/**
 * Jobs and CronJobs. A Job's selector is made from its uid, and the labels of its pods with it, unless
 * it brings its own. What may change later is in `job-update.ts`.
 */

import {
  FieldError,
  FieldPath,
  LabelSelector,
  ownKey,
  SelectorError,
  setOwnKey,
} from "@homeostat/object-model";
import type { CronJob, Job, JobSpec } from "@homeostat/object-model/batch-v1";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { podNameWarnings } from "./apps.ts";
import { printedPart } from "./field-checks.ts";
import { checkJobStatusUpdate, checkJobUpdate } from "./job-update.ts";
import { checkAnnotations, checkLabels } from "./object-meta.ts";
import { preparePodTemplate } from "./pod-template.ts";
import { podWarnings } from "./pod-warnings.ts";
import { keepSpec, statusOnly } from "./status-updates.ts";

const SPEC = FieldPath.of("spec");

const JOB_NAME = "batch.kubernetes.io/job-name";
const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
const LEGACY_JOB_NAME = "job-name";
const LEGACY_CONTROLLER_UID = "controller-uid";

const PRESERVED_PODS =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

const jobStatus: SubresourceStrategy<Job> = {
  prepareForUpdate: keepSpec,
  validateUpdate: checkJobStatusUpdate,
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

  validate: (job) => [...checkGeneratedSelector(job), ...checkSpec(job.spec)],

  revalidate: (job) => [...checkGeneratedSelector(job), ...checkSpec(job.spec)],

  // kube-apiserver says what is wrong with the spec twice.
  validateUpdate: (job, old) => [...checkSpec(job.spec), ...checkJobUpdate(job, old)],

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

function checkGeneratedSelector({ metadata, spec }: Readonly<Job>): FieldError[] {
  if (spec?.manualSelector === true || spec?.selector === undefined) return [];
  const path = SPEC.child("template", "metadata");
  const expected: Record<string, string> = {
    [LEGACY_CONTROLLER_UID]: metadata.uid ?? "",
    [LEGACY_JOB_NAME]: metadata.name ?? "",
    [CONTROLLER_UID]: metadata.uid ?? "",
    [JOB_NAME]: metadata.name ?? "",
  };
  const labels = spec.template?.metadata?.labels;
  const errors = Object.entries(expected).flatMap(([key, value]) => {
    const found = ownKey(labels, key);
    if (found === value) return [];
    const at = path.child("labels");
    if (found === undefined) return [FieldError.required(at.key(key), `must be '${value}'`)];
    return [FieldError.invalid(at.key(key), labels, `must be '${value}'`)];
  });
  if (!selects(spec.selector, expected)) {
    const why = "`selector` not auto-generated";
    const value = printedPart("LabelSelector", spec.selector);
    errors.push(FieldError.invalid(SPEC.child("selector"), value, why));
  }
  return errors;
}

function checkSpec(spec: Readonly<JobSpec> | undefined): FieldError[] {
  const { labels: podLabels, annotations } = spec?.template?.metadata ?? {};
  const path = SPEC.child("template");
  const errors = [
    ...checkLabels(podLabels, path.child("labels")),
    ...checkAnnotations(annotations, path.child("annotations")),
  ];
  if (spec?.selector === undefined) errors.push(FieldError.required(SPEC.child("selector")));
  if (!selects(spec?.selector, podLabels ?? {})) {
    const why = "`selector` does not match template `labels`";
    errors.push(FieldError.invalid(path.child("metadata", "labels"), podLabels, why));
  }
  return errors;
}

/** A selector that cannot be read is refused elsewhere. */
function selects(selector: JobSpec["selector"], labels: Readonly<Record<string, string>>): boolean {
  try {
    return LabelSelector.fromObject(selector).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return true;
    throw error;
  }
}

export const cronJobs: Strategy<CronJob> = {
  generation: true,
  prepareForCreate: (cronJob) => preparePodTemplate(cronJob.spec?.jobTemplate?.spec?.template),
  prepareForUpdate: (cronJob, old) =>
    preparePodTemplate(
      cronJob.spec?.jobTemplate?.spec?.template,
      old.spec?.jobTemplate?.spec?.template,
    ),
  validate({ metadata: { name = "" } }) {
    // Its jobs are named after it, with the time behind.
    if (name.length <= 52) return [];
    const path = FieldPath.of("metadata", "name");
    return [FieldError.invalid(path, name, "must be no more than 52 characters")];
  },
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
