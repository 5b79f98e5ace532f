/**
 * The conditions of a status: at most one per type, in the order they were first set. The rules are
 * those of apimachinery's `meta.SetStatusCondition`: `lastTransitionTime` moves only when `status`
 * changes, never for a new reason or message.
 *
 * Nothing is mutated, and a change that changes nothing returns the list it was given, so `!==`
 * tells whether there is something to write.
 */

import type { Condition } from "./generated/meta-v1.ts";

export type ConditionStatus = "True" | "False" | "Unknown";

/** A condition to be set; the transition time is found out. */
export interface ConditionUpdate {
  readonly type: string;
  readonly status: ConditionStatus;
  /** CamelCase, for programs. */
  readonly reason: string;
  /** For people; may be empty. */
  readonly message: string;
  /** The `metadata.generation` that this was observed of. */
  readonly observedGeneration?: number;
  /** Only where the moment of the transition is known to be another than now. */
  readonly lastTransitionTime?: string;
}

export function findCondition<C extends { type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition is there and has that status. */
export function hasConditionStatus(
  conditions: readonly { type: string; status: string }[] | undefined,
  type: string,
  status: ConditionStatus,
): boolean {
  return findCondition(conditions, type)?.status === status;
}

export function isConditionTrue(
  conditions: readonly { type: string; status: string }[] | undefined,
  type: string,
): boolean {
  return hasConditionStatus(conditions, type, "True");
}

export function isConditionFalse(
  conditions: readonly { type: string; status: string }[] | undefined,
  type: string,
): boolean {
  return hasConditionStatus(conditions, type, "False");
}

/** `now` is the `Time` text of this moment. */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
  now: string,
): readonly Condition[] {
  const before = conditions ?? [];
  const index = before.findIndex((condition) => condition.type === update.type);
  const existing = before[index];
  if (existing === undefined) {
    return [...before, conditionOf(update, update.lastTransitionTime ?? now)];
  }
  const turned = existing.status !== update.status;
  const unchanged =
    !turned &&
    existing.reason === update.reason &&
    existing.message === update.message &&
    (existing.observedGeneration ?? 0) === (update.observedGeneration ?? 0);
  if (unchanged) return before;
  const time = turned ? (update.lastTransitionTime ?? now) : existing.lastTransitionTime;
  return before.with(index, conditionOf(update, time));
}

export function removeCondition<C extends { type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] {
  const before = conditions ?? [];
  const after = before.filter((condition) => condition.type !== type);
  return after.length === before.length ? before : after;
}

function conditionOf(update: ConditionUpdate, lastTransitionTime: string): Condition {
  const { type, status, reason, message, observedGeneration } = update;
  // A generation of 0 is no generation: Kubernetes leaves it out.
  const observed = observedGeneration ? { observedGeneration } : {};
  return { type, status, ...observed, lastTransitionTime, reason, message };
}
