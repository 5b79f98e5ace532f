import { ApiError, type JsonObject, type KubernetesObject } from "@homeostat/object-model";
import type { Answer, ObjectPayload } from "../answers/answer.ts";
import { decodeServed, statePayload, valuePayload } from "../answers/object-payload.ts";
import { dropDuplicateOwners } from "../registry/owner-references.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { metadataOf } from "../registry/system-metadata.ts";
import type { ObjectState } from "../registry/write-scope.ts";
import { decodeDraft } from "./decode-draft.ts";
import { manageFields } from "./manage-fields.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";
import { readWriteOptions } from "./write-options.ts";

export async function create(request: ResourceRequest): Promise<Answer> {
  const { query, body, served, repository } = request;
  const options = readWriteOptions(query, "CreateOptions");
  const draft = await decodeDraft(body, served, options.fieldValidation);
  request.warnings.push(...draft.warnings);
  const received = receiveNew(request, draft.object, options.fieldManager);
  if (received !== undefined) await received;
  const { resourceVersion, name = "" } = metadataOf(draft.object);
  refuseWhileTerminating(served, name);
  const outcome = await repository.create(draft.object, scopeOf(request, options, name));
  if (options.dryRun && resourceVersion && outcome.revision === 0) {
    return { status: 201, payload: echoPayload(outcome, served, resourceVersion) };
  }
  return { status: 201, payload: statePayload(outcome, served) };
}

/** What is done to all that is posted, kept or not, before its kind sees it. */
export function receiveNew(
  request: ResourceRequest,
  object: KubernetesObject,
  fieldManager: string,
): void | Promise<void> {
  takeNamespace(object, request);
  forgetSystemFields(object);
  dropDuplicateOwners(object, request.warnings);
  return manageFields(request, { draft: object }, fieldManager);
}

/** What a dry run would have made, with the version that the client gave it, whatever that is. */
function echoPayload(
  outcome: ObjectState,
  served: ServedResource,
  resourceVersion: string,
): ObjectPayload {
  const object = decodeServed(outcome, served);
  const metadata = { ...metadataOf(object), resourceVersion };
  return valuePayload(served.codec.print({ ...object, metadata } as unknown as JsonObject));
}

/** Of a definition that is being deleted nothing new is taken. */
export function refuseWhileTerminating({ custom, stored }: ServedResource, name: string): void {
  if (custom?.terminating !== true) return;
  const why = "create not allowed while custom resource definition is terminating";
  throw ApiError.forbidden(stored.groupResource, name, why);
}

/** What a new object cannot have yet, whatever the client says. */
function forgetSystemFields(object: KubernetesObject): void {
  const metadata = metadataOf(object);
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  delete metadata.uid;
}

/** The namespace of the URL counts; a body that names another one is refused. */
export function takeNamespace(
  object: KubernetesObject,
  { served, namespace }: ResourceRequest,
): void {
  const metadata = metadataOf(object);
  if (!served.stored.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw ApiError.badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  metadata.namespace = namespace;
}
