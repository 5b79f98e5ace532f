/**
 * What every Kubernetes object has, whatever its kind. The shapes of the metadata come from the
 * generated types, so that they are written once; the kinds themselves are in `generated/`.
 *
 * Objects are data: what `JSON.parse` gives, often frozen and shared. Labels and annotations are
 * keyed by users, so `constructor` and `__proto__` are ordinary keys: read them through the
 * functions here or through `ownKey`, never by property access.
 */

import type { ListMeta, ObjectMeta } from "./generated/meta-v1.ts";
import { ownKey } from "./json/own-key.ts";

export interface TypeMeta {
  apiVersion?: string;
  kind?: string;
}

/** Any object: enough to name, select and own it. */
export interface KubernetesObject extends TypeMeta {
  metadata?: ObjectMeta;
}

/** What a list request answers: the items and the resource version they were read at. */
export interface KubernetesList<Item> extends TypeMeta {
  metadata?: ListMeta;
  items: Item[];
}

export function labelOf(object: KubernetesObject, key: string): string | undefined {
  return ownKey(object.metadata?.labels, key);
}

export function annotationOf(object: KubernetesObject, key: string): string | undefined {
  return ownKey(object.metadata?.annotations, key);
}

/** Whether deletion was asked for; the object stays until its last finalizer is gone. */
export function isBeingDeleted(object: KubernetesObject): boolean {
  return object.metadata?.deletionTimestamp != null;
}
