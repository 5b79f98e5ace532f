import { decodeJson } from "./decode-json.ts";
import { encodeJson } from "./encode-json.ts";
import { NATIVE_LEVELS } from "./json-limits.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { setOwnKey } from "./own-key.ts";

/**
 * A copy that shares nothing with its source. Throws JsonEncodeError for a value that contains
 * itself and JsonDepthError for one too deep to be read.
 */
export function cloneJson<T extends JsonValue>(value: T): T {
  return copy(value, NATIVE_LEVELS) as T;
}

function copy(value: JsonValue, levels: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  // Below this, recursion could meet the end of the stack: the codec goes on without it.
  if (levels === 0) return decodeJson(encodeJson(value));
  if (Array.isArray(value)) return value.map((item) => copy(item, levels - 1));
  const target: JsonObject = {};
  for (const key of Object.keys(value)) {
    setOwnKey(target, key, copy(value[key] as JsonValue, levels - 1));
  }
  return target;
}
