import { inSlices, type WorkSteps } from "@homeostat/cel";
import {
  decodeJson,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
} from "@homeostat/object-model";
import { type FieldSet, fieldsV1OfText } from "@homeostat/schema";
import { decodeLargeJson } from "../codec/decode-large-json.ts";
import { cutSets, decodeStored, isLargeStored, markLarge, putSets } from "./stored-object.ts";
import { metadataOf } from "./system-metadata.ts";
import type { ObjectState } from "./write-scope.ts";

/**
 * What `decodeStored` gives, with turns for others where the object is large. `value` is not looked at
 * any more when this returns.
 */
export function decodeInTurns(
  { value, revision }: ObjectState,
  breathe: (() => Promise<void>) | undefined,
): KubernetesObject | Promise<KubernetesObject> {
  return breathe !== undefined && isLargeStored(value)
    ? inSlices(decodeLarge(value, revision), breathe)
    : decodeStored(value, revision);
}

/** Sets of fewer bytes are decoded at once: others may have them too. */
const SHORT_SET = 16 * 1024;

/** What `decodeStored` gives of a large object, in steps. `stored` is not looked at after the first. */
export function* decodeLarge(stored: Uint8Array, revision: number): WorkSteps<KubernetesObject> {
  const parts = cutSets(stored);
  yield;
  const sets: FieldSet[] = [];
  for (const each of parts.sets) {
    sets.push(
      each.length < SHORT_SET
        ? fieldsV1OfText(each.toString("latin1"))
        : ((yield* decode(each)) as JsonObject as FieldSet),
    );
  }
  const object = (yield* decode(parts.json)) as KubernetesObject;
  putSets(object, sets);
  markLarge(object);
  if (revision > 0) metadataOf(object).resourceVersion = String(revision);
  return object;
}

function* decode(bytes: Uint8Array): WorkSteps<JsonValue> {
  return (yield* decodeLargeJson(bytes)) ?? decodeJson(bytes);
}
