import type { Pod, Toleration } from "@homeostat/object-model/core-v1";
import type { AdmissionPlugin } from "./admission.ts";

const TAINTS = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const SECONDS = 300;

/** Pods stay for a while on a node that is gone, unless they say for how long. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  resources: ["pods"],
  mutate: ({ operation, object }, { subresource }) => {
    if (subresource !== "" || (operation !== "CREATE" && operation !== "UPDATE")) return;
    const { spec } = object as Pod;
    if (spec === undefined) return;
    const given = spec.tolerations ?? [];
    const missing = TAINTS.filter((key) => !given.some((each) => tolerates(each, key)));
    if (missing.length === 0) return;
    spec.tolerations = [
      ...given,
      ...missing.map((key) => ({
        key,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: SECONDS,
      })),
    ];
  },
};

function tolerates({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === "NoExecute");
}
