/**
 * What a DELETE does to an object, decided without I/O. Finalizers and grace periods keep an object;
 * propagation policies are finalizers for the garbage collector; only an object that nothing keeps
 * is removed at once.
 */
import type { KubernetesObject, ObjectMeta } from "@homeostat/object-model";
import { instantToMilliseconds, parseTime, timeOfMilliseconds } from "@homeostat/object-model";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import { countOf } from "./int64.ts";
import type { Strategy } from "./strategy.ts";

export type DeletionPlan =
  /** Remove it now. */
  | { readonly step: "remove" }
  /** Write this, and the object stays. */
  | { readonly step: "mark"; readonly object: KubernetesObject }
  /** Write this, then remove it: the holder's time is over, and watchers see that it was. */
  | { readonly step: "mark-then-remove"; readonly object: KubernetesObject }
  /** It is already being deleted, and this request changes nothing. */
  | { readonly step: "wait" };

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

interface DeletionRequest {
  readonly options: DeleteOptions;
  readonly strategy: Strategy;
  readonly now: number;
}

/** `object` is a copy that may be changed. */
export function planDeletion(object: KubernetesObject, request: DeletionRequest): DeletionPlan {
  const { options, strategy, now } = request;
  object.metadata ??= {};
  const { metadata } = object;
  if (strategy.mustStay !== undefined) {
    // What holds others only begins to go when it is deleted, and stays while it holds something.
    if (metadata.deletionTimestamp && strategy.mustStay(object)) return { step: "wait" };
    if (!metadata.deletionTimestamp) {
      if (strategy.ignoresPropagation !== true) {
        setFinalizers(metadata, finalizersAfter(metadata, options, strategy));
      }
      metadata.deletionTimestamp = timeOfMilliseconds(now);
      return { step: "mark", object };
    }
  }
  const grace = planGrace(object, request);
  if (grace === "pending") return { step: "wait" };
  const finalizers = finalizersAfter(metadata, options, strategy);
  setFinalizers(metadata, finalizers);
  const kept = finalizers.length > 0;
  if (grace === "none") {
    if (!kept) return { step: "remove" };
    markAsDeleting(metadata, now);
    return { step: "mark", object };
  }
  if (kept || grace > 0) return { step: "mark", object };
  return { step: "mark-then-remove", object };
}

function setFinalizers(metadata: ObjectMeta, finalizers: string[]): void {
  if (finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = finalizers;
}

/** The seconds given to the holder, written into the metadata; "pending" when nothing changes. */
function planGrace(
  object: KubernetesObject,
  { options, strategy, now }: DeletionRequest,
): "none" | "pending" | number {
  const metadata = object.metadata!;
  if (strategy.deletionGrace === undefined) return "none";
  const { gracePeriodSeconds: given } = options;
  // Less than no time is taken for a second.
  const wanted = given === undefined ? undefined : countOf(given) < 0 ? 1 : countOf(given);
  if (metadata.deletionTimestamp) {
    const old = countOf(metadata.deletionGracePeriodSeconds);
    // Nobody is waited for: the object is still there because of finalizers, or a removal failed.
    if (old === 0) return "none";
    if (wanted === undefined || wanted >= old) return "pending";
    const due = instantToMilliseconds(parseTime(metadata.deletionTimestamp));
    const sooner = due + (wanted - old) * 1000;
    metadata.deletionTimestamp = timeOfMilliseconds(Math.max(sooner, now));
    // Some grace that is over already is the least there is: the holder still has to let go.
    const period = sooner < now && wanted > 0 ? 1 : wanted;
    metadata.deletionGracePeriodSeconds = period;
    return period;
  }
  const period = strategy.deletionGrace(object, wanted);
  if (period === undefined) return "none";
  metadata.deletionTimestamp = timeOfMilliseconds(now + period * 1000);
  metadata.deletionGracePeriodSeconds = period;
  countDeletion(metadata);
  return period;
}

function markAsDeleting(metadata: ObjectMeta, now: number): void {
  if (!metadata.deletionTimestamp) countDeletion(metadata);
  const due = metadata.deletionTimestamp
    ? instantToMilliseconds(parseTime(metadata.deletionTimestamp))
    : Infinity;
  if (due > now) metadata.deletionTimestamp = timeOfMilliseconds(now);
  metadata.deletionGracePeriodSeconds = 0;
}

/** The beginning of a deletion is a change of what is wanted. */
function countDeletion(metadata: ObjectMeta): void {
  const generation = countOf(metadata.generation);
  if (generation > 0) metadata.generation = generation + 1;
}

/** An explicit policy replaces both finalizers, else one that is there decides, else the default. */
function finalizersAfter(
  metadata: Readonly<ObjectMeta>,
  options: DeleteOptions,
  strategy: Strategy,
): string[] {
  const old = metadata.finalizers ?? [];
  const policy = policyOf(old, options, strategy);
  const others = old.filter((each) => each !== ORPHAN && each !== FOREGROUND);
  if (policy === "Orphan") others.push(ORPHAN);
  if (policy === "Foreground") others.push(FOREGROUND);
  const same = others.length === old.length && others.every((each) => old.includes(each));
  return same ? old : others;
}

function policyOf(
  finalizers: readonly string[],
  options: DeleteOptions,
  strategy: Strategy,
): string {
  if (options.orphanDependents !== undefined) {
    return options.orphanDependents ? "Orphan" : "Background";
  }
  if (options.propagationPolicy) return options.propagationPolicy;
  if (finalizers.includes(ORPHAN)) return "Orphan";
  if (finalizers.includes(FOREGROUND)) return "Foreground";
  return strategy.deletePropagation ?? "Background";
}

/** Whether an update of a terminating object was the last thing it waited for. */
export function isReleased(
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject>,
  strategy: Strategy,
): boolean {
  if ((object.metadata?.finalizers ?? []).length > 0) return false;
  if (strategy.mustStay !== undefined) {
    return old.metadata?.deletionTimestamp !== undefined && !strategy.mustStay(object);
  }
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = old.metadata ?? {};
  return deletionTimestamp !== undefined && (grace === undefined || countOf(grace) === 0);
}
