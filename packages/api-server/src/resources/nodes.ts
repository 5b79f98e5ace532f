/**
 * Nodes. Unlike any other kind with a status subresource, a node may be created with its status: it
 * registers itself with all it knows. Addresses for its pods and its place at the provider are set
 * once.
 */

import type { Node, NodeSpec } from "@homeostat/object-model/core-v1";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { nodeAgain, nodeChange } from "../rules/node.ts";
import { keepSpec } from "./status-updates.ts";

const status: SubresourceStrategy<Node> = {
  prepareForUpdate(node, old) {
    keepSpec(node, old);
    if (old.status?.config === undefined) delete node.status?.config;
  },
  validateUpdate: changeCheckOf(nodeChange),
};

export const nodes: Strategy<Node> = {
  statusOnCreate: true,
  selectableFields: {
    "spec.unschedulable": (node) => String(node.spec?.unschedulable ?? false),
  },

  prepareForCreate(node) {
    delete node.spec?.configSource;
    delete node.status?.config;
    joinPodRanges(node.spec);
  },

  prepareForUpdate(node, old) {
    if (old.spec?.configSource === undefined) delete node.spec?.configSource;
    joinPodRanges(node.spec);
  },

  revalidate: changeCheckOf(nodeAgain),

  warnings: ({ spec }) => [
    ...(spec?.configSource === undefined ? [] : ["spec.configSource: the feature is removed"]),
    ...(spec?.externalID
      ? ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]
      : []),
  ],

  subresources: { status },
};

/** The first of `podCIDRs` is `podCIDR`, whichever was given; `podCIDR` wins where they differ. */
function joinPodRanges(spec: NodeSpec | undefined): void {
  if (spec === undefined) return;
  const { podCIDR, podCIDRs = [] } = spec;
  if (podCIDR && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR];
  else if (podCIDRs[0] && !podCIDR) spec.podCIDR = podCIDRs[0];
}
