import type { Node } from "@homeostat/object-model/core-v1";
import type { AdmissionPlugin } from "./admission.ts";

const NOT_READY = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** A new node gets no pods until somebody has seen that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  resources: ["nodes"],
  mutate: ({ operation, object }, { subresource }) => {
    if (operation !== "CREATE" || subresource !== "") return;
    const spec = ((object as Node).spec ??= {});
    const taints = (spec.taints ??= []);
    const { key, effect } = NOT_READY;
    if (!taints.some((each) => each.key === key && each.effect === effect)) {
      taints.push({ ...NOT_READY });
    }
  },
};
