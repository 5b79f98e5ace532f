/**
 * What controllers may write to the status of a job. Kubernetes looks at what changed only: a status
 * that was wrong before may stay wrong.
 */
import { FieldError } from "@homeostat/object-model";
import type { Job, JobStatus, UncountedTerminatedPods } from "@homeostat/object-model/batch-v1";
import { type ChangeRule, fields, nonNegative, type Place, type Rule } from "@homeostat/schema";
import { internalForm, sameForm } from "../../resources/internal-form.ts";
import { countIndexes, overlapProblem } from "./completion-indexes.ts";
import { isJobConditionTrue, isJobFinished, type JobConditionType } from "./job-conditions.ts";

/** Both sides of the change, with what is asked of them again and again. */
class JobChange {
  readonly job: Readonly<Job>;
  readonly old: Readonly<Job>;
  readonly status: Readonly<JobStatus>;
  readonly before: Readonly<JobStatus>;

  constructor(job: Readonly<Job>, old: Readonly<Job>) {
    this.job = job;
    this.old = old;
    this.status = job.status ?? {};
    this.before = old.status ?? {};
  }

  is(type: JobConditionType): boolean {
    return isJobConditionTrue(this.job, type);
  }

  was(type: JobConditionType): boolean {
    return isJobConditionTrue(this.old, type);
  }

  turned(type: JobConditionType): boolean {
    return this.is(type) !== this.was(type);
  }

  get finished(): boolean {
    return isJobFinished(this.job);
  }

  get finishedTurned(): boolean {
    return this.finished !== isJobFinished(this.old);
  }

  /** A field that may be absent; counters are 0 then, which is said by `zero`. */
  changed(name: keyof JobStatus, zero: unknown = null): boolean {
    return !sameForm(this.status[name] ?? zero, this.before[name] ?? zero);
  }
}

export const jobStatusChange: ChangeRule<Job> = ({ value, old }, place) => {
  if (value === undefined || old === undefined) return;
  const change = new JobChange(value, old);
  const at = place.child("status");
  counters(change.status, at);
  checkEnd(change, at);
  checkIndexes(change, at);
  checkPods(change, at);
  checkSuccess(change, at);
  checkHistory(change, at);
};

const counters: Rule<JobStatus> = fields<JobStatus>({
  active: nonNegative,
  succeeded: nonNegative,
  failed: nonNegative,
  ready: nonNegative,
  terminating: nonNegative,
  uncountedTerminatedPods: uncounted,
});

/** Each pod is in one of the lists, once. */
function uncounted(pods: UncountedTerminatedPods | undefined, place: Place): void {
  const seen = new Set<string>();
  for (const name of ["succeeded", "failed"] as const) {
    for (const [index, uid] of (pods?.[name] ?? []).entries()) {
      const at = place.child(name).index(index);
      if (uid === "") at.invalid(uid, "must not be empty");
      else if (seen.has(uid)) at.duplicate(uid);
      else seen.add(uid);
    }
  }
}

/** How a job ends: completed or failed, with the conditions and times that belong to it. */
function checkEnd(change: JobChange, place: Place): void {
  const { status } = change;
  const isComplete = change.is("Complete");
  const completeTurned = change.turned("Complete");
  const timeChanged = change.changed("completionTime");
  if ((completeTurned || change.turned("Failed")) && isComplete && change.is("Failed")) {
    refuse(place, "cannot set Complete=True and Failed=true conditions");
  }
  if (
    (completeTurned || change.turned("FailureTarget")) &&
    isComplete &&
    change.is("FailureTarget")
  ) {
    refuse(place, "cannot set Complete=True and FailureTarget=true conditions");
  }
  const time = place.child("completionTime");
  if (completeTurned || timeChanged) {
    if (status.completionTime != null && !isComplete) {
      const why = "cannot set completionTime when there is no Complete=True condition";
      time.invalid(status.completionTime, why);
    }
    if (status.completionTime == null && isComplete) {
      time.required("completionTime is required for Complete jobs");
    }
  }
  if (change.changed("startTime") || timeChanged) {
    const { startTime, completionTime } = status;
    if (startTime != null && completionTime != null && completionTime < startTime) {
      time.invalid(completionTime, "must be equal to or after `startTime`");
    }
  }
  if ((change.turned("Failed") || change.changed("failedIndexes")) && change.is("Failed")) {
    if (!change.is("FailureTarget")) {
      refuse(place, "cannot set Failed=True condition without the FailureTarget=true condition");
    }
  }
  if ((completeTurned || change.turned("SuccessCriteriaMet")) && isComplete) {
    if (!change.is("SuccessCriteriaMet")) {
      refuse(
        place,
        "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
      );
    }
  }
  if (change.finished) checkFinished(change, place);
}

