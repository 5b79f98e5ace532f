import type { WorkSteps } from "@homeostat/cel";
import { compareBytewise, type JsonObject, type JsonValue } from "@homeostat/object-model";
import { sortKeys } from "../codec/sort-keys.ts";
import { isHeavy, sortedTextInSteps } from "../codec/text-in-steps.ts";

/** An object as it prints, but for what is told as a text: that is as it was. */
interface LargePrint {
  readonly printed: JsonObject;
  readonly texts: ReadonlyMap<JsonValue, string>;
}

/**
 * A large object of no type with its keys sorted, in steps. What would take long, members of the object
 * and of its metadata and the sets of its managers, is written at once instead of being sorted first.
 */
export function* printLarge(object: JsonObject): WorkSteps<LargePrint> {
  const texts = new Map<JsonValue, string>();
  const settle = function* (value: JsonValue): WorkSteps<JsonValue> {
    if (!isHeavy(value)) return sortKeys(value);
    texts.set(value, yield* sortedTextInSteps(value));
    return value;
  };
  const printed = yield* mapMembers(object, function* (name, value) {
    if (name !== "metadata") return yield* settle(value);
    return yield* mapMembers(value as JsonObject, function* (member, part) {
      if (member !== "managedFields" || !Array.isArray(part)) return yield* settle(part);
      const entries: JsonValue[] = [];
      for (const entry of part) {
        entries.push(yield* mapMembers(entry as JsonObject, (_, field) => settle(field)));
      }
      return entries;
    });
  });
  return { printed, texts };
}

/** In the order of their names, which are a type's. */
function* mapMembers(
  object: JsonObject,
  map: (name: string, value: JsonValue) => WorkSteps<JsonValue>,
): WorkSteps<JsonObject> {
  const mapped: JsonObject = {};
  for (const name of Object.keys(object).sort(compareBytewise)) {
    mapped[name] = yield* map(name, object[name]!);
    yield;
  }
  return mapped;
}
