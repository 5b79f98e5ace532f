/** Resources of a pod as a whole: what its containers ask for together has to fit in. */
import { ownKey } from "@homeostat/object-model";
import type { PodSpec } from "@homeostat/object-model/core-v1";
import { type Place, type Rule } from "@homeostat/schema";
import { amountOf } from "../checks/quantities.ts";
import { isHugePages, resourceName } from "../checks/resource-names.ts";
import { sumOfContainers } from "../pod-level-resources.ts";
import type { ContainerFacts } from "./container-facts.ts";
import { resourcesRule } from "./resource-requirements.ts";

const SUPPORTED = ["cpu", "hugepages-", "memory"];

const podResourceName: Rule<string> = (value = "", place) => {
  const before = place.errors.length;
  resourceName(value, place);
  if (place.errors.length > before) return;
  if (value !== "cpu" && value !== "memory" && !isHugePages(value)) {
    place.notSupported(value, SUPPORTED);
  }
};

/** `place` is the spec's. */
export function checkPodResources(spec: Readonly<PodSpec>, place: Place<ContainerFacts>): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const at = place.child("resources");
  if (spec.os?.name === "windows") return at.forbidden("may not be set for a windows pod");
  if (resources.claims !== undefined) {
    at.child("claims").forbidden("claims may not be set for Resources at pod-level");
  }
  const { claimNames } = place.context;
  resourcesRule({ name: podResourceName, claimNames })(resources, at);
  checkSums(spec, at);
  checkEach(spec, at);
}

function checkSums(spec: Readonly<PodSpec>, place: Place): void {
  const { requests, limits } = spec.resources ?? {};
  for (const [name, sum] of sumOfContainers(spec, "requests")) {
    const own = ownKey(requests, name);
    if (own === undefined || sum.compare(amountOf(own)) <= 0) continue;
    const why = `must be greater than or equal to aggregate container requests of ${sum.toString()}`;
    place.child("requests").key(name).invalid(amountOf(own).toString(), why);
  }
  for (const [name, sum] of sumOfContainers(spec, "limits")) {
    const own = ownKey(limits, name);
    if (own === undefined || !isHugePages(name) || sum.compare(amountOf(own)) <= 0) continue;
    const why = `must be greater than or equal to aggregate container limits of ${sum.toString()}`;
    place.child("limits").key(name).invalid(amountOf(own).toString(), why);
  }
}

/** No container is limited to more than its pod. */
function checkEach(spec: Readonly<PodSpec>, place: Place): void {
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, value] of Object.entries(container.resources?.limits ?? {})) {
      const own = ownKey(spec.resources?.limits, name);
      if (own === undefined || amountOf(value).compare(amountOf(own)) <= 0) continue;
      const why = `must be less than or equal to pod limits of ${amountOf(own).toString()}`;
      const at = place.child("containers").index(index).key(name).child("limits");
      at.invalid(amountOf(value).toString(), why);
    }
  }
}
