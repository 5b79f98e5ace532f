import {
  ApiError,
  FieldError,
  FieldPath,
  type JsonObject,
  type KubernetesObject,
} from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload } from "../answers/object-payload.ts";
import { convert } from "../conversion/convert.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { takeNamespace } from "./create.ts";
import { finishDraft } from "./decode-draft.ts";
import { Patch } from "./patched-object.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";
import { takeName } from "./update.ts";
import { readWriteOptions, type WriteOptions } from "./write-options.ts";

export async function patch(request: ResourceRequest): Promise<Answer> {
  const { served, repository, name } = request;
  const { change, options } = readPatch(request);
  const kind = {
    kind: served.definition.kind,
    apiVersion: served.apiVersion,
    codec: served.codec,
  };
  const outcome = await repository.update(name, scopeOf(request, options.dryRun), (old) => {
    if (old === undefined) throw ApiError.notFound(served.stored.groupResource, name);
    const draft = finishDraft(change.applyTo(currentIn(served, old), kind), served);
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
  const options = readWriteOptions(query, "PatchOptions");
  if (query.flag("force") !== undefined) {
    const error = FieldError.forbidden(
      FieldPath.of("force"),
      "may not be specified for non-apply patch",
    );
    throw ApiError.invalid({ group: "meta.k8s.io", kind: "PatchOptions" }, "", [error]);
  }
  const { fieldValidation } = options;
  return { change: new Patch(body, { type, fieldValidation, warnings }), options };
}

/** The stored object as the served version prints it: what a patch is written against. */
function currentIn(served: ServedResource, old: Readonly<KubernetesObject>): JsonObject {
  if (served.isStorageVersion) return old as unknown as JsonObject;
  const converted = convert(structuredClone(old), served.apiVersion);
  return served.codec.print(converted as unknown as JsonObject);
}
