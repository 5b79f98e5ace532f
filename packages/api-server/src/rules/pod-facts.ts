import type { ObjectMeta } from "@homeostat/object-model";
import type { PodSpec } from "@homeostat/object-model/core-v1";

/** What rules inside a pod spec may know besides the value they look at. */
export interface PodFacts {
  /** A pod itself, not a template of pods. */
  readonly isPod: boolean;
  /** Of the pod; undefined in a template, whose pods have names of their own. */
  readonly metadata?: Readonly<ObjectMeta>;
  readonly spec: Readonly<PodSpec>;
  /** The spec that an update replaces. What it had wrong before stricter rules came stays allowed. */
  readonly old?: Readonly<PodSpec>;
}
