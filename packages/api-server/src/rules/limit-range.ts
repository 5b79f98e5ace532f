/** Limit ranges and resource quotas: what a namespace may use. */
import type {
  LimitRangeItem,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
} from "@homeostat/object-model/core-v1";
import { addMissingResources } from "./resource-list.ts";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const limitRangeRules: readonly NamedTypeRules[] = [
  rulesFor<LimitRangeItem>("core.v1.LimitRangeItem", {
    setDefaults: setContainerLimits,
    resourceLists: ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"],
  }),
  rulesFor<ResourceQuotaSpec>("core.v1.ResourceQuotaSpec", { resourceLists: ["hard"] }),
  rulesFor<ResourceQuotaStatus>("core.v1.ResourceQuotaStatus", {
    resourceLists: ["hard", "used"],
  }),
];

/** A default limit is the maximum; a default request is the default limit, or else the minimum. */
function setContainerLimits(item: Unchecked<LimitRangeItem>): void {
  if (item.type !== "Container") return;
  item.default ??= {};
  item.defaultRequest ??= {};
  addMissingResources(item.default, item.max ?? {});
  addMissingResources(item.defaultRequest, item.default);
  addMissingResources(item.defaultRequest, item.min ?? {});
}
