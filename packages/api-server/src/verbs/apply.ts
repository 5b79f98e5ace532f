import { finishNow, inSlices, type WorkSteps } from "@homeostat/cel";
import {
  ApiError,
  FieldError,
  FieldPath,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
} from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import { statePayload } from "../answers/object-payload.ts";
import { jsonTypeOf } from "../codec/json-type-of.ts";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import { isCustomCodec } from "../custom-resources/custom-codec.ts";
import type { AppliedObject } from "../managed-fields/field-applier.ts";
import type { FieldManager } from "../managed-fields/field-manager.ts";
import type { ObjectCodec } from "../registry/object-codec.ts";
import { markLarge } from "../registry/stored-object.ts";
import { metadataOf } from "../registry/system-metadata.ts";
import { refuseWhileTerminating, takeNamespace } from "./create.ts";
import { checkCreationRight } from "./creation-right.ts";
import { finishDraft } from "./decode-draft.ts";
import { restoreProblem } from "./go-patch-text.ts";
import { currentIn, isLargeWrite, runSteps, withFieldManager, writerOf } from "./manage-fields.ts";
import type { DecodedBody } from "./request-body.ts";
import { type ResourceRequest, scopeOf } from "./resource-request.ts";
import { takeName } from "./update.ts";
import { readWriteOptions, type WriteOptions } from "./write-options.ts";
import { YamlError } from "./yaml-error.ts";

/** Server-side apply: the object becomes what the configuration says, as far as it says something. */
export async function apply(request: ResourceRequest): Promise<Answer> {
  const { served, repository, name, subresource } = request;
  const configuration = await readConfiguration(request);
  if (request.body.isLarge) await request.body.breathe();
  const scope = {
    ...scopeOf(request, configuration.options),
    createIfAbsent: true,
    mayCreate: () => checkCreationRight(request),
    keepsManagedFields: true,
  };
  const outcome = await repository.update(name, scope, async (old) => {
    if (old === undefined && subresource !== "") {
      throw ApiError.notFound(served.stored.groupResource, name);
    }
    const pauses = isLargeWrite(request, old);
    const applying = withFieldManager(request, (manager) => {
      const live = old === undefined ? manager.empty() : currentIn(served, old);
      const steps = configuration.applyInSteps(live, { manager, codec: served.codec, pauses });
      return runSteps(steps, request, old);
    });
    const { object, isSame } = applying instanceof Promise ? await applying : applying;
    const { codec } = served;
    const inSteps = pauses && isCustomCodec(codec) && !isSame;
    if (inSteps) await inSlices(codec.applyDefaultsInSteps(object), () => request.body.breathe());
    const draft = finishDraft(object, served, { defaults: !isSame && !inSteps });
    if (pauses) markLarge(draft);
    refuseUnknownUid(draft, old, request);
    takeNamespace(draft, request);
    takeName(draft, name);
    if (old === undefined) refuseWhileTerminating(served, name);
    return draft;
  });
  return { status: outcome.created ? 201 : 200, payload: statePayload(outcome, served) };
}

/** Nobody can say which object it is that does not exist yet. */
function refuseUnknownUid(
  draft: KubernetesObject,
  old: Readonly<KubernetesObject> | undefined,
  { served, name }: ResourceRequest,
): void {
  const { uid } = metadataOf(draft);
  if (old !== undefined || !uid) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw ApiError.conflict(served.stored.groupResource, name, why);
}

interface ApplyTarget {
  readonly manager: FieldManager;
  readonly codec: ObjectCodec;
  readonly pauses?: boolean;
}

/** What a request applies, and how. */
export class Configuration {
  readonly options: WriteOptions;
  readonly #force: boolean;
  readonly #body: DecodedBody;
  readonly #request: ResourceRequest;

  constructor(request: ResourceRequest, body: DecodedBody, options: WriteOptions) {
    this.#request = request;
    this.#body = body;
    this.options = options;
    this.#force = request.query.flag("force") === true;
  }

  /** The live object with the configuration applied, as its kind reads it; without defaults. */
  applyTo(live: Readonly<JsonObject>, target: ApplyTarget): AppliedObject {
    return finishNow(this.applyInSteps(live, target));
  }

  *applyInSteps(
    live: Readonly<JsonObject>,
    { manager, codec, pauses = false }: ApplyTarget,
  ): WorkSteps<AppliedObject> {
    const given = asObject(this.#body.value);
    const writer = writerOf(this.#request, this.options.fieldManager);
    const how = { ...writer, force: this.#force, pauses };
    const { object, isSame } = yield* manager.applyInSteps(live, given, how);
    if (pauses) yield;
    this.#checkDuplicates();
    try {
      const read =
        pauses && isCustomCodec(codec)
          ? yield* codec.readAppliedInSteps(object)
          : codec.readApplied(object);
      return { object: read, isSame };
    } catch (error) {
      if (!(error instanceof ObjectDecodeError)) throw error;
      const name = manager.describe(given);
      const type = name.slice(name.indexOf(";") + 2);
      const why = `unable to convert unstructured object to ${type}: ${restoreProblem(error, given)}`;
      const message = `failed to convert new object (${name}) to proper version: ${why}`;
      throw new ApiError({ message, httpStatus: 500 });
    }
  }

  #checkDuplicates(): void {
    const { fieldValidation } = this.options;
    const problems = this.#body.problems ?? [];
    if (problems.length === 0 || fieldValidation === "Ignore") return;
    if (fieldValidation === "Strict") {
      const lines = problems.map((problem) => `\n  ${problem}`).join("");
      throw ApiError.badRequest(
        `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${lines}`,
      );
    }
    this.#request.warnings.push(...problems);
  }
}

/** Refused where the parameters are, or where the body is no YAML at all. */
export async function readConfiguration(request: ResourceRequest): Promise<Configuration> {
  const options = readWriteOptions(
    request.query,
    "PatchOptions",
    checkApplier(request.query.get("fieldManager")),
  );
  try {
    return new Configuration(request, await request.body.decodeConfiguration(), options);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw ApiError.badRequest(
      `error decoding YAML: error converting YAML to JSON: ${error.message}`,
    );
  }
}

/** Nothing at all is an object without fields. */
function asObject(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw ApiError.badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`,
  );
}

/** An apply says who applies. */
function checkApplier(fieldManager: string): FieldError[] {
  if (fieldManager !== "") return [];
  return [FieldError.required(FieldPath.of("fieldManager"), "is required for apply patch")];
}
