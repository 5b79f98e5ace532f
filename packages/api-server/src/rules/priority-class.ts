/** Priority classes. */
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

export const priorityClassRules: readonly NamedTypeRules[] = [
  rulesFor<PriorityClass>("scheduling.v1.PriorityClass", {
    defaults: { preemptionPolicy: "PreemptLowerPriority" },
  }),
];
