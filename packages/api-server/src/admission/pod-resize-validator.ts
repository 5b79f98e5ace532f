import { ownKey, Quantity } from "@homeostat/object-model";
import type { Node, Pod, PodSpec } from "@homeostat/object-model/core-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import type { KnownObjects } from "./known-objects.ts";
import { isChangedOnNode } from "./pod-on-node.ts";
import { forbidden, withCause } from "./refusal.ts";
import { addAmounts, amountsOf, isPodLevel, podAmounts } from "./resource-amounts.ts";

const OS_LABEL = "kubernetes.io/os";
const NONE = Quantity.of(0);

/** A pod that runs grows only on a node that can resize it, and no further than the node is large. */
export class PodResizeValidator implements AdmissionPlugin {
  readonly name = "PodResizeValidator";
  readonly resources: readonly string[] = ["pods"];
  readonly #nodes: KnownObjects<Node>;

  constructor(nodes: KnownObjects<Node>) {
    this.#nodes = nodes;
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    if (request.subresource !== "resize" || !isChangedOnNode(change)) return;
    const { spec } = change.object as Pod;
    const name = spec?.nodeName ?? "";
    const node = this.#nodes.get(name);
    if (node === undefined) {
      throw forbidden(change, request, `node ${JSON.stringify(name)} not found`);
    }
    const system = ownKey(node.metadata?.labels, OS_LABEL);
    if (system !== undefined && system !== "linux") {
      const why = `pod resize is only supported on linux nodes, node ${JSON.stringify(name)} is ${JSON.stringify(system)}`;
      throw withCause(forbidden(change, request, why), { reason: "UnsupportedPlatform" });
    }
    const tooMuch = beyond(spec!, node);
    if (tooMuch.length === 0) return;
    const why = `node didn't have enough allocatable resources: ${tooMuch.join("; ")}`;
    throw withCause(forbidden(change, request, why), { reason: "NodeCapacity" });
  }
}

function beyond(spec: PodSpec, { status }: Readonly<Node>): string[] {
  const requests = addAmounts(
    podAmounts(spec, "requests", { isOfPod: isPodLevel }),
    amountsOf(spec.overhead),
  );
  const room = amountsOf(status?.allocatable);
  const found: string[] = [];
  const cpu = { asked: requests.get("cpu") ?? NONE, there: room.get("cpu") ?? NONE };
  if (cpu.asked.compare(cpu.there) > 0) {
    const [asked, there] = [cpu.asked.milliValue(), cpu.there.milliValue()];
    found.push(`cpu, requested: ${asked}, allocatable: ${there}`);
  }
  const memory = { asked: requests.get("memory") ?? NONE, there: room.get("memory") ?? NONE };
  if (memory.asked.compare(memory.there) > 0) {
    const [asked, there] = [memory.asked.value(), memory.there.value()];
    found.push(`memory, requested: ${asked}, allocatable: ${there}`);
  }
  return found;
}
