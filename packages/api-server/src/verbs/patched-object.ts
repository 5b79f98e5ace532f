import { finishNow, type WorkSteps } from "@homeostat/cel";
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
  ownKey,
  PatchError,
  type PatchSchema,
} from "@homeostat/object-model";
import { jsonTypeOf } from "../codec/json-type-of.ts";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import type { ReadObject } from "../codec/read-object.ts";
import { strictDecodingErrors, strictPatchErrors } from "../codec/strict-errors.ts";
import { isCustomCodec } from "../custom-resources/custom-codec.ts";
import {
  type NamedKind,
  NoKindError,
  namedKind,
  namedKindProblem,
  unknownConversion,
} from "./body-kind.ts";
import type { BodyKind } from "./decode-draft.ts";
import { goPrint, restoreProblem } from "./go-patch-text.ts";
import { jsonPatchOperations } from "./json-patch-operations.ts";
import { printPatched, reachOfMerge, reachOfPointers } from "./printed-patch.ts";
import type { DecodedBody, RequestBody } from "./request-body.ts";
import type { FieldValidation } from "./write-options.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_PATCH = "application/strategic-merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";

export type PatchType = typeof JSON_PATCH | typeof MERGE_PATCH | typeof STRATEGIC_PATCH;

export interface PatchOptions {
  readonly type: PatchType;
  readonly fieldValidation: FieldValidation;
  /** Where the texts for Warning headers go. */
  readonly warnings: string[];
}

/** Whether the body is a configuration to apply, which is a patch by name only. */
export function isApply(body: RequestBody): boolean {
  return body.mediaTypeAsGiven === APPLY_PATCH;
}

/** The patch in a body. That it cannot be read, or does not fit, is said when there is an object. */
export class Patch {
  readonly #body: RequestBody;
  readonly #options: PatchOptions;
  #decoded: DecodedBody | undefined;

  constructor(body: RequestBody, options: PatchOptions) {
    this.#body = body;
    this.#options = options;
  }

  /** Told by the media type, exactly as it is written; refuses others. */
  static typeOf(
    body: RequestBody,
    { isCustom = false }: { readonly isCustom?: boolean } = {},
  ): PatchType {
    const mediaType = body.mediaTypeAsGiven;
    if (mediaType === JSON_PATCH || mediaType === MERGE_PATCH) return mediaType;
    if (mediaType === STRATEGIC_PATCH && !isCustom) return mediaType;
    throw isCustom ? unsupportedOfCustom() : unsupportedPatch();
  }

  /** What the patch makes of an object of this kind, which stays as it is. */
  applyTo(current: JsonObject, kind: BodyKind): JsonObject {
    return finishNow(this.applyInSteps(current, kind));
  }

