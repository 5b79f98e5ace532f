import { ApiError, type KubernetesObject } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload } from "../answers/object-payload.ts";
import { dropDuplicateOwners } from "../registry/owner-references.ts";
import { metadataOf } from "../registry/system-metadata.ts";
import { takeNamespace } from "./create.ts";
import { checkCreationRight } from "./creation-right.ts";
import { decodeDraft } from "./decode-draft.ts";
import { manageFields } from "./manage-fields.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";
import { readWriteOptions } from "./write-options.ts";

export async function update(request: ResourceRequest): Promise<Answer> {
  const { query, body, served, repository, name } = request;
  const options = readWriteOptions(query, "UpdateOptions");
  const draft = await decodeDraft(body, served, options.fieldValidation);
  request.warnings.push(...draft.warnings);
  takeNamespace(draft.object, request);
  takeName(draft.object, name);
  // A strategy changes what it is given, so another try decodes the body again.
  let first: KubernetesObject | undefined = draft.object;
  const scope = {
    ...scopeOf(request, options),
    uidPrecondition: true,
    mayCreate: () => checkCreationRight(request),
  };
  const outcome = await repository.update(name, scope, async (old) => {
    const object = first ?? (await decodeDraft(body, served, options.fieldValidation)).object;
    dropDuplicateOwners(object, request.warnings);
    first = undefined;
    takeNamespace(object, request);
    const change = { draft: object, ...(old && { old }) };
    const managing = manageFields(request, change, options.fieldManager);
    if (managing !== undefined) await managing;
    return object;
  });
  return { status: outcome.created ? 201 : 200, payload: statePayload(outcome, served) };
}

/** A whole object carries its name, which has to be that of the URL. */
export function takeName(object: KubernetesObject, name: string): void {
  const metadata = metadataOf(object);
  if (!metadata.name) {
    throw ApiError.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== name) {
    throw ApiError.badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
}
