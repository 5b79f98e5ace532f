import { equalJson } from "@homeostat/object-model";
import type { Container, Node, Pod, ResourceRequirements } from "@homeostat/object-model/core-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import type { KnownObjects } from "./known-objects.ts";
import { isChangedOnNode } from "./pod-on-node.ts";
import { forbidden } from "./refusal.ts";
import { isSameAmounts } from "./resource-amounts.ts";

/** What a node declares that can do what an update of a pod asks for, in the order of their names. */
const FEATURES: readonly (readonly [string, (now: Pod, before: Pod) => boolean])[] = [
  ["InPlacePodLevelResourcesVerticalScaling", changesAsWhole],
  ["InPlacePodVerticalScalingInitContainers", changesInitContainers],
];

/** A pod that runs is changed only in ways that its node declares it can follow. */
export class NodeDeclaredFeatureValidator implements AdmissionPlugin {
  readonly name = "NodeDeclaredFeatureValidator";
  readonly resources: readonly string[] = ["pods"];
  readonly #nodes: KnownObjects<Node>;

  constructor(nodes: KnownObjects<Node>) {
    this.#nodes = nodes;
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    const { subresource } = request;
    if ((subresource !== "" && subresource !== "resize") || !isChangedOnNode(change)) return;
    const [pod, old] = [change.object as Pod, change.old as Pod];
    const needed = FEATURES.filter(([, isNeeded]) => isNeeded(pod, old)).map(([name]) => name);
    if (needed.length === 0) return;
    const name = JSON.stringify(pod.spec?.nodeName ?? "");
    const node = this.#nodes.get(pod.spec?.nodeName ?? "");
    if (node === undefined) throw forbidden(change, request, `node ${name} not found`);
    const declared = node.status?.declaredFeatures ?? [];
    const missing = needed.filter((each) => !declared.includes(each));
    if (missing.length === 0) return;
    const why = `pod update requires features ${missing.join(", ")} which are not available on node ${name}`;
    throw forbidden(change, request, why);
  }
}

function changesAsWhole({ spec }: Pod, { spec: old }: Pod): boolean {
  const [now, before] = [spec?.resources, old?.resources];
  if (now === undefined || before === undefined) return now !== before;
  return !isSameResources(now, before);
}

function isSameResources(a: ResourceRequirements, b: ResourceRequirements): boolean {
  return (
    isSameAmounts(a.requests, b.requests) &&
    isSameAmounts(a.limits, b.limits) &&
    equalJson(a.claims ?? [], b.claims ?? [])
  );
}

function changesInitContainers({ spec }: Pod, { spec: old }: Pod): boolean {
  const changed = (container: Container, at: number): boolean =>
    container.restartPolicy !== "Always" &&
    !equalJson(container.resources ?? {}, spec?.initContainers?.[at]?.resources ?? {});
  return (old?.initContainers ?? []).some(changed);
}
