/** When a container is started again: after it ended, and after its resources were changed. */
import { FieldError } from "@homeostat/object-model";
import type {
  Container,
  ContainerResizePolicy,
  ContainerRestartRule,
} from "@homeostat/object-model/core-v1";
import type { Place, Rule } from "@homeostat/schema";
import { choice, knownChoice } from "../checks/choices.ts";
import type { PodFacts } from "../pod-facts.ts";

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

const policy = knownChoice("Always", "Never", "OnFailure");
const action = knownChoice("Restart", "RestartAllContainers");
const operator = knownChoice("In", "NotIn");

export function checkRestartPolicy(container: Readonly<Container>, place: Place): void {
  const { restartPolicy, restartPolicyRules = [] } = container;
  const at = place.child("restartPolicy");
  if (restartPolicy !== undefined) policy(restartPolicy, at);
  else if (restartPolicyRules.length > 0) {
    at.required("must specify restartPolicy when restart rules are used");
  }
  checkRules(restartPolicyRules, place.child("restartPolicyRules"));
}

/** The same, but rules without a policy are not looked at. */
export function checkInitRestartPolicy(container: Readonly<Container>, place: Place): void {
  if (container.restartPolicy !== undefined) checkRestartPolicy(container, place);
  else if ((container.restartPolicyRules ?? []).length > 0) {
    place.child("restartPolicy").required("must specify restartPolicy when restart rules are used");
  }
}

function checkRules(rules: readonly ContainerRestartRule[], place: Place): void {
  if (rules.length > MAX_RULES && place.path !== undefined) {
    place.add(FieldError.tooMany(place.path, rules.length, MAX_RULES));
  }
  for (const [index, rule] of rules.entries()) {
    const at = place.index(index);
    const codes = at.child("exitCodes");
    action(rule.action, at.child("action"));
    if (!rule.exitCodes) {
      codes.required("must be specified");
      continue;
    }
    operator(rule.exitCodes.operator, codes.child("operator"));
    const count = (rule.exitCodes.values ?? []).length;
    const path = codes.child("values").path;
    if (count > MAX_EXIT_CODES && path !== undefined) {
      codes.add(FieldError.tooMany(path, count, MAX_EXIT_CODES));
    }
  }
}

const resizedResource = choice("cpu", "memory");
const resizeRestart = choice("NotRequired", "RestartContainer");

/** What is wrong with an element is told at the list, except that it repeats another. */
export const resizePolicyRule: Rule<readonly Partial<ContainerResizePolicy>[], PodFacts> = (
  list,
  place,
) => {
  const seen = new Set<string>();
  for (const [index, element] of (list ?? []).entries()) {
    const { resourceName = "", restartPolicy = "" } = element;
    if (seen.has(resourceName)) place.index(index).duplicate(resourceName);
    seen.add(resourceName);
    resizedResource(resourceName, place);
    resizeRestart(restartPolicy, place);
    if (place.context.spec.restartPolicy === "Never" && restartPolicy !== "NotRequired") {
      place.invalid(restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
};
