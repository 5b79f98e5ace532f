/** Nodes. The not-ready taint comes from admission. */
import type { NodeSpec, NodeStatus } from "@homeostat/object-model/core-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const nodeRules: readonly NamedTypeRules[] = [
  rulesFor<NodeSpec>("core.v1.NodeSpec", { normalize: mirrorPodCidr }),
  rulesFor<NodeStatus>("core.v1.NodeStatus", {
    setDefaults: allocateCapacity,
    resourceLists: ["capacity", "allocatable"],
  }),
];

function allocateCapacity(status: Unchecked<NodeStatus>): void {
  const isSaid = Object.keys(status.allocatable ?? {}).length > 0;
  if (status.capacity && !isSaid) status.allocatable = { ...status.capacity };
}

/** `podCIDR` is the first of `podCIDRs`; where they differ the single one is right. */
function mirrorPodCidr(spec: Unchecked<NodeSpec>): void {
  const first = spec.podCIDRs?.[0];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (first) spec.podCIDR = first;
}
