import {
  type Bindings,
  jsonOf,
  type ListValue,
  listOf,
  MessageValue,
  NoJsonError,
  type Value,
} from "@homeostat/cel";
import {
  ApiError,
  applyJsonPatch,
  type JsonObject,
  type JsonValue,
  ownKey,
  PatchError,
  setOwnKey,
} from "@homeostat/object-model";
import type {
  MutatingAdmissionPolicySpec,
  Mutation,
} from "@homeostat/object-model/admissionregistration-v1";
import { type MergeSchema, MergeValueError, mergeValues, validateValue } from "@homeostat/schema";
import { JSON_PATCH, OBJECT } from "../../rules/admission/mutation-types.ts";
import { type CompiledText, compileText, OutOfBudgetError } from "../expressions/condition-run.ts";
import { atomicPaths } from "./atomic-paths.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { typeNameProblems } from "./type-name-problems.ts";

/** A change that could not be made. */
export class MutationError extends Error {
  override readonly name: string = "MutationError";
  readonly code = "mutation";
}

export interface MutationInput {
  readonly bindings: Bindings;
  readonly breathe: () => Promise<void>;
  /** As its version prints it. */
  readonly object: JsonObject;
  readonly mergeSchema: MergeSchema;
}

/** One change of a policy: what its expression makes is laid over the object, or applied as a patch. */
export class ObjectMutation {
  readonly #text: CompiledText;
  readonly #isPatch: boolean;

  constructor(mutation: Mutation, policy: CompiledPolicy<MutatingAdmissionPolicySpec>) {
    this.#isPatch = mutation.patchType === "JSONPatch";
    const given = this.#isPatch ? mutation.jsonPatch : mutation.applyConfiguration;
    const environment = policy.environment({ authorizer: true, patches: true });
    const type = this.#isPatch ? listOf(JSON_PATCH) : OBJECT;
    this.#text = compileText(given?.expression ?? "", environment, [type]);
  }

  /** The changed object, as its version prints it. Throws MutationError. */
  async apply(
    input: MutationInput,
    policy: CompiledPolicy<MutatingAdmissionPolicySpec>,
  ): Promise<JsonObject> {
    const value = await this.#evaluate(input, policy);
    return this.#isPatch ? applyOperations(value as ListValue, input) : lay(value, input);
  }

  async #evaluate(
    { bindings, breathe }: MutationInput,
    policy: CompiledPolicy<MutatingAdmissionPolicySpec>,
  ): Promise<Value> {
    const { compiled } = this.#text;
    if ("problem" in compiled) throw new MutationError(compiled.problem);
    try {
      const result = await policy.run(bindings, breathe).evaluate(this.#text);
      if ("error" in result) throw new MutationError(result.error);
      return result.value;
    } catch (error) {
      if (error instanceof OutOfBudgetError) throw new MutationError(error.message);
      throw error;
    }
  }
}

function lay(value: Value, { object, mergeSchema }: MutationInput): JsonObject {
  checkTypeNames(value);
  const configuration = toJson(value) as JsonObject;
  for (const name of ["apiVersion", "kind"]) setOwnKey(configuration, name, ownKey(object, name)!);
  const failed = (what: string, why: string): MutationError =>
    new MutationError(`error applying patch: ${what}: ${why}`);
  const attempt = <T>(what: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (error instanceof MergeValueError) throw failed(what, error.message);
      throw error;
    }
  };
  attempt("failed to convert patch object to typed object", () =>
    validateValue(configuration, mergeSchema),
  );
  const atomics = atomicPaths(configuration, mergeSchema);
  if (atomics.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`;
    throw failed("invalid ApplyConfiguration", why);
  }
  return attempt("failed to merge patch", () =>
    mergeValues(object, configuration, mergeSchema),
  ) as JsonObject;
}

function applyOperations(value: ListValue, { object }: MutationInput): JsonObject {
  const operations: JsonValue[] = [];
  for (let index = 0; index < value.size; index += 1) {
    const { fields } = value.at(index) as MessageValue;
    const operation: JsonObject = {
      op: (fields.get("op") ?? "") as string,
      path: (fields.get("path") ?? "") as string,
    };
    const from = (fields.get("from") ?? "") as string;
    if (from !== "") operation["from"] = from;
    const given = fields.get("value");
    if (given !== undefined) {
      checkTypeNames(given);
      operation["value"] = toJson(given);
    }
    operations.push(operation);
  }
  try {
    return applyJsonPatch(object, operations) as JsonObject;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // A test that fails says that the patch is not meant for this object.
    if (error.code === "patch-test-failed") return object;
    throw new MutationError(`JSON Patch: ${error.message}`);
  }
}

function checkTypeNames(value: Value): void {
  if (!(value instanceof MessageValue)) return;
  const problems = typeNameProblems(value);
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join("\n")}`);
}

function toJson(value: Value): JsonValue {
  try {
    return jsonOf(value);
  } catch (error) {
    if (!(error instanceof NoJsonError)) throw error;
    const what = "JSONPath valueExpression evaluated to a type that could not marshal to JSON";
    throw new MutationError(`${what}: ${error.message}`);
  }
}

/** Fields that the kind does not have are refused, where a patch makes them. */
export function unknownFieldsError(unknownFields: readonly string[]): ApiError {
  const shown = unknownFields.map((path) => `unknown field "${path}"`).join(", ");
  return ApiError.internalError(new Error(`strict decoding error: ${shown}`));
}
