import type { WorkSteps } from "@homeostat/cel";
import type { JsonObject, JsonValue, KubernetesObject } from "@homeostat/object-model";
import { isShared } from "@homeostat/schema";
import { isHeavy, textInSteps } from "../codec/text-in-steps.ts";
import { selectableValues } from "./companion-commit.ts";
import type { StoredKind } from "./served-resource.ts";
import { encodeStored } from "./stored-object.ts";

/** What `encodeFor` gives of a large object, in steps. */
export function* encodeLarge(
  kind: StoredKind,
  object: KubernetesObject,
  old?: Readonly<KubernetesObject>,
): WorkSteps<Buffer> {
  // Whatever was done to it until now took its time too.
  yield;
  const like = old as unknown as JsonObject | undefined;
  const printed = kind.codec.print(object as unknown as JsonObject, like);
  yield;
  printed["kind"] = kind.kind;
  printed["apiVersion"] = kind.apiVersion;
  const texts = new Map<JsonValue, string>();
  for (const value of parts(printed)) {
    if (isHeavy(value)) texts.set(value, yield* textInSteps(value));
  }
  yield;
  return encodeStored(printed, selectableValues(kind, object), texts);
}

/** What may be large: members of the object, and the sets of its managers. */
function* parts({ metadata, ...members }: JsonObject): Iterable<JsonValue> {
  yield* Object.values(members);
  const { managedFields } = metadata as KubernetesObject["metadata"] & object;
  for (const { fieldsV1 } of managedFields ?? []) {
    const set = fieldsV1 as JsonValue | undefined;
    if (set !== undefined && !isShared(set)) yield set;
  }
}
