/** Priority classes. */
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import { changedFields, type Rule } from "@homeostat/schema";
import { choice } from "./checks/choices.ts";
import { immutableValue } from "./checks/immutable-parts.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const MAX_USER_PRIORITY = 1_000_000_000;
const SYSTEM_PREFIX = "system-";

/** The classes that Kubernetes has itself. */
const SYSTEM_CLASSES: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2 * MAX_USER_PRIORITY + 1000],
  ["system-cluster-critical", 2 * MAX_USER_PRIORITY],
]);

export const priorityClassRules: readonly NamedTypeRules[] = [
  rulesFor<PriorityClass>("scheduling.v1.PriorityClass", {
    defaults: { preemptionPolicy: "PreemptLowerPriority" },
    validate(priorityClass, place) {
      nameAndValue(priorityClass, place);
      if (priorityClass?.preemptionPolicy === undefined) return;
      const at = place.child("preemptionPolicy");
      choice("PreemptLowerPriority", "Never")(priorityClass.preemptionPolicy, at);
    },
    validateChange({ value, old }, place) {
      if ((value?.value ?? 0) !== (old?.value ?? 0)) {
        place.child("value").forbidden("may not be changed in an update.");
      }
      changedFields<PriorityClass>({ preemptionPolicy: immutableValue })({ value, old }, place);
    },
  }),
];

const nameAndValue: Rule<PriorityClass> = (priorityClass, place) => {
  const name = priorityClass?.metadata?.name ?? "";
  const value = priorityClass?.value ?? 0;
  if (name.startsWith(SYSTEM_PREFIX)) {
    const problem = systemProblem(name, value, priorityClass?.globalDefault === true);
    if (problem === undefined) return;
    const why = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${problem}`;
    place.child("metadata").child("name").forbidden(why);
  } else if (value > MAX_USER_PRIORITY) {
    const why = `maximum allowed value of a user defined priority is ${MAX_USER_PRIORITY}`;
    place.child("value").forbidden(why);
  }
};

function systemProblem(name: string, value: number, isDefault: boolean): string | undefined {
  const expected = SYSTEM_CLASSES.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
