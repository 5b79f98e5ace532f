/** Runtime classes. */

import type { Toleration } from "@homeostat/object-model/core-v1";
import type { RuntimeClass, Scheduling } from "@homeostat/object-model/node-v1";
import {
  all,
  type ChangeRule,
  dns1123Label,
  fields,
  ifPresent,
  type Rule,
} from "@homeostat/schema";
import { internalForm } from "../resources/internal-form.ts";
import { immutableValue } from "./checks/immutable-parts.ts";
import { labels } from "./checks/labels.ts";
import { requiredThen } from "./checks/required-then.ts";
import { containerResourcesRule } from "./pods/resource-requirements.ts";
import { tolerationsRule } from "./tolerations.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

/** Said of as if it were the limits of a container. */
const overhead: Rule<RuntimeClass> = (runtimeClass, place) => {
  const limits = runtimeClass?.overhead?.podFixed;
  if (runtimeClass?.overhead === undefined) return;
  const facts = { isPod: false, spec: { containers: [] } };
  const at = place.knowing(facts).child("overhead");
  containerResourcesRule(new Set())(limits === undefined ? {} : { limits }, at);
};

const uniqueTolerations: Rule<readonly Toleration[]> = (list, place) => {
  const seen = new Set<string>();
  for (const [index, toleration] of (list ?? []).entries()) {
    const { key = "", operator = "", value = "", effect = "" } = toleration;
    const id = JSON.stringify([key, operator, value, effect]);
    if (seen.has(id)) place.index(index).duplicate(internalForm("Toleration", toleration));
    seen.add(id);
  }
};

const runtimeClass = all<RuntimeClass, RuleContext>(
  fields<RuntimeClass, RuleContext>({ handler: requiredThen(dns1123Label) }),
  overhead,
  fields<RuntimeClass, RuleContext>({
    scheduling: ifPresent(
      fields<Scheduling>({
        nodeSelector: ifPresent(labels),
        tolerations: [tolerationsRule, uniqueTolerations],
      }),
    ),
  }),
);

export const runtimeClassRules: readonly NamedTypeRules[] = [
  rulesFor<RuntimeClass>("node.v1.RuntimeClass", {
    validate: runtimeClass,
    validateChange({ value, old }, place) {
      const change = { value: value?.handler ?? "", old: old?.handler ?? "" };
      immutableValue(change, place.child("handler"));
    },
  }),
];

/** Of an update: all of it, before what changed. */
export const runtimeClassAgain: ChangeRule<RuntimeClass, RuleContext> = ({ value }, place) =>
  runtimeClass(value, place);
