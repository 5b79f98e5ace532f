/**
 * The key of an object within its resource type: namespace and name, or the name alone for
 * cluster-scoped objects. It is what queues, caches and logs hold; its text is `namespace/name`.
 */

import { goQuote } from "./json/go-quote.ts";
import type { KubernetesObject } from "./object.ts";

export interface ObjectKey {
  /** Absent for cluster-scoped objects; never "". */
  readonly namespace?: string;
  readonly name: string;
}

export class ObjectKeyError extends Error {
  override readonly name: string = "ObjectKeyError";
  readonly code = "object-key-malformed";
}

export function objectKeyOf(object: KubernetesObject): ObjectKey {
  const { name, namespace } = object.metadata ?? {};
  if (!name) {
    const kind = object.kind ?? "object";
    throw new ObjectKeyError(`expected metadata.name to be set, got a ${kind} without a name`);
  }
  return objectKey(name, namespace);
}

/** A key from its parts; an empty namespace means cluster-scoped. */
export function objectKey(name: string, namespace?: string): ObjectKey {
  return namespace ? { namespace, name } : { name };
}

export function printObjectKey({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

export function parseObjectKey(text: string): ObjectKey {
  const [first = "", second, ...more] = text.split("/", 3);
  if (first === "" || second === "" || more.length > 0) {
    throw new ObjectKeyError(
      `unexpected key format: ${goQuote(text)}, expected "namespace/name" or "name"`,
    );
  }
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

export function sameObjectKey(a: ObjectKey, b: ObjectKey): boolean {
  return a.name === b.name && (a.namespace ?? "") === (b.namespace ?? "");
}

/**
 * The order in which an API server lists: that of the key texts. Note that `a-b/x` comes before
 * `a/x`, because `-` sorts before `/`.
 */
export function compareObjectKeys(a: ObjectKey, b: ObjectKey): number {
  const left = printObjectKey(a);
  const right = printObjectKey(b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
