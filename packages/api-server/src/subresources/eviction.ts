/**
 * Eviction: the deletion of a pod that asks its PodDisruptionBudget first. Pods that are finished,
 * not started or already going need no permission, and pods that are not ready need none as long as
 * the budget is met without them. Otherwise one of the budget's allowed disruptions is spent, and
 * the answer is 429 when there is none left. Before it goes, the pod is marked with DisruptionTarget.
 */
import {
  ApiError,
  FieldError,
  FieldPath,
  isConditionTrue,
  LabelSelector,
  SelectorError,
  type SuccessStatus,
  successStatus,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { Pod } from "@homeostat/object-model/core-v1";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import type { Eviction, PodDisruptionBudget } from "@homeostat/object-model/policy-v1";
import { spendDisruption, tooManyDisruptions } from "./disruption-budget.ts";
import type { ObjectStore } from "./object-store.ts";
import { setPodCondition } from "./pod-condition.ts";

const POD = { group: "", resource: "Pod" };
const MAX_TRIES = 20;

/**
 * What an eviction has to do. `guarded`: only while the pod is as it was read, since the decision
 * holds only for that.
 */
export type EvictionPlan =
  | { readonly action: "delete"; readonly guarded: boolean; readonly budget?: string }
  | { readonly action: "spend"; readonly budget: string };

/** Whether no budget has a say. */
function isFreeToGo(pod: Readonly<Pod>): boolean {
  return isOver(pod) || pod.status?.phase === "Pending";
}

function isOver({ metadata, status }: Readonly<Pod>): boolean {
  const phase = status?.phase;
  return phase === "Succeeded" || phase === "Failed" || metadata.deletionTimestamp != null;
}

export function planEviction(
  pod: Readonly<Pod>,
  budgets: Iterable<Readonly<PodDisruptionBudget>>,
): EvictionPlan {
  if (isFreeToGo(pod)) return { action: "delete", guarded: !isOver(pod) };
  const [budget, ...others] = [...budgets].filter((each) => guards(each, pod));
  if (others.length > 0) {
    const message =
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    throw new ApiError({ message, httpStatus: 500 });
  }
  if (budget === undefined) return { action: "delete", guarded: false };
  const name = budget.metadata?.name ?? "";
  if (!isConditionTrue(pod.status?.conditions, "Ready") && sparesUnready(budget)) {
    return { action: "delete", guarded: true, budget: name };
  }
  return { action: "spend", budget: name };
}

function guards(budget: Readonly<PodDisruptionBudget>, pod: Readonly<Pod>): boolean {
  if (budget.metadata?.namespace !== pod.metadata.namespace) return false;
  try {
    return LabelSelector.fromObject(budget.spec?.selector).matches(pod.metadata.labels ?? {});
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

function sparesUnready({ spec, status }: Readonly<PodDisruptionBudget>): boolean {
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** The delete options of an eviction whose request may say dry run as well. */
export function deleteOptionsOf(
  eviction: Readonly<Eviction>,
  requestDryRun: readonly string[],
): DeleteOptions {
  const { deleteOptions } = eviction;
  const inBody = deleteOptions?.dryRun ?? [];
  if (inBody.length > 0 && requestDryRun.length > 0 && inBody.join() !== requestDryRun.join()) {
    const message = `Non-matching dry-run options in request and content: [${requestDryRun.join(" ")}] and [${inBody.join(" ")}]`;
    throw new ApiError({ message, httpStatus: 500 });
  }
  const dryRun = inBody.length > 0 ? inBody : [...requestDryRun];
  return { ...deleteOptions, ...(dryRun.length > 0 && { dryRun }) };
}

function checkEviction(eviction: Readonly<Eviction>, name: string): void {
  if ((eviction.metadata?.name ?? "") !== name) {
    throw ApiError.badRequest("name in URL does not match name in Eviction object");
  }
  if (eviction.deleteOptions?.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const field = "ignoreStoreReadErrorWithClusterBreakingPotential";
    const detail = "can not be set for pod eviction, try after removing the option";
    const error = FieldError.invalid(FieldPath.of("deleteOptions", field), true, detail);
    throw ApiError.invalid({ group: "policy", kind: "Eviction" }, name, [error]);
  }
}

/** Says on the pod why it goes; refuses when it is not the pod that was meant. */
export function markEvicted(pod: Pod, options: Readonly<DeleteOptions>, now: number): Pod {
  const { name = "", uid, resourceVersion } = pod.metadata;
  const wanted = options.preconditions ?? {};
  if (wanted.uid && wanted.uid !== uid) {
    const why = `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw ApiError.conflict(POD, name, why);
  }
  if (wanted.resourceVersion && wanted.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw ApiError.conflict(POD, name, why);
  }
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  setPodCondition(pod, condition, timeOfMilliseconds(now));
  return pod;
}

export interface EvictionsOptions {
  readonly pods: ObjectStore;
  readonly budgets: ObjectStore;
  /** Wall time in milliseconds since 1970. */
  readonly now: () => number;
}

interface EvictionPlace {
  readonly name: string;
  readonly namespace: string;
  /** The request's own `dryRun` parameters. */
  readonly dryRun: readonly string[];
}

/** `pods/{name}/eviction`. */
export class Evictions {
  readonly #pods: ObjectStore;
  readonly #budgets: ObjectStore;
  readonly #now: () => number;

  constructor({ pods, budgets, now }: EvictionsOptions) {
    this.#pods = pods;
    this.#budgets = budgets;
    this.#now = now;
  }

  async create(eviction: Readonly<Eviction>, place: EvictionPlace): Promise<SuccessStatus> {
    checkEviction(eviction, place.name);
    const options = deleteOptionsOf(eviction, place.dryRun);
    for (let tries = 1; ; tries++) {
      const pod = this.#pods.get(place.name, place.namespace) as Pod;
      const plan = planEviction(pod, this.#budgetsIn(place.namespace));
      if (plan.action === "spend") await this.#spend(plan.budget, place, options);
      const guard =
        plan.action === "delete" && plan.guarded && !options.preconditions?.resourceVersion;
      try {
        await this.#remove(place, guard ? atVersion(options, pod) : options);
        return { ...successStatus(), code: 201 };
      } catch (error) {
        if (!guard || !ApiError.is(error, "Conflict")) throw error;
        if (plan.budget !== undefined) throw tooManyDisruptions(plan.budget);
        if (tries >= MAX_TRIES) throw error;
      }
    }
  }

  #budgetsIn(namespace: string): Iterable<PodDisruptionBudget> {
    return this.#budgets.list(namespace) as Iterable<PodDisruptionBudget>;
  }

  async #spend(
    budget: string,
    { name, namespace }: EvictionPlace,
    options: DeleteOptions,
  ): Promise<void> {
    await this.#budgets.update(
      { name: budget, namespace },
      (current) => spendDisruption(current as PodDisruptionBudget, name, this.#now()),
      { subresource: "status", dryRun: isDryRun(options) },
    );
  }

  async #remove({ name, namespace }: EvictionPlace, options: DeleteOptions): Promise<void> {
    let wanted = options;
    if (!isDryRun(options)) {
      const marked = await this.#pods.update(
        { name, namespace },
        (current) => markEvicted(current as Pod, options, this.#now()),
        { subresource: "status", dryRun: false },
      );
      if (options.preconditions?.resourceVersion) wanted = atVersion(options, marked as Pod);
    }
    await this.#pods.delete(name, namespace, wanted);
  }
}

function isDryRun({ dryRun = [] }: Readonly<DeleteOptions>): boolean {
  return dryRun.length > 0;
}

function atVersion(options: Readonly<DeleteOptions>, pod: Readonly<Pod>): DeleteOptions {
  const resourceVersion = pod.metadata.resourceVersion ?? "";
  return { ...options, preconditions: { ...options.preconditions, resourceVersion } };
}
