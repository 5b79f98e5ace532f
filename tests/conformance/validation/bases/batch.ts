import type { CronJob, Job } from "@homeostat/object-model/batch-v1";
import type { PodTemplateSpec } from "@homeostat/object-model/core-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const image = "registry.example/app:1";
const template: PodTemplateSpec = {
  metadata: { labels: { app: "work" } },
  spec: { restartPolicy: "Never", containers: [{ name: "app", image }] },
};

const jobVariants = {
  plain: {
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "app", image }] } } },
  },
  indexed: {
    metadata: { labels: { a: "b" } },
    spec: {
      parallelism: 2,
      completions: 4,
      activeDeadlineSeconds: 100,
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 2,
      ttlSecondsAfterFinished: 60,
      completionMode: "Indexed",
      suspend: false,
      podReplacementPolicy: "Failed",
      managedBy: "example.com/mine",
      podFailurePolicy: {
        rules: [
          {
            action: "FailJob",
            onExitCodes: { containerName: "app", operator: "In", values: [1, 2] },
          },
          { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
          { action: "FailIndex", onExitCodes: { operator: "NotIn", values: [0, 3] } },
        ],
      },
      successPolicy: { rules: [{ succeededIndexes: "0-2", succeededCount: 1 }] },
      template,
    },
    status: {
      startTime: "2020-01-01T00:00:00Z",
      active: 1,
      ready: 1,
      terminating: 0,
      succeeded: 1,
      failed: 1,
      completedIndexes: "0",
      failedIndexes: "1",
      uncountedTerminatedPods: {
        succeeded: ["11111111-2222-3333-4444-555555555555"],
        failed: ["x"],
      },
      conditions: [
        {
          type: "SuccessCriteriaMet",
          status: "False",
          lastProbeTime: "2020-01-01T00:00:00Z",
          lastTransitionTime: "2020-01-01T00:00:00Z",
          reason: "Because",
          message: "x",
        },
      ],
    },
  },
  manual: {
    spec: {
      manualSelector: true,
      selector: {
        matchLabels: { app: "work" },
        matchExpressions: [{ key: "app", operator: "In", values: ["work"] }],
      },
      backoffLimit: 3,
      suspend: true,
      template,
    },
    status: {
      startTime: "2020-01-01T00:00:00Z",
      completionTime: "2020-01-02T00:00:00Z",
      succeeded: 1,
      conditions: [
        { type: "SuccessCriteriaMet", status: "True" },
        { type: "Complete", status: "True" },
      ],
    },
  },
  done: {
    spec: { backoffLimit: 1, template },
    status: {
      startTime: "2020-01-01T00:00:00Z",
      completionTime: "2020-01-02T00:00:00Z",
      succeeded: 1,
      conditions: [
        { type: "SuccessCriteriaMet", status: "True" },
        { type: "Complete", status: "True" },
      ],
    },
  },
  started: {
    spec: { backoffLimit: 1, template },
    status: { startTime: "2020-01-01T00:00:00Z", active: 1 },
  },
} satisfies Variants<Job>;

const cronJobVariants = {
  plain: { spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template } } } },
  full: {
    spec: {
      schedule: "@hourly",
      timeZone: "Europe/Berlin",
      startingDeadlineSeconds: 60,
      concurrencyPolicy: "Forbid",
      suspend: true,
      jobTemplate: {
        metadata: { labels: { a: "b" }, annotations: { c: "d" } },
        spec: {
          parallelism: 2,
          completions: 3,
          activeDeadlineSeconds: 100,
          backoffLimit: 2,
          ttlSecondsAfterFinished: 60,
          completionMode: "NonIndexed",
          podReplacementPolicy: "TerminatingOrFailed",
          template,
        },
      },
      successfulJobsHistoryLimit: 5,
      failedJobsHistoryLimit: 2,
    },
    status: {
      active: [{ apiVersion: "batch/v1", kind: "Job", namespace: "probes", name: "a", uid: "u" }],
      lastScheduleTime: "2020-01-01T00:00:00Z",
      lastSuccessfulTime: "2020-01-01T00:00:00Z",
    },
  },
} satisfies Variants<CronJob>;

const batch = { group: "batch", version: "v1" } as const;

export const batchKinds: readonly ProbedKind[] = [
  {
    ...batch,
    name: "cronjobs",
    plural: "cronjobs",
    variants: cronJobVariants,
    briefly: ["spec.jobTemplate.spec.template.spec"],
  },
  {
    ...batch,
    name: "jobs",
    plural: "jobs",
    variants: jobVariants,
    withStatus: ["done", "started"],
    briefly: ["spec.template.spec"],
  },
];
