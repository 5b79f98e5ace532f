import { finishNow, inSlices, type WorkSteps } from "@homeostat/cel";
import type { JsonObject, KubernetesObject } from "@homeostat/object-model";
import { convert } from "../conversion/convert.ts";
import type { FieldManager } from "../managed-fields/field-manager.ts";
import { managerName } from "../managed-fields/manager-name.ts";
import { RemoteConversions } from "../managed-fields/remote-conversions.ts";
import { convertingFieldManager, fieldManagerOf } from "../managed-fields/served-field-manager.ts";
import type { Writer } from "../managed-fields/writer.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { isLargeObject, markLarge } from "../registry/stored-object.ts";
import { metadataOf } from "../registry/system-metadata.ts";
import type { ResourceRequest } from "./resource-request.ts";

interface ManagedChange {
  readonly draft: KubernetesObject;
  readonly old?: Readonly<KubernetesObject>;
}

/**
 * Sets who manages which fields of a draft, which is in the version that is kept; with turns for others
 * in between where it takes a while.
 */
export function manageFields(
  request: ResourceRequest,
  change: ManagedChange,
  fieldManager: string,
): void | Promise<void> {
  if (isLargeWrite(request, change.old)) markLarge(change.draft);
  return withFieldManager(request, (manager) => {
    const steps = manageInSteps(request, { ...change, manager, fieldManager });
    return runSteps(steps, request, change.old);
  });
}

/**
 * Decides with the field manager of what a request writes; more than once where a webhook has to convert
 * first, so deciding must change nothing before it is done.
 */
export function withFieldManager<T>(
  { served, subresource, plane: { table } }: ResourceRequest,
  decide: (manager: FieldManager) => T | Promise<T>,
): T | Promise<T> {
  const convertRemotely = served.custom?.convertRemotely;
  const manager = fieldManagerOf(served, subresource, table);
  if (convertRemotely === undefined) return decide(manager);
  const conversions = new RemoteConversions(convertRemotely);
  const own = { subresource, table, convert: conversions.get };
  return conversions.settle((hasAny) =>
    decide(hasAny ? convertingFieldManager(served, own) : manager),
  );
}

/** Whether what comes in, or what it is written over, is worth breathing. */
export function isLargeWrite(
  { body }: ResourceRequest,
  old: Readonly<KubernetesObject> | undefined,
): boolean {
  return body.isLarge || isLargeObject(old);
}

/** In slices where the write is large. */
export function runSteps<T>(
  steps: WorkSteps<T>,
  request: ResourceRequest,
  old: Readonly<KubernetesObject> | undefined,
): T | Promise<T> {
  return isLargeWrite(request, old)
    ? inSlices(steps, () => request.body.breathe())
    : finishNow(steps);
}

function* manageInSteps(
  request: ResourceRequest,
  {
    draft,
    old,
    manager,
    fieldManager,
  }: ManagedChange & { readonly manager: FieldManager; readonly fieldManager: string },
): WorkSteps<void> {
  const { served } = request;
  const live = old === undefined ? manager.empty() : currentIn(served, old);
  const pauses = isLargeWrite(request, old);
  const writer = { ...writerOf(request, fieldManager), pauses };
  if (served.isStorageVersion) return yield* manager.updateInSteps(live, draft, writer);
  if (pauses) yield;
  const versioned = convert(structuredClone(draft), served.apiVersion);
  yield* manager.updateInSteps(live, versioned, writer);
  const { managedFields } = metadataOf(versioned);
  if (managedFields === undefined) delete metadataOf(draft).managedFields;
  else metadataOf(draft).managedFields = managedFields;
}

export function writerOf({ userAgent, plane }: ResourceRequest, fieldManager: string): Writer {
  return { manager: managerName(fieldManager, userAgent), now: plane.clock.now() };
}

/** The stored object as the served version prints it: what a patch is written against. */
export function currentIn(served: ServedResource, old: Readonly<KubernetesObject>): JsonObject {
  if (served.isStorageVersion) return old as unknown as JsonObject;
  const converted = convert(structuredClone(old), served.apiVersion);
  return served.codec.print(converted as unknown as JsonObject);
}
