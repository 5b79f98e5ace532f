import type { ApiError } from "@homeostat/object-model";
import type { Pod } from "@homeostat/object-model/core-v1";
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import type { KnownObjects } from "./known-objects.ts";
import { forbidden } from "./refusal.ts";

interface PodPriority {
  readonly className: string;
  readonly value: number;
  readonly preemptionPolicy: string | undefined;
}

const WITHOUT_CLASS: PodPriority = {
  className: "",
  value: 0,
  preemptionPolicy: "PreemptLowerPriority",
};

/** Pods get the priority of the class they name, or of the default one; there is one default at most. */
export class Priority implements AdmissionPlugin {
  readonly name = "Priority";
  readonly resources: readonly string[] = ["pods", "priorityclasses.scheduling.k8s.io"];
  readonly #classes: KnownObjects<PriorityClass>;

  constructor(classes: KnownObjects<PriorityClass>) {
    this.#classes = classes;
  }

  mutate(change: AdmittedChange, request: AdmissionRequest): void {
    if (request.subresource !== "" || request.served.definition.plural !== "pods") return;
    const { operation, object, old } = change;
    if (operation === "UPDATE") keepPriority(object as Pod, old as Pod);
    if (operation === "CREATE") this.#setPriority(object as Pod, { change, request });
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    const { operation, object } = change;
    if (request.subresource !== "" || request.served.definition.plural === "pods") return;
    if (operation !== "CREATE" && operation !== "UPDATE") return;
    const { globalDefault, metadata } = object as PriorityClass;
    if (globalDefault !== true) return;
    const present = this.#default()?.metadata?.name;
    if (present === undefined || (operation === "UPDATE" && present === metadata?.name)) return;
    const why = `PriorityClass ${present} is already marked as default. Only one default can exist`;
    throw forbidden(change, request, why);
  }

  #setPriority(
    pod: Pod,
    { change, request }: { change: AdmittedChange; request: AdmissionRequest },
  ): void {
    const spec = (pod.spec ??= { containers: [] });
    const { className, value, preemptionPolicy } = this.#priorityOf(spec.priorityClassName ?? "", {
      refuse: (why) => forbidden(change, request, why),
    });
    if (className !== "") spec.priorityClassName = className;
    if (spec.priority !== undefined && spec.priority !== value) {
      const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
      throw forbidden(change, request, why);
    }
    spec.priority = value;
    if (preemptionPolicy === undefined) return;
    const given = spec.preemptionPolicy;
    if (given !== undefined && given !== preemptionPolicy) {
      const why = `the string value of PreemptionPolicy (${given}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
      throw forbidden(change, request, why);
    }
    spec.preemptionPolicy = preemptionPolicy;
  }

  #priorityOf(wanted: string, { refuse }: { refuse: (why: string) => ApiError }): PodPriority {
    const found = wanted === "" ? this.#default() : this.#classes.get(wanted);
    if (found !== undefined) {
      const { metadata, value = 0, preemptionPolicy } = found;
      return { className: metadata?.name ?? "", value, preemptionPolicy };
    }
    if (wanted === "") return WITHOUT_CLASS;
    throw refuse(`no PriorityClass with name ${wanted} was found`);
  }

  /** Several can only come from a race; then the least counts. */
  #default(): Readonly<PriorityClass> | undefined {
    let found: Readonly<PriorityClass> | undefined;
    for (const each of this.#classes.list()) {
      if (each.globalDefault !== true) continue;
      if (found === undefined || (found.value ?? 0) > (each.value ?? 0)) found = each;
    }
    return found;
  }
}

/** What was set when the pod was created stays, where an update leaves it out. */
function keepPriority({ spec }: Pod, old: Readonly<Pod>): void {
  if (spec === undefined || old.spec === undefined) return;
  const { priority, preemptionPolicy } = old.spec;
  if (priority !== undefined) spec.priority ??= priority;
  if (preemptionPolicy !== undefined) spec.preemptionPolicy ??= preemptionPolicy;
}
