import { encodeJsonBytes, type JsonObject, type KubernetesObject } from "@homeostat/object-model";
import { convert } from "../conversion/convert.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import {
  decodeStored,
  partsOf,
  renderObject,
  setPlaces,
  storedJson,
} from "../registry/stored-object.ts";
import type { ObjectState } from "../registry/write-scope.ts";
import type { ObjectJson, ObjectPayload } from "./answer.ts";
import { deepFreeze } from "./freeze.ts";
import { LARGEST_PIECE, LargePieces } from "./large-pieces.ts";

/** A state of a stored object, in the version that was asked for. */
export function statePayload(state: ObjectState, served: ServedResource): ObjectPayload {
  return {
    kind: "object",
    bytes: () => {
      if (!served.isStorageVersion) return encodeJsonBytes(decodeServed(state, served));
      const { value, revision } = state;
      if (revision === 0) return storedJson(value);
      if (value.length <= LARGEST_PIECE) return renderObject(value, revision);
      return new LargePieces().of(() => partsOf(state.value, revision, "object"));
    },
    json: () =>
      served.isStorageVersion ? keptJson(state) : printedJson(decodeServed(state, served)),
    object: () => deepFreeze(decodeServed(state, served)),
  };
}

/** Of a state in the version that is kept. */
export function keptJson({ value, revision }: ObjectState): ObjectJson {
  const bytes = revision === 0 ? storedJson(value) : renderObject(value, revision);
  return { bytes, sets: setPlaces(value, revision, "object") };
}

/** Of an object that is there. */
export function printedJson(object: KubernetesObject): ObjectJson {
  return { bytes: encodeJsonBytes(object), sets: NO_SETS };
}

const NO_SETS: readonly number[] = [];

/** A new decoded copy in the served version. */
export function decodeServed(state: ObjectState, served: ServedResource): KubernetesObject {
  const object = decodeStored(state.value, state.revision);
  if (served.isStorageVersion) return object;
  const converted = convert(object, served.apiVersion);
  return served.codec.print(converted as unknown as JsonObject);
}

/** An object that is not stored: a Status, a Scale, a review. */
export function valuePayload(value: KubernetesObject): ObjectPayload {
  return {
    kind: "object",
    bytes: () => encodeJsonBytes(value),
    json: () => printedJson(value),
    object: () => deepFreeze(value),
  };
}
