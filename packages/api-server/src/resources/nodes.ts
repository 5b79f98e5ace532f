/**
 * Nodes. Unlike any other kind with a status subresource, a node may be created with its status: it
 * registers itself with all it knows. Addresses for its pods and its place at the provider are set
 * once.
 */

import { FieldError, FieldPath } from "@homeostat/object-model";
import type { Node, NodeSpec } from "@homeostat/object-model/core-v1";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { sameForm } from "./internal-form.ts";
import { keepSpec } from "./status-updates.ts";

const SPEC = FieldPath.of("spec");

const status: SubresourceStrategy<Node> = {
  prepareForUpdate(node, old) {
    keepSpec(node, old);
    if (old.status?.config === undefined) delete node.status?.config;
  },
  validateUpdate: checkNodeUpdate,
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

  validateUpdate: checkNodeUpdate,

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

function checkNodeUpdate(node: Readonly<Node>, old: Readonly<Node>): FieldError[] {
  const errors: FieldError[] = [];
  const addresses = new Set<string>();
  for (const [index, address] of (node.status?.addresses ?? []).entries()) {
    const key = `${address.type} ${address.address}`;
    if (addresses.has(key)) {
      const value = { Type: address.type, Address: address.address };
      errors.push(FieldError.duplicate(FieldPath.of("status", "addresses").index(index), value));
    }
    addresses.add(key);
  }
  const ranges = old.spec?.podCIDRs ?? [];
  if (ranges.length > 0 && !sameForm(node.spec?.podCIDRs ?? null, ranges)) {
    const why = 'node updates may not change podCIDR except from "" to valid';
    errors.push(FieldError.forbidden(SPEC.child("podCIDRs"), why));
  }
  const provider = old.spec?.providerID ?? "";
  if (provider !== "" && provider !== (node.spec?.providerID ?? "")) {
    const why = 'node updates may not change providerID except from "" to valid';
    errors.push(FieldError.forbidden(SPEC.child("providerID"), why));
  }
  if ((node.spec?.externalID ?? "") !== (old.spec?.externalID ?? "")) {
    errors.push(FieldError.forbidden(SPEC.child("externalID"), "may not be updated"));
  }
  return errors;
}
