import {
  ApiError,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  encodeJson,
  FieldError,
  FieldPath,
  JsonError,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  ownKey,
  PatchError,
  patchSchemaOf,
} from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload } from "../answers/object-payload.ts";
import { jsonTypeOf } from "../codec/json-type-of.ts";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import { printObject } from "../codec/print-object.ts";
import { readObject } from "../codec/read-object.ts";
import { sortRawValues } from "../codec/sort-raw-values.ts";
import { strictDecodingErrors } from "../codec/strict-errors.ts";
import { convert } from "../conversion/convert.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { goPrint, restoreProblem } from "./go-patch-text.ts";
import { takeNamespace } from "./create.ts";
import { type NamedKind, namedKind, namedKindProblem, NoKindError, unknownConversion } from "./body-kind.ts";
import { finishDraft } from "./decode-draft.ts";
import { jsonPatchOperations } from "./json-patch-operations.ts";
import type { DecodedBody, RequestBody } from "./request-body.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";
import { takeName } from "./update.ts";
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
  let decoded: DecodedBody | undefined;
  const outcome = await repository.update(name, scopeOf(request, options.dryRun), (old) => {
    if (old === undefined) throw ApiError.notFound(served.stored.groupResource, name);
    decoded ??= decodePatch(body, type);
    const current = currentIn(served, old);
    const patched = applyPatch({
      type,
      current,
      patch: decoded.value,
      schema: served.definition.schema,
    });
    const read = readPatched(patched, { served, type, given: decoded.value });
    const problems = problemsOf(type, decoded, read.unknownFields);
    if (problems.length > 0 && options.fieldValidation === "Strict") {
      const shown = type === STRATEGIC_PATCH ? goPrint(decoded.value) : encodeJson(patched);
      throw strictRefusal(shown, problems);
    }
    if (options.fieldValidation === "Warn") request.warnings.push(...problems);
    const draft = finishDraft(read.object, served);
    takeNamespace(draft, request);
    takeName(draft, name);
    return draft;
  });
  return { status: 200, payload: statePayload(outcome, served) };
}

export function patchTypeOf(body: RequestBody): string {
  const mediaType = body.mediaTypeAsGiven;
  if (mediaType === JSON_PATCH || mediaType === MERGE_PATCH || mediaType === STRATEGIC_PATCH) return mediaType;
  throw new ApiError({
    reason: "UnsupportedMediaType",
    message: "415: Unsupported Media Type",
    details: {},
  });
}

export function decodePatch(body: RequestBody, type: string): DecodedBody {
  try {
    return body.decodeJson();
  } catch (error) {
    if (error instanceof JsonError) {
      throw ApiError.badRequest(`${type === STRATEGIC_PATCH ? "" : "error decoding patch: "}${error.reason}`);
    }
    throw error;
  }
}

/** What strict validation refuses, in the patch itself and in what it makes. */
function problemsOf(
  type: string,
  { value, duplicates }: DecodedBody,
  unknownFields: readonly string[],
): readonly string[] {
  const inPatch = strictDecodingErrors({ unknownFields: [], duplicates });
  const inResult = strictDecodingErrors({ unknownFields, duplicates: [] });
  if (type !== JSON_PATCH) return [...inPatch, ...inResult];
  for (const [index, operation] of jsonPatchOperations(value).entries()) {
    for (const key of Object.keys(operation)) {
      if (!OPERATION_FIELDS.has(key)) inPatch.push(`unknown field "[${index}].${key}"`);
    }
  }
  return [...inPatch.map((problem) => `json patch ${problem}`), ...inResult];
}

const OPERATION_FIELDS = new Set(["op", "path", "from", "value"]);

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
        return applyJsonPatch(current, [...jsonPatchOperations(given)]);
      case MERGE_PATCH:
        if (given === null) throw ApiError.badRequest("Invalid JSON Patch");
        if (typeof given !== "object" || Array.isArray(given)) {
          throw ApiError.badRequest(
            `error decoding patch: json: cannot unmarshal ${jsonTypeOf(given)} into Go value of type map[string]interface {}`,
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
        message: "the server rejected our request due to an error in our request",
        details: {},
      });
    default:
      return new ApiError({ message: error.message, httpStatus: 500 });
  }
}

/** The patched object as its kind; what cannot be read is the patch's fault. */
function readPatched(
  patched: JsonValue,
  { served, type, given }: { served: ServedResource; type: string; given: JsonValue },
): ReturnType<typeof readObject> {
  if (type !== STRATEGIC_PATCH) {
    const problem = kindProblem(patched, served);
    if (problem !== undefined) throw invalidPatch(encodeJson(patched), problem);
    if (isVersionless(patched)) {
      const unknownFields = Object.keys(patched).filter((key) => key !== "kind");
      return { object: {}, unknownFields: unknownFields.toSorted() };
    }
  }
  try {
    const read = readObject(served.schema, patched);
    if (type === STRATEGIC_PATCH) sortRawValues(served.schema, read.object);
    // Strategic merge knows what it patches, whatever the patch says.
    read.object["kind"] = served.definition.kind;
    read.object["apiVersion"] = served.apiVersion;
    return read;
  } catch (error) {
    if (!(error instanceof ObjectDecodeError)) throw error;
    if (type === STRATEGIC_PATCH) throw invalidPatch(goPrint(given), restoreProblem(error.message, given));
    throw invalidPatch(encodeJson(patched), error.message);
  }
}

/** Why what a patch made is not of the kind that was patched. */
function kindProblem(patched: JsonValue, { definition, apiVersion }: ServedResource): string | undefined {
  const expected = { kind: definition.kind, apiVersion };
  let named: NamedKind | undefined;
  try {
    named = namedKind(patched);
  } catch (error) {
    if (error instanceof NoKindError) return error.message;
    throw error;
  }
  const made = { kind: named?.kind || expected.kind, apiVersion: named?.apiVersion || apiVersion };
  if (made.kind === expected.kind && made.apiVersion === apiVersion) return undefined;
  return namedKindProblem(patched, made) ?? unknownConversion(made, expected);
}

/** Taken for the form that kube-apiserver keeps in memory, whose fields have no names in JSON. */
function isVersionless(patched: JsonValue): patched is JsonObject {
  return patched !== null && (ownKey(patched as JsonObject, "apiVersion") ?? "") === "";
}

function strictRefusal(shown: string, problems: readonly string[]): ApiError {
  return invalidPatch(shown, `strict decoding error: ${problems.join(", ")}`);
}

export function invalidPatch(shown: string, why: string): ApiError {
  return ApiError.invalid({ group: "", kind: "" }, "", [
    FieldError.invalid(FieldPath.of("patch"), shown, why),
  ]);
}
