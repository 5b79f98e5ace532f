/** Counters that controllers write to a status: never negative, and parts not more than the whole. */
import { type ChangeRule, changedFields, type Rule } from "@homeostat/schema";

/** The named counters of `T`, which Go reads as 0 where they are absent. */
type CounterOf<T> = {
  [Name in keyof T & string]: NonNullable<T[Name]> extends number ? Name : never;
}[keyof T & string];

/** A counter is not more than another, or `detail`. */
export function atMost<T extends object>(
  name: CounterOf<T>,
  bound: CounterOf<T>,
  detail: string,
): Rule<T> {
  return (status, place) => {
    const count = Number(status?.[name] ?? 0);
    if (count > Number(status?.[bound] ?? 0)) place.child(name).invalid(count, detail);
  };
}

/** Counters of pods that are among `replicas`. */
export function amongReplicas<T extends { replicas?: number }>(
  ...names: readonly CounterOf<T>[]
): Rule<T> {
  const rules = names.map((name) =>
    atMost<T>(name, "replicas" as CounterOf<T>, "cannot be greater than status.replicas"),
  );
  return (status, place) => {
    for (const rule of rules) rule(status, place);
  };
}

/** The count of name collisions only grows. */
export const collisions: ChangeRule<{ collisionCount?: number }> = changedFields<{
  collisionCount?: number;
}>({
  collisionCount: ({ value, old }, place) => {
    if (old === undefined || (value !== undefined && value >= old)) return;
    place.invalid(value ?? 0, "cannot be decremented");
  },
});
