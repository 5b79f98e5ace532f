import { ApiError, FieldError, FieldPath } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload } from "../answers/object-payload.ts";
import type { Query } from "../http/query.ts";
import { apply } from "./apply.ts";
import { takeNamespace } from "./create.ts";
import { finishDraft } from "./decode-draft.ts";
import { currentIn, isLargeWrite, manageFields, runSteps } from "./manage-fields.ts";
import { isApply, Patch } from "./patched-object.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";
import { takeName } from "./update.ts";
import { readWriteOptions, type WriteOptions } from "./write-options.ts";

export async function patch(request: ResourceRequest): Promise<Answer> {
  if (isApply(request.body)) return apply(request);
  const { served, repository, name } = request;
  const { change, options } = readPatch(request);
  const kind = {
    kind: served.definition.kind,
    apiVersion: served.apiVersion,
    codec: served.codec,
  };
  const outcome = await repository.update(name, scopeOf(request, options), async (old) => {
    if (old === undefined) throw ApiError.notFound(served.stored.groupResource, name);
    const pauses = isLargeWrite(request, old);
    const steps = change.applyInSteps(currentIn(served, old), kind, pauses);
    const draft = finishDraft(await runSteps(steps, request, old), served);
    await manageFields(request, { draft, old }, options.fieldManager);
    takeNamespace(draft, request);
    takeName(draft, name);
    return draft;
  });
  return { status: 200, payload: statePayload(outcome, served) };
}

/** The patch of a request and what goes with it; refused where the parameters are. */
export function readPatch({ body, query, warnings }: ResourceRequest): {
  change: Patch;
  options: WriteOptions;
} {
  const type = Patch.typeOf(body);
  const options = readWriteOptions(query, "PatchOptions", checkForce(query));
  const { fieldValidation } = options;
  return { change: new Patch(body, { type, fieldValidation, warnings }), options };
}

function checkForce(query: Query): FieldError[] {
  if (query.flag("force") === undefined) return [];
  return [FieldError.forbidden(FieldPath.of("force"), "may not be specified for non-apply patch")];
}
