import type { JsonObject } from "@homeostat/object-model";
import { sampleOf } from "../../conformance/scenarios/sample-objects.ts";

/** A valid object of a kind, under the name given. */
export function sample(resource: string, name: string, more: JsonObject = {}): JsonObject {
  const { metadata, ...rest } = sampleOf(resource);
  const { metadata: ours, ...fields } = more;
  return {
    ...rest,
    ...fields,
    metadata: { ...(metadata as JsonObject), name, ...(ours as JsonObject) },
  };
}

/** A pod; `spec` is added to what every pod needs. */
export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    metadata: { name, ...metadata },
    spec: { containers: [{ name: "c", image: "i" }], ...spec },
  };
}