/** Nothing is left of a job that is over. */
function checkFinished(change: JobChange, place: Place): void {
  const { status, job, finishedTurned } = change;
  const { active = 0, uncountedTerminatedPods: uncountedPods } = status;
  if ((finishedTurned || change.changed("active", 0)) && active > 0) {
    place.child("active").invalid(active, "active>0 is invalid for finished job");
  }
  const neverRan = job.spec?.suspend === true && job.spec.completions === 0;
  if ((finishedTurned || change.changed("startTime")) && !neverRan && status.startTime == null) {
    place.child("startTime").required("startTime is required for finished job");
  }
  if (!finishedTurned && !change.changed("uncountedTerminatedPods")) return;
  const left = [...(uncountedPods?.failed ?? []), ...(uncountedPods?.succeeded ?? [])];
  if (left.length === 0) return;
  const shown = internalForm("batch.UncountedTerminatedPods", uncountedPods);
  place.child("uncountedTerminatedPods").invalid(shown, "must be empty for finished job");
}

function checkIndexes(change: JobChange, place: Place): void {
  const { status, job } = change;
  const { completedIndexes = "", failedIndexes } = status;
  const { completions, backoffLimitPerIndex, completionMode } = job.spec ?? {};
  const completedChanged = change.changed("completedIndexes", "");
  const failedChanged = change.changed("failedIndexes");
  const completed = place.child("completedIndexes");
  const failed = place.child("failedIndexes");
  if (completedChanged && completions !== undefined) {
    const { problem } = countIndexes(completedIndexes, completions);
    if (problem !== undefined) {
      completed.invalid(completedIndexes, `error parsing completedIndexes: ${problem}`);
    }
  }
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined) {
    const { problem } = countIndexes(failedIndexes ?? "", completions);
    if (problem !== undefined) {
      failed.invalid(failedIndexes, `error parsing failedIndexes: ${problem}`);
    }
  }
  if (completedChanged && completedIndexes !== "" && completionMode !== "Indexed") {
    const why = "cannot set non-empty completedIndexes when non-indexed completion mode";
    completed.invalid(completedIndexes, why);
  }
  if (failedIndexes === undefined) return;
  if (failedChanged && backoffLimitPerIndex === undefined) {
    const why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    failed.invalid(failedIndexes, why);
  }
  if ((failedChanged || completedChanged) && completions !== undefined) {
    const problem = overlapProblem(completedIndexes, failedIndexes, completions);
    if (problem !== undefined) failed.invalid(failedIndexes, problem);
  }
}

function checkPods(change: JobChange, place: Place): void {
  const { terminating = 0, ready, active = 0 } = change.status;
  if (change.finishedTurned || change.changed("terminating")) {
    if (terminating > 0 && change.finished) {
      place.child("terminating").invalid(terminating, "terminating>0 is invalid for finished job");
    }
  }
  if (ready === undefined || ready <= active) return;
  if (change.changed("ready") || change.changed("active", 0)) {
    place.child("ready").invalid(ready, "cannot set more ready pods than active");
  }
}

function checkSuccess(change: JobChange, place: Place): void {
  const isMet = change.is("SuccessCriteriaMet");
  if (isMet && change.is("Failed")) {
    refuse(place, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
  }
  if (isMet && change.is("FailureTarget")) {
    refuse(place, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  }
  if (change.job.spec?.successPolicy !== undefined && !isMet && change.is("Complete")) {
    refuse(
      place,
      "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
    );
  }
}

/** What has happened stays so: ends, counters, times. */
function checkHistory(change: JobChange, place: Place): void {
  const { status, before, job } = change;
  for (const type of ["Failed", "Complete", "FailureTarget"] as const) {
    if (change.was(type) && !change.is(type)) {
      refuse(place, `cannot disable the terminal ${type}=True condition`);
    }
  }
  const isElastic =
    job.spec?.completionMode === "Indexed" && job.spec.completions === job.spec.parallelism;
  notDecreased("failed", change, place);
  if (!isElastic) notDecreased("succeeded", change, place);
  if (status.completionTime != null && before.completionTime != null) {
    if (change.changed("completionTime")) {
      place.child("completionTime").invalid(status.completionTime, "field is immutable");
    }
  }
  const resumes = change.was("Suspended") && isJobConditionTrue(job, "Suspended", "False");
  const moved = before.startTime != null && change.changed("startTime");
  if (moved && !resumes && job.spec?.suspend !== true) {
    const why = "field is immutable for unsuspended job once set";
    place.child("startTime").invalid(status.startTime, why);
  }
  if (change.was("SuccessCriteriaMet") && !change.is("SuccessCriteriaMet")) {
    refuse(place, "cannot disable the SuccessCriteriaMet=True condition");
  }
  if (change.was("Complete") && !change.was("SuccessCriteriaMet")) {
    if (change.is("SuccessCriteriaMet")) {
      refuse(
        place,
        "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
      );
    }
  }
}

function notDecreased(
  name: "failed" | "succeeded",
  { status, before }: JobChange,
  place: Place,
): void {
  const count = status[name] ?? 0;
  if (count < (before[name] ?? 0)) {
    place.child(name).invalid(count, `cannot decrease the ${name} counter`);
  }
}

function refuse(place: Place, why: string): void {
  const at = place.child("conditions");
  at.add(FieldError.invalidUnshown(at.path, why));
}
