/**
 * Subresources that are not the object itself: Scale, Binding and Eviction, and the reviews that are
 * answered without storage. Each file holds pure decisions (objects in; what to write and what to
 * answer out) and a thin class that carries them out on this interface, one per resource.
 *
 * Refusals are thrown as ApiErrors with kube-apiserver's texts.
 */
import type { KubernetesObject } from "@homeostat/object-model";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";

export interface ObjectStore {
  /** Frozen, with its resource version. Throws NotFound. */
  get(name: string, namespace: string | undefined): KubernetesObject;

  list(namespace: string | undefined): Iterable<KubernetesObject>;

  /**
   * Reads, changes and writes, again from the start if somebody else wrote meanwhile. `change` gets
   * a mutable copy and returns it, or throws an ApiError. A uid or resource version in what it
   * returns that is not the current one is a failed precondition: Conflict.
   */
  update(
    place: ObjectPlace,
    change: (current: KubernetesObject) => KubernetesObject | Promise<KubernetesObject>,
    options: UpdateOptions,
  ): Promise<KubernetesObject>;

  delete(
    name: string,
    namespace: string | undefined,
    options: DeleteOptions,
  ): Promise<KubernetesObject>;
}

export interface ObjectPlace {
  readonly name: string;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
}

export interface UpdateOptions {
  /**
   * "status" and "scale" write as those subresources do. "binding" is stored as it comes: the
   * kind's strategy would refuse it.
   */
  readonly subresource: "status" | "scale" | "binding";
  readonly dryRun: boolean;
}
