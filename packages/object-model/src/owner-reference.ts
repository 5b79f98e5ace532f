/**
 * Owner references: what is deleted when its owners are gone, and which one of them is in charge.
 * An object has any number of owners and at most one controller. Identity is the uid (a new object
 * of the same name is another owner); a reference is replaced by group, kind and name, so that it
 * follows an owner that was made again, as in controller-runtime.
 *
 * Nothing is mutated; the functions take and return the list in `metadata.ownerReferences`.
 */

import type { OwnerReference } from "./generated/meta-v1.ts";
import type { KubernetesObject } from "./object.ts";

export class OwnerReferenceError extends Error {
  override readonly name: string = "OwnerReferenceError";
  readonly code:
    | "owner-incomplete"
    | "owner-already-controlled"
    | "owner-in-other-namespace"
    | "owner-namespaced-of-cluster-scoped";

  constructor(code: OwnerReferenceError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface OwnerReferenceOptions {
  /** Whether the owner waits, when deleted in the foreground, until the object is gone. */
  readonly blockOwnerDeletion?: boolean;
}

/** A reference to one owner of several. */
export function ownerReferenceTo(
  owner: KubernetesObject,
  options: OwnerReferenceOptions = {},
): OwnerReference {
  const { apiVersion, kind } = owner;
  const { name, uid } = owner.metadata ?? {};
  if (!apiVersion || !kind || !name || !uid) {
    const parts = { apiVersion, kind, "metadata.name": name, "metadata.uid": uid };
    const missing = Object.entries(parts).filter(([, value]) => !value);
    throw new OwnerReferenceError(
      "owner-incomplete",
      `expected an owner with apiVersion, kind, metadata.name and metadata.uid, got one without ${missing.map(([part]) => part).join(", ")}`,
    );
  }
  return { apiVersion, kind, name, uid, ...options };
}

/** A reference to the owner in charge; it waits for the object unless told otherwise. */
export function controllerReferenceTo(
  owner: KubernetesObject,
  options: OwnerReferenceOptions = {},
): OwnerReference {
  const blockOwnerDeletion = options.blockOwnerDeletion ?? true;
  return { ...ownerReferenceTo(owner), controller: true, blockOwnerDeletion };
}

export function controllerOf(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find((reference) => reference.controller === true);
}

export function isOwnedBy(object: KubernetesObject, ownerUid: string): boolean {
  return object.metadata?.ownerReferences?.some(({ uid }) => uid === ownerUid) ?? false;
}

export function isControlledBy(object: KubernetesObject, ownerUid: string): boolean {
  return controllerOf(object)?.uid === ownerUid;
}

/** The list with the reference in it: in the place of one to the same owner, or at the end. */
export function withOwnerReference(
  references: readonly OwnerReference[] | undefined,
  reference: OwnerReference,
): OwnerReference[] {
  const before = references ?? [];
  const index = before.findIndex((existing) => referToSame(existing, reference));
  return index === -1 ? [...before, reference] : before.with(index, reference);
}

export function withoutOwnerReference(
  references: readonly OwnerReference[] | undefined,
  ownerUid: string,
): OwnerReference[] {
  return (references ?? []).filter(({ uid }) => uid !== ownerUid);
}

/**
 * The owner references that make `owner` the controller of `object`. Throws
 * {@link OwnerReferenceError} where another controller is in charge, or where the garbage collector
 * could not see the owner: an owner in a namespace owns only within it.
 */
export function setController(
  object: KubernetesObject,
  owner: KubernetesObject,
  options: OwnerReferenceOptions = {},
): OwnerReference[] {
  checkNamespaces(object, owner);
  const reference = controllerReferenceTo(owner, options);
  const existing = controllerOf(object);
  if (existing !== undefined && !referToSame(existing, reference)) {
    const { namespace = "", name = "" } = object.metadata ?? {};
    throw new OwnerReferenceError(
      "owner-already-controlled",
      `Object ${namespace}/${name} is already owned by another ${existing.kind} controller ${existing.name}`,
    );
  }
  return withOwnerReference(object.metadata?.ownerReferences, reference);
}

function checkNamespaces(object: KubernetesObject, owner: KubernetesObject): void {
  const ownerNamespace = owner.metadata?.namespace;
  const namespace = object.metadata?.namespace;
  if (!ownerNamespace || ownerNamespace === namespace) return;
  if (!namespace) {
    throw new OwnerReferenceError(
      "owner-namespaced-of-cluster-scoped",
      `cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`,
    );
  }
  throw new OwnerReferenceError(
    "owner-in-other-namespace",
    `cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`,
  );
}

function referToSame(a: OwnerReference, b: OwnerReference): boolean {
  return a.kind === b.kind && a.name === b.name && groupOf(a) === groupOf(b);
}

function groupOf({ apiVersion }: OwnerReference): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf("/")));
}
