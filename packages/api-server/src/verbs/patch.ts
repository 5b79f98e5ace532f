import {
  ApiError,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  FieldError,
  FieldPath,
  JsonError,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  PatchError,
  patchSchemaOf,
} from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload } from "../answers/object-payload.ts";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import { printObject } from "../codec/print-object.ts";
import { readObject } from "../codec/read-object.ts";
import { strictDecodingErrors } from "../codec/strict-errors.ts";
import { convert } from "../conversion/convert.ts";
import { metadataOf } from "../registry/system-metadata.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { finishDraft } from "./decode-draft.ts";
import type { DecodedBody, RequestBody } from "./request-body.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";
import { readWriteOptions } from "./write-options.ts";

export const JSON_PATCH = "application/json-patch+json";
export const MERGE_PATCH = "application/merge-patch+json";
export const STRATEGIC_PATCH = "application/strategic-merge-patch+json";

export async function patch(request: ResourceRequest): Promise<Answer> {
  const { query, body, served, repository, name } = request;
  const type = patchTypeOf(body);
  const options = readWriteOptions(query, "PatchOptions");
  if (query.flag("force") !== undefined) {
    const error = FieldError.forbidden(FieldPath.of("force"), "may not be specified for non-apply patch");
    throw ApiError.invalid({ group: "meta.k8s.io", kind: "PatchOptions" }, "", [error]);
  }
  const decoded = decodePatch(body);
  let problems: readonly string[] = [];
  const outcome = await repository.update(name, scopeOf(request, options.dryRun), (old) => {
    if (old === undefined) throw ApiError.notFound(served.stored.groupResource, name);
    const current = currentIn(served, old);
    const patched = applyPatch({
      type,
      current,
      patch: decoded.value,
      schema: served.definition.schema,
    });
    const read = readPatched(patched, served);
    problems = strictDecodingErrors({
      unknownFields: read.unknownFields,
      duplicates: decoded.duplicates,
    });
    if (problems.length > 0 && options.fieldValidation === "Strict") {
      throw strictRefusal(type === STRATEGIC_PATCH ? decoded.value : patched, problems);
    }
    checkIdentity(read.object, { served, name, namespace: request.namespace });
    return finishDraft(read.object, served);
  });
  return {
    status: 200,
    warnings: [...(options.fieldValidation === "Warn" ? problems : []), ...outcome.warnings],
    payload: statePayload(outcome, served),
  };
}

export function patchTypeOf(body: RequestBody): string {
  const { mediaType } = body;
  if (mediaType === JSON_PATCH || mediaType === MERGE_PATCH || mediaType === STRATEGIC_PATCH) return mediaType;
  throw new ApiError({
    reason: "UnsupportedMediaType",
    message: "415: Unsupported Media Type",
    details: {},
  });
}

export function decodePatch(body: RequestBody): DecodedBody {
  try {
    return body.decodeJson();
  } catch (error) {
    if (error instanceof JsonError) throw ApiError.badRequest(error.reason);
    throw error;
  }
}

/** The stored object as the served version prints it: what a patch is written against. */
export function currentIn(served: ServedResource, old: Readonly<KubernetesObject>): JsonObject {
  if (served.isStorageVersion) return old as unknown as JsonObject;
  const converted = convert(structuredClone(old), served.apiVersion);
  return printObject(served.schema, converted as unknown as JsonObject);
}

interface PatchInput {
  readonly type: string;
  readonly current: JsonObject;
  readonly patch: JsonValue;
  /** Name of the schema, for strategic merge. */
  readonly schema: string;
}

export function applyPatch({ type, current, patch: given, schema }: PatchInput): JsonValue {
  try {
    switch (type) {
      case JSON_PATCH:
        return applyJsonPatch(current, given);
      case MERGE_PATCH:
        if (typeof given !== "object" || given === null || Array.isArray(given)) {
          throw ApiError.badRequest(
            `error decoding patch: json: cannot unmarshal ${Array.isArray(given) ? "array" : typeof given} into Go value of type map[string]interface {}`,
          );
        }
        return applyMergePatch(current, given);
      default:
        return applyStrategicMergePatch(current, given, {
          schema: patchSchemaOf(schema),
        });
    }
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw patchRefusal(error);
  }
}

function patchRefusal(error: PatchError): ApiError {
  switch (error.httpStatus) {
    case 400:
      return ApiError.badRequest(error.message);
    case 413:
      return ApiError.requestEntityTooLarge(error.message);
    case 422:
      return new ApiError({
        reason: "Invalid",
        message: `the server rejected our request due to an error in our request`,
        details: { causes: [{ reason: "UnexpectedServerResponse", message: error.message }] },
      });
    default:
      return new ApiError({ message: error.message, httpStatus: 500 });
  }
}

function readPatched(patched: JsonValue, served: ServedResource): ReturnType<typeof readObject> {
  try {
    return readObject(served.schema, patched);
  } catch (error) {
    if (!(error instanceof ObjectDecodeError)) throw error;
    throw ApiError.badRequest(error.message);
  }
}

function strictRefusal(shown: JsonValue, problems: readonly string[]): ApiError {
  const text = `strict decoding error: ${problems.join(", ")}`;
  return ApiError.invalid({ group: "", kind: "" }, "", [
    FieldError.invalid(FieldPath.of("patch"), shown, text),
  ]);
}

/** A patch cannot rename or move an object, or make another kind of it. */
function checkIdentity(
  object: JsonObject,
  { served, name, namespace }: { served: ServedResource; name: string; namespace: string },
): void {
  const { kind } = served.definition;
  if (object["kind"] !== kind || object["apiVersion"] !== served.apiVersion) {
    const got = `${String(object["apiVersion"])}, Kind=${String(object["kind"])}`;
    throw ApiError.badRequest(`the object provided is unrecognized (must be of type ${kind}): got ${got}`);
  }
  const metadata = metadataOf(object as KubernetesObject);
  if (metadata.name !== name) {
    throw ApiError.badRequest(
      `the name of the object (${metadata.name ?? ""}) does not match the name on the URL (${name})`,
    );
  }
  if (served.stored.namespaced && metadata.namespace !== namespace) {
    throw ApiError.badRequest(
      `the namespace of the object (${metadata.namespace ?? ""}) does not match the namespace on the URL (${namespace})`,
    );
  }
}
