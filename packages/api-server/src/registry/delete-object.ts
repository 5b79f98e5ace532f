import { ApiError, type GroupResource, type KubernetesObject } from "@homeostat/object-model";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import { decodeInTurns } from "./decode-large.ts";
import { planDeletion } from "./deletion-plan.ts";
import type { ObjectRepository } from "./object-repository.ts";
import type { StoredKind } from "./served-resource.ts";
import type { ObjectState, WriteScope } from "./write-scope.ts";

export interface DeletionOutcome extends ObjectState {
  /** Whether the object is gone; else it waits for finalizers, its grace period or its content. */
  readonly gone: boolean;
  readonly uid: string;
}

/** Deletes one object as far as the server does it: now, or by marking it. Tries again on races. */
export async function deleteObject(
  repository: ObjectRepository,
  target: { readonly name: string; readonly options: DeleteOptions },
  scope: WriteScope,
): Promise<DeletionOutcome> {
  const { kind } = repository;
  const { name, options } = target;
  for (;;) {
    const asked = repository.get(scope.namespace, name);
    const found = asked instanceof Promise ? await asked : asked;
    const { revision } = found;
    const context = repository.contextOf(scope, "delete");
    const kept = { value: Buffer.from(found.value), revision };
    const decoding = decodeInTurns(kept, context.breathe);
    const object = decoding instanceof Promise ? await decoding : decoding;
    const uid = object.metadata?.uid ?? "";
    checkPreconditions(repository, object, options);
    const before = { ...kept, uid };
    kind.strategy.prepareForDelete?.(object, context);
    const plan = planDeletion(object, { options, strategy: kind.strategy, now: context.now });
    if (plan.step === "wait") return { ...before, gone: false };
    // As it was: the plan is made with an object that may be changed on the way.
    const again = decodeInTurns(kept, context.breathe);
    const old = again instanceof Promise ? await again : again;
    if (scope.admission !== undefined) await repository.admitDeletion(old, scope);
    if (plan.step === "remove") {
      if (scope.dryRun) return { ...before, gone: true };
      const removed = await repository.remove(old, { revision, context });
      if (removed !== undefined) return { ...before, revision: removed, gone: true };
      continue;
    }
    const marked = await repository.rewrite(plan.object, { revision, context });
    if (marked === undefined) continue;
    if (plan.step === "mark") return { ...marked, uid, gone: false };
    if (scope.dryRun) return { ...marked, uid, gone: true };
    const remaining = decodeInTurns(marked, context.breathe);
    const last = remaining instanceof Promise ? await remaining : remaining;
    const removed = await repository.remove(last, { revision: marked.revision, context });
    if (removed !== undefined) return { ...marked, revision: removed, uid, gone: true };
  }
}

function checkPreconditions(
  { kind }: ObjectRepository,
  { metadata = {} }: KubernetesObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const name = metadata.name ?? "";
  if (uid !== undefined && uid !== metadata.uid) {
    throw ofItsOwn(kind)
      ? ApiError.conflict(kind.groupResource, name, failed("UID", uid, metadata.uid))
      : ApiError.conflict(
          namedByKind(kind),
          name,
          `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
        );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw ofItsOwn(kind)
      ? ApiError.conflict(
          kind.groupResource,
          name,
          failed("ResourceVersion", resourceVersion, metadata.resourceVersion),
        )
      : ApiError.conflict(
          namedByKind(kind),
          name,
          `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
        );
  }
}

/** Kinds whose deletion begins by code of their own in kube-apiserver, with words of its own. */
function ofItsOwn({ strategy, groupResource }: StoredKind): boolean {
  return strategy.mustStay !== undefined || groupResource.resource === "customresourcedefinitions";
}

function namedByKind({ groupKind }: StoredKind): GroupResource {
  return { group: groupKind.group, resource: groupKind.kind };
}

function failed(what: string, wanted: string, found: string | undefined): string {
  return `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
}
