import type { WorkSteps } from "@homeostat/cel";
import { cloneJson, type JsonObject, type JsonValue, setOwnKey } from "@homeostat/object-model";

/** Members and items that are copied between two rests. */
const PER_STEP = 2_048;
/** Containers in containers; what is deeper is copied at once. */
const MAX_LEVELS = 32;

/** `cloneJson` of a large value: a copy that shares nothing with its source, in steps. */
export function cloneInSteps(value: JsonValue): WorkSteps<JsonValue> {
  return new Copying().copy(value, MAX_LEVELS);
}

class Copying {
  #seen = 0;

  *copy(value: JsonValue, levels: number): WorkSteps<JsonValue> {
    if (isPlain(value) || levels === 0) return cloneJson(value);
    if (Array.isArray(value)) {
      const list: JsonValue[] = [];
      for (const item of value) {
        if (++this.#seen % PER_STEP === 0) yield;
        list.push(isPlain(item) ? item : yield* this.copy(item, levels - 1));
      }
      return list;
    }
    const object: JsonObject = {};
    for (const key of Object.keys(value)) {
      if (++this.#seen % PER_STEP === 0) yield;
      const member = value[key]!;
      setOwnKey(object, key, isPlain(member) ? member : yield* this.copy(member, levels - 1));
    }
    return object;
  }
}

function isPlain(value: JsonValue): value is Exclude<JsonValue, object> | null {
  return typeof value !== "object" || value === null;
}