  /** `pauses`: what comes out is large, and read in steps too. */
  *applyInSteps(current: JsonObject, kind: BodyKind, pauses = false): WorkSteps<JsonObject> {
    const { type, fieldValidation, warnings } = this.#options;
    this.#decoded ??= decodePatch(this.#body, type);
    yield;
    const given = this.#decoded.value;
    const { patchSchema } = kind.codec;
    const patched = applyPatch({ type, current, patch: given, patchSchema });
    yield;
    const read = yield* readPatched(patched, { kind, type, given, pauses });
    const problems = [
      ...(type === JSON_PATCH ? this.#problemsOfOperations() : duplicatesIn(this.#decoded)),
      ...strictDecodingErrors({ unknownFields: read.unknownFields, duplicates: [] }),
    ];
    if (problems.length > 0 && fieldValidation === "Strict") {
      const shown = show(patched, { kind, type, given });
      throw invalidPatch(shown, `strict decoding error: ${problems.join(", ")}`);
    }
    if (fieldValidation === "Warn") warnings.push(...problems);
    return read.object;
  }

  /** Unknown and duplicate fields in the order of the text; without a text there are no duplicates. */
  #problemsOfOperations(): readonly string[] {
    const { value, duplicates } = this.#decoded!;
    const problems =
      duplicates.length > 0
        ? strictPatchErrors({ text: this.#body.bytes, fields: OPERATION_FIELDS })
        : strictDecodingErrors({ unknownFields: unknownOfOperations(value), duplicates: [] });
    return problems.map((problem) => `json patch ${problem}`);
  }
}

/** Objects of no type have no strategic merge. */
function unsupportedOfCustom(): ApiError {
  return new ApiError({
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${JSON_PATCH}, ${MERGE_PATCH}, application/apply-patch+yaml`,
  });
}

function unsupportedPatch(): ApiError {
  return new ApiError({
    reason: "UnsupportedMediaType",
    message: "415: Unsupported Media Type",
    details: {},
  });
}

function decodePatch(body: RequestBody, type: PatchType): DecodedBody {
  try {
    return body.decodeJson();
  } catch (error) {
    if (error instanceof JsonError) {
      throw ApiError.badRequest(
        `${type === STRATEGIC_PATCH ? "" : "error decoding patch: "}${error.reason}`,
      );
    }
    throw error;
  }
}

function duplicatesIn({ duplicates }: DecodedBody): readonly string[] {
  return strictDecodingErrors({ unknownFields: [], duplicates });
}

function unknownOfOperations(patch: JsonValue): readonly string[] {
  return jsonPatchOperations(patch).flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((key) => !OPERATION_FIELDS.has(key))
      .map((key) => `[${index}].${key}`),
  );
}

const OPERATION_FIELDS = new Set(["op", "path", "from", "value"]);

interface PatchInput {
  readonly type: PatchType;
  readonly current: JsonObject;
  readonly patch: JsonValue;
  /** For strategic merge. */
  readonly patchSchema: PatchSchema | undefined;
}

function applyPatch({ type, current, patch: given, patchSchema }: PatchInput): JsonValue {
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
        if (patchSchema === undefined) throw unsupportedPatch();
        return applyStrategicMergePatch(current, given, { schema: patchSchema });
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
function* readPatched(
  patched: JsonValue,
  {
    kind,
    type,
    given,
    pauses,
  }: { kind: BodyKind; type: PatchType; given: JsonValue; pauses: boolean },
): WorkSteps<ReadObject> {
  if (type !== STRATEGIC_PATCH) {
    const problem = kindProblem(patched, kind);
    if (problem !== undefined) throw invalidPatch(show(patched, { kind, type, given }), problem);
    if (isVersionless(patched)) {
      const unknownFields = Object.keys(patched).filter((key) => key !== "kind");
      return { object: {}, unknownFields: unknownFields.toSorted() };
    }
  }
  try {
    const { codec } = kind;
    const read =
      pauses && isCustomCodec(codec) ? yield* codec.readInSteps(patched) : codec.read(patched);
    if (type === STRATEGIC_PATCH) kind.codec.sortFreeContent(read.object);
    // Strategic merge knows what it patches, whatever the patch says.
    read.object["kind"] = kind.kind;
    read.object["apiVersion"] = kind.apiVersion;
    return read;
  } catch (error) {
    if (!(error instanceof ObjectDecodeError)) throw error;
    const why = type === STRATEGIC_PATCH ? restoreProblem(error, given) : error.message;
    throw invalidPatch(show(patched, { kind, type, given }), why);
  }
}

/** How refusals quote a patch, or what it made. */
function show(
  patched: JsonValue,
  { kind, type, given }: { kind: BodyKind; type: PatchType; given: JsonValue },
): string {
  if (type === STRATEGIC_PATCH) return goPrint(given);
  const reach =
    type === MERGE_PATCH
      ? reachOfMerge(given)
      : reachOfPointers(jsonPatchOperations(given).flatMap(placesOf));
  return printPatched(patched, { reach, isUntyped: kind.codec.schema === undefined });
}

function placesOf(operation: Readonly<JsonObject> | null): string[] {
  return [operation?.["path"], operation?.["from"]].filter((place) => typeof place === "string");
}

/** Why what a patch made is not of the kind that was patched. */
function kindProblem(patched: JsonValue, expected: BodyKind): string | undefined {
  const { kind, apiVersion } = expected;
  let named: NamedKind | undefined;
  try {
    named = namedKind(patched);
  } catch (error) {
    if (error instanceof NoKindError) return error.message;
    throw error;
  }
  const made = { kind: named?.kind || kind, apiVersion: named?.apiVersion || apiVersion };
  if (made.kind === kind && made.apiVersion === apiVersion) return undefined;
  return namedKindProblem(patched, made) ?? unknownConversion(made, expected);
}

/** Taken for the form that kube-apiserver keeps in memory, whose fields have no names in JSON. */
function isVersionless(patched: JsonValue): patched is JsonObject {
  return patched !== null && (ownKey(patched as JsonObject, "apiVersion") ?? "") === "";
}

function invalidPatch(shown: string, why: string): ApiError {
  return ApiError.invalid({ group: "", kind: "" }, "", [
    FieldError.invalid(FieldPath.of("patch"), shown, why),
  ]);
}
