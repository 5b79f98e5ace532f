import type { Volume } from "@homeostat/object-model/core-v1";
import type { PodFacts } from "../pod-facts.ts";

/** What rules inside a container may know of the pod around it. */
export interface ContainerFacts extends PodFacts {
  /** The volumes of the pod that are valid, by name: mounts of others are not found. */
  readonly volumes: ReadonlyMap<string, Readonly<Volume>>;
  /** Names of the claims that the pod lists. */
  readonly claimNames: ReadonlySet<string>;
}
