import { ApiError, type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { jsonTypeOf } from "../codec/json-type-of.ts";

const TEXTS = ["op", "path", "from"];

/** The operations of a JSON patch; what has not their form is refused in Go's words. */
export function jsonPatchOperations(patch: JsonValue): readonly JsonObject[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw refuse(patch, "value of type []handlers.jsonPatchOp");
  for (const operation of patch) {
    if (operation === null) continue;
    if (typeof operation !== "object" || Array.isArray(operation)) {
      throw refuse(operation, "value of type handlers.jsonPatchOp");
    }
    for (const field of TEXTS) {
      const value = ownKey(operation, field) ?? null;
      if (value === null || typeof value === "string") continue;
      throw refuse(value, `struct field jsonPatchOp.${field} of type string`);
    }
  }
  return patch as JsonObject[];
}

function refuse(value: JsonValue, place: string): ApiError {
  return ApiError.badRequest(
    `error decoding patch: json: cannot unmarshal ${jsonTypeOf(value)} into Go ${place}`,
  );
}
