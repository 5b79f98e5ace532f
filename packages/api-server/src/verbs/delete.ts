import { successStatus } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload, valuePayload } from "../answers/object-payload.ts";
import { deleteObject } from "../registry/delete-object.ts";
import { answersDeletedObject } from "../resources/strategies.ts";
import { readDeleteOptions } from "./delete-options.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";

export async function deleteOne(request: ResourceRequest): Promise<Answer> {
  const { repository, name, served } = request;
  const options = await readDeleteOptions(request);
  request.warnings.push(...(repository.kind.strategy.warningsOnDelete?.(options) ?? []));
  const scope = scopeOf(request, options);
  const outcome = await deleteObject(repository, { name, options }, scope);
  const { groupResource } = repository.kind;
  // Clients that asked for a cascade are told that it is not over yet.
  const status = !outcome.gone && options.orphanDependents === false ? 202 : 200;
  if (outcome.gone && !answersDeletedObject(groupResource)) {
    const { group, resource } = groupResource;
    const details = { name, group, kind: resource, uid: outcome.uid };
    return { status, payload: valuePayload(successStatus(details)) };
  }
  return { status, payload: statePayload(outcome, served) };
}
