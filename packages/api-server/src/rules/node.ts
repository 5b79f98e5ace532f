/** Nodes. The not-ready taint comes from admission. */
import { FieldError, ownKey } from "@homeostat/object-model";
import type { Node, NodeSpec, NodeStatus, NodeSwapStatus } from "@homeostat/object-model/core-v1";
import {
  all,
  type ChangeRule,
  each,
  fields,
  ifPresent,
  type Place,
  type Rule,
} from "@homeostat/schema";
import { checkCidrText, MALFORMED_CIDR } from "../resources/service-cidr-check.ts";
import { legacyCidr } from "./checks/cidrs.ts";
import { familyOfIp } from "./checks/ip-addresses.ts";
import { amountOfResource } from "./checks/quantities.ts";
import { declaredFeatures } from "./nodes/declared-features.ts";
import { nodeConfigStatus, specConfigSource } from "./nodes/node-config.ts";
import { annotatedTaints, avoidedPods, nodeTaints } from "./nodes/taints.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";

export const nodeRules: readonly NamedTypeRules[] = [
  rulesFor<Node>("core.v1.Node", {
    validate: (node, place) => wholeNode(node, place),
    validateChange: (change, place) => nodeChange(change, place),
  }),
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

const TAINTS = "scheduler.alpha.kubernetes.io/taints";
const AVOID_PODS = "scheduler.alpha.kubernetes.io/preferAvoidPods";

const annotations: Rule<Node> = (node, place) => {
  const own = node?.metadata?.annotations;
  const at = place.child("metadata").child("annotations");
  const taints = ownKey(own, TAINTS);
  if (taints) annotatedTaints(TAINTS, taints, at);
  const avoided = ownKey(own, AVOID_PODS);
  if (avoided) avoidedPods(AVOID_PODS, avoided, at);
};

/** Errors name them as if they were metadata. */
const taints: Rule<Node> = (node, place) =>
  nodeTaints(node?.spec?.taints, place.child("metadata").child("taints"));

const resources: Rule<Node> = (node, place) => {
  for (const name of ["capacity", "allocatable"] as const) {
    const at = place.child("status").child(name);
    for (const [key, value] of Object.entries(node?.status?.[name] ?? {})) {
      amountOfResource(key)(value, at.child(key));
    }
  }
};

const swap = fields<NodeSwapStatus>({
  capacity: ifPresent((value = 0, place) => {
    if (value <= 0) place.invalid(value, "must be greater than zero");
  }),
});

const features: Rule<Node> = (node, place) =>
  declaredFeatures(node?.status?.declaredFeatures, place.child("status").child("declaredFeatures"));

const podCidrs: Rule<Node> = (node, place) => {
  const ranges = node?.spec?.podCIDRs ?? [];
  const at = place.child("spec").child("podCIDRs");
  each(legacyCidr)(ranges, at);
  if (ranges.length < 2) return;
  const families = new Set(ranges.map((range) => familyOfIp(range.split("/")[0] ?? "")));
  const wrong = ranges.findIndex((range) => checkCidrText(range).includes(MALFORMED_CIDR));
  if (wrong >= 0 && at.path !== undefined) {
    const why = `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${ranges[wrong]})`;
    at.add(FieldError.internal(at.path, new Error(why)));
  }
  const isDual = families.has(4) && families.has(6) && wrong < 0;
  if (!isDual || ranges.length > 2) {
    at.invalid(ranges, "may specify no more than one CIDR for each IP family");
  }
};

const wholeNode = all<Node, RuleContext>(
  annotations,
  taints,
  resources,
  (node, place) =>
    swap(node?.status?.nodeInfo?.swap, place.child("metadata").child("nodeSwapStatus")),
  features,
  podCidrs,
);

/** Of an update: all of the node, before what changed. */
export const nodeAgain: ChangeRule<Node, RuleContext> = ({ value }, place) =>
  wholeNode(value, place);

/** Each address once. */
const addresses: Rule<Node> = (node, place) => {
  const seen = new Set<string>();
  for (const [index, { type = "", address = "" }] of (node?.status?.addresses ?? []).entries()) {
    const key = `${type} ${address}`;
    if (seen.has(key)) {
      const at = place.child("status").child("addresses").index(index);
      at.duplicate({ Type: type, Address: address });
    }
    seen.add(key);
  }
};

/** Of the object and of its status alike. */
export const nodeChange: ChangeRule<Node, RuleContext> = ({ value, old }, place) => {
  annotations(value, place);
  resources(value, place);
  features(value, place);
  addresses(value, place);
  setOnce(value?.spec, old?.spec, place.child("spec"));
  const { configSource } = value?.spec ?? {};
  const spec = place.child("spec");
  if (configSource !== undefined) specConfigSource(configSource, spec.child("configSource"));
  const { config } = value?.status ?? {};
  if (config !== undefined) nodeConfigStatus(config, place.child("status").child("config"));
  taints(value, place);
  if ((value?.spec?.externalID ?? "") !== (old?.spec?.externalID ?? "")) {
    spec.child("externalID").forbidden("may not be updated");
  }
};

/** What is given to a node once: addresses for its pods, and its place at the provider. */
function setOnce(
  spec: Readonly<NodeSpec> | undefined,
  old: Readonly<NodeSpec> | undefined,
  place: Place,
): void {
  const [ranges, before] = [spec?.podCIDRs ?? [], old?.podCIDRs ?? []];
  const changed =
    ranges.length === before.length
      ? before.filter((range, index) => range !== ranges[index]).length
      : Math.min(before.length, 1);
  for (let count = 0; count < changed; count += 1) {
    const why = 'node updates may not change podCIDR except from "" to valid';
    place.child("podCIDRs").forbidden(why);
  }
  const provider = old?.providerID ?? "";
  if (provider !== "" && provider !== (spec?.providerID ?? "")) {
    const why = 'node updates may not change providerID except from "" to valid';
    place.child("providerID").forbidden(why);
  }
}
