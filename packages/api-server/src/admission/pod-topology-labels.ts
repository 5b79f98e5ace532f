import { type KubernetesObject, ownKey } from "@homeostat/object-model";
import type { Binding, Node, Pod } from "@homeostat/object-model/core-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import type { KnownObjects } from "./known-objects.ts";

const LABELS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** A pod on a node is labelled with where that node is. */
export class PodTopologyLabels implements AdmissionPlugin {
  readonly name = "PodTopologyLabels";
  readonly resources: readonly string[] = ["pods"];
  readonly #nodes: KnownObjects<Node>;

  constructor(nodes: KnownObjects<Node>) {
    this.#nodes = nodes;
  }

  mutate({ operation, object }: AdmittedChange, { subresource }: AdmissionRequest): void {
    if (operation !== "CREATE" || object === undefined) return;
    const node = nodeOf(object, subresource);
    if (!node) return;
    const place = this.#nodes.get(node)?.metadata?.labels;
    for (const label of LABELS) {
      const value = ownKey(place, label);
      if (value === undefined) continue;
      const metadata = (object.metadata ??= {});
      metadata.labels = { ...metadata.labels, [label]: value };
    }
  }
}

function nodeOf(object: KubernetesObject, subresource: string): string | undefined {
  if (subresource === "") return (object as Pod).spec?.nodeName;
  if (subresource !== "binding") return undefined;
  const { target } = object as Binding;
  return target?.kind === "Node" ? target.name : undefined;
}
