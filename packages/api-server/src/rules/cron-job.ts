/** Cron jobs. The job inside gets no defaults and no selector: it does when it is created. */
import type {
  CronJob,
  CronJobSpec,
  JobSpec,
  JobTemplateSpec,
} from "@homeostat/object-model/batch-v1";
import { all, fields, ifPresent, nonNegative, type Rule } from "@homeostat/schema";
import { choice } from "./checks/choices.ts";
import { printedSelector } from "./checks/label-selectors.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";
import { scheduleProblem } from "./workloads/cron-schedule.ts";
import { jobSpec } from "./workloads/job-spec.ts";
import { timeZoneProblems } from "./workloads/time-zones.ts";
import type { TemplateContext } from "./workloads/workload-template.ts";

/** Its jobs are named after it, with the time behind. */
const MAX_NAME = 52;

export const cronJobRules: readonly NamedTypeRules[] = [
  rulesFor<CronJob>("batch.v1.CronJob", {
    validate(cronJob, place) {
      cronJobSpec(cronJob?.spec, place.child("spec"));
      const name = cronJob?.metadata?.name ?? "";
      if (name.length <= MAX_NAME) return;
      const why = `must be no more than ${MAX_NAME} characters`;
      place.child("metadata").child("name").invalid(name, why);
    },
    validateChange({ value, old }, place) {
      const context: CronJobContext = {
        ...place.context,
        old: old?.spec,
        oldTemplate: old?.spec?.jobTemplate?.spec?.template ?? {},
      };
      cronJobSpec(value?.spec, place.knowing(context).child("spec"));
    },
  }),
  rulesFor<CronJobSpec>("batch.v1.CronJobSpec", {
    defaults: {
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
  }),
];

interface CronJobContext extends TemplateContext {
  readonly old?: Readonly<CronJobSpec> | undefined;
}

/** A zone has its own field; in the schedule it is borne where it was before. */
const schedule: Rule<CronJobSpec, CronJobContext> = (spec, place) => {
  const at = place.child("schedule");
  const text = spec?.schedule ?? "";
  if (text === "") {
    at.required();
    return;
  }
  const problem = scheduleProblem(text);
  if (problem !== undefined) at.invalid(text, problem);
  if (!text.includes("TZ")) return;
  if (!place.context.old?.schedule?.includes("TZ")) {
    at.invalid(text, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (spec?.timeZone !== undefined) {
    at.invalid(text, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
};

const timeZone: Rule<CronJobSpec, CronJobContext> = (spec, place) => {
  const zone = spec?.timeZone;
  const { old } = place.context;
  if (zone === undefined || (old !== undefined && old.timeZone === zone)) return;
  for (const problem of timeZoneProblems(zone)) place.child("timeZone").invalid(zone, problem);
};

/** Its selector is always made by the server. */
const generatedSelector: Rule<JobSpec> = (spec, place) => {
  if (spec?.selector !== undefined) {
    const shown = printedSelector(spec.selector);
    place.child("selector").invalid(shown, "`selector` will be auto-generated");
  }
  if (spec?.manualSelector) place.child("manualSelector").notSupported(true, ["nil", "false"]);
};

const cronJobSpec = all<CronJobSpec, CronJobContext>(
  schedule,
  fields<CronJobSpec, CronJobContext>({ startingDeadlineSeconds: ifPresent(nonNegative) }),
  timeZone,
  fields<CronJobSpec, CronJobContext>({
    concurrencyPolicy: choice("Allow", "Forbid", "Replace"),
    jobTemplate: fields<JobTemplateSpec, CronJobContext>({ spec: [jobSpec, generatedSelector] }),
    successfulJobsHistoryLimit: ifPresent(nonNegative),
    failedJobsHistoryLimit: ifPresent(nonNegative),
  }),
);
