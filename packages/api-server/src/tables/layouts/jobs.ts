import type { CronJob, Job } from "@homeostat/object-model/batch-v1";
import { age, containerCells, isDeleting, nameOf, selectorText } from "../cell-texts.ts";
import { AGE, CONTAINERS, column, IMAGES, NAME, wide } from "../columns.ts";
import { ageOf, humanDuration, millisecondsOf } from "../human-duration.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const JOB: TableLayout = layout<Job>({
  columns: [
    NAME,
    column("Status", "Status of the job."),
    column(
      "Completions",
      "The number of pods which reached phase Succeeded. The value increases monotonically for a given spec. However, it may decrease in reaction to scale down of elastic indexed jobs.",
    ),
    column("Duration", "Time required to complete the job."),
    AGE,
    CONTAINERS,
    IMAGES,
    wide(
      "Selector",
      "A label query over pods that should match the pod count. Normally, the system sets this field for you. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
  ],
  cells: (job, now) => [
    nameOf(job),
    statusOf(job),
    completionsOf(job),
    durationOf(job, now),
    age(job, now),
    ...containerCells(job.spec?.template),
    selectorText(job.spec?.selector, { none: "<none>", broken: "<error>" }),
  ],
});

export const CRON_JOB: TableLayout = layout<CronJob>({
  columns: [
    NAME,
    column("Schedule", "The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron."),
    column(
      "Timezone",
      "The time zone name for the given schedule, see https://en.wikipedia.org/wiki/List_of_tz_database_time_zones. If not specified, this will default to the time zone of the kube-controller-manager process. The set of valid time zone names and the time zone offset is loaded from the system-wide time zone database by the API server during CronJob validation and the controller manager during execution. If no system-wide time zone database can be found a bundled version of the database is used instead. If the time zone name becomes invalid during the lifetime of a CronJob or due to a change in host configuration, the controller will stop creating new new Jobs and will create a system event with the reason UnknownTimeZone. More information can be found in https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#time-zones",
    ),
    column(
      "Suspend",
      "This flag tells the controller to suspend subsequent executions, it does not apply to already started executions.  Defaults to false.",
      "boolean",
    ),
    column("Active", "A list of pointers to currently running jobs.", "integer"),
    column(
      "Last Schedule",
      "Information when was the last time the job was successfully scheduled.",
    ),
    AGE,
    CONTAINERS,
    IMAGES,
    wide(
      "Selector",
      "A label query over pods that should match the pod count. Normally, the system sets this field for you. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
  ],
  cells: (job, now) => {
    const { schedule, timeZone, suspend, jobTemplate } = job.spec ?? {};
    const last = job.status?.lastScheduleTime;
    return [
      nameOf(job),
      schedule ?? "",
      timeZone ?? "<none>",
      suspend == null ? "<unset>" : suspend ? "True" : "False",
      job.status?.active?.length ?? 0,
      last == null ? "<none>" : ageOf(last, now),
      age(job, now),
      ...containerCells(jobTemplate?.spec?.template),
      selectorText(jobTemplate?.spec?.selector, { none: "<none>", broken: "<error>" }),
    ];
  },
});

/** Ahead of the others comes what says more. */
function statusOf(job: Printed<Job>): string {
  const has = (wanted: string): boolean =>
    job.status?.conditions?.find(({ type }) => type === wanted)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (isDeleting(job)) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

function completionsOf({ spec, status }: Printed<Job>): string {
  const succeeded = status?.succeeded ?? 0;
  const parallelism = spec?.parallelism ?? 0;
  if (spec?.completions != null) return `${succeeded}/${spec.completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf({ status }: Printed<Job>, now: number): string {
  if (status?.startTime == null) return "";
  const start = millisecondsOf(status.startTime) ?? 0;
  const end = status.completionTime == null ? now : (millisecondsOf(status.completionTime) ?? 0);
  return humanDuration(end - start);
}
