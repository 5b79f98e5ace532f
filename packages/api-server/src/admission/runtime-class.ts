import { ownKey } from "@homeostat/object-model";
import type { Pod, PodSpec } from "@homeostat/object-model/core-v1";
import type { RuntimeClass as RuntimeClassObject } from "@homeostat/object-model/node-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import type { KnownObjects } from "./known-objects.ts";
import { mergeTolerations } from "./merge-tolerations.ts";
import { forbidden } from "./refusal.ts";
import { isSameAmounts } from "./resource-amounts.ts";

const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const UNDEFINED_OVERHEAD =
  "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";

/** A pod takes over what its runtime class costs, and where it can run. */
export class RuntimeClass implements AdmissionPlugin {
  readonly name = "RuntimeClass";
  readonly resources: readonly string[] = ["pods"];
  readonly #classes: KnownObjects<RuntimeClassObject>;

  constructor(classes: KnownObjects<RuntimeClassObject>) {
    this.#classes = classes;
  }

  mutate(change: AdmittedChange, request: AdmissionRequest): void {
    if (change.operation !== "CREATE" || request.subresource !== "") return;
    const { spec } = change.object as Pod;
    const found = this.#classOf(change, request);
    if (spec === undefined || found === undefined) return;
    const refuse = (why: string): Error => forbidden(change, request, why);
    const overhead = found.overhead?.podFixed;
    if (found.overhead !== undefined) {
      if (Object.keys(spec.overhead ?? {}).length > 0 && !isSameAmounts(overhead, spec.overhead)) {
        throw refuse(MISMATCH);
      }
      if (overhead === undefined) delete spec.overhead;
      else spec.overhead = { ...overhead };
    }
    if (found.scheduling !== undefined) schedule(spec, found.scheduling, refuse);
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    if (change.operation !== "CREATE" || request.subresource !== "") return;
    const { spec } = change.object as Pod;
    const overhead = this.#classOf(change, request)?.overhead;
    if (overhead !== undefined) {
      if (!isSameAmounts(overhead.podFixed, spec?.overhead))
        throw forbidden(change, request, MISMATCH);
    } else if (spec?.overhead !== undefined) throw forbidden(change, request, UNDEFINED_OVERHEAD);
  }

  #classOf(
    change: Readonly<AdmittedChange>,
    request: AdmissionRequest,
  ): Readonly<RuntimeClassObject> | undefined {
    const name = (change.object as Pod).spec?.runtimeClassName;
    if (name === undefined) return undefined;
    const found = this.#classes.get(name);
    if (found !== undefined) return found;
    const why = `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`;
    throw forbidden(change, request, why);
  }
}

function schedule(
  spec: PodSpec,
  { nodeSelector = {}, tolerations = [] }: NonNullable<RuntimeClassObject["scheduling"]>,
  refuse: (why: string) => Error,
): void {
  for (const [key, value] of Object.entries(nodeSelector)) {
    const given = ownKey(spec.nodeSelector, key);
    if (given === undefined || given === value) continue;
    throw refuse(
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`,
    );
  }
  const merged = { ...spec.nodeSelector, ...nodeSelector };
  if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
  const tolerated = mergeTolerations(spec.tolerations ?? [], tolerations);
  if (tolerated.length > 0) spec.tolerations = tolerated;
}
