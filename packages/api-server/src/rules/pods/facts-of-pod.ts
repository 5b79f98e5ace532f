import type { Pod, PodSpec } from "@homeostat/object-model/core-v1";
import type { PodFacts } from "../pod-facts.ts";

const NO_SPEC: PodSpec = { containers: [] };

/** `old` is the pod that an update replaces. */
export function factsOfPod(pod: Readonly<Pod>, old: Readonly<Pod> | undefined): PodFacts {
  return {
    isPod: true,
    spec: pod.spec ?? NO_SPEC,
    metadata: pod.metadata,
    ...(old === undefined ? {} : { old: old.spec ?? NO_SPEC }),
  };
}
