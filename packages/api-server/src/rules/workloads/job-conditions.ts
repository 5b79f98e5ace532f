import type { Job } from "@homeostat/object-model/batch-v1";

export type JobConditionType =
  | "Complete"
  | "Failed"
  | "FailureTarget"
  | "SuccessCriteriaMet"
  | "Suspended";

/** Whether some condition of the type has the status: nothing keeps a job from having two. */
export function isJobConditionTrue(
  job: Readonly<Job> | undefined,
  type: JobConditionType,
  status: "False" | "True" = "True",
): boolean {
  return (job?.status?.conditions ?? []).some(
    (condition) => condition.type === type && condition.status === status,
  );
}

/** Complete or failed. */
export function isJobFinished(job: Readonly<Job> | undefined): boolean {
  return isJobConditionTrue(job, "Complete") || isJobConditionTrue(job, "Failed");
}
