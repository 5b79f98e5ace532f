import { finishNow, type WorkSteps } from "@homeostat/cel";
import { cloneJson, type JsonObject, type JsonValue, schemaOf } from "@homeostat/object-model";
import { cloneInSteps } from "../codec/clone-in-steps.ts";
import { printObject } from "../codec/print-object.ts";
import { type ReadObject, readObject } from "../codec/read-object.ts";
import { sortKeys } from "../codec/sort-keys.ts";
import type { ObjectCodec } from "../registry/object-codec.ts";
import type { VersionSchema } from "./version-schema.ts";

/** What takes long for a large object, in steps. */
export interface CustomCodec extends ObjectCodec {
  /** As `read`, but takes `value` for its own, and changes it. */
  takeInSteps(value: JsonValue): WorkSteps<ReadObject>;
  readInSteps(value: JsonValue): WorkSteps<ReadObject>;
  applyDefaultsInSteps(object: JsonObject): WorkSteps<void>;
  readAppliedInSteps(value: JsonObject): WorkSteps<JsonObject>;
}

export function isCustomCodec(codec: ObjectCodec): codec is CustomCodec {
  return "takeInSteps" in codec;
}

/**
 * Objects of no type: their metadata is that of every object, the rest is what the schema knows.
 * They print with all keys sorted.
 */
export function customCodec(schema: VersionSchema): CustomCodec {
  return {
    schema: undefined,
    patchSchema: undefined,
    get mergeSchema() {
      return schema.mergeSchema;
    },
    read: (value) => finishNow(take(cloneJson(value), schema)),
    takeInSteps: (value) => take(value, schema),
    *readInSteps(value) {
      return yield* take(yield* cloneInSteps(value), schema);
    },
    applyDefaultsInSteps: (object) => schema.applyDefaults(object),
    readApplied({ metadata, ...rest }) {
      return withMetadata(cloneJson(rest), metadata);
    },
    *readAppliedInSteps({ metadata, ...rest }) {
      return withMetadata((yield* cloneInSteps(rest)) as JsonObject, metadata);
    },
    print: (object) => sortKeys(printUnordered(object)) as JsonObject,
    printUnordered,
    applyDefaults: (object) => finishNow(schema.applyDefaults(object)),
    sortFreeContent: () => undefined,
  };
}

/** Of what an apply made only the metadata is read. */
function withMetadata(object: JsonObject, metadata: JsonValue | undefined): JsonObject {
  if (metadata !== undefined) object["metadata"] = readMetadata(metadata).object;
  return object;
}

function printUnordered(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  const printed = { ...object };
  if (metadata !== undefined) {
    printed["metadata"] = printObject(objectMeta(), metadata as JsonObject);
  }
  return printed;
}

function* take(value: JsonValue, schema: VersionSchema): WorkSteps<ReadObject> {
  const object = value as JsonObject;
  const unknownFields: string[] = [];
  if (Object.hasOwn(object, "metadata")) {
    const read = readMetadata(object["metadata"]!);
    object["metadata"] = read.object;
    for (const each of read.unknownFields.map((path) => `metadata.${path}`).sort())
      unknownFields.push(each);
    yield;
  }
  for (const each of yield* schema.prune(object)) unknownFields.push(each);
  return { object, unknownFields };
}

/** An empty list of managers is none: it does not reset them, as it would in an object of a type. */
function readMetadata(metadata: JsonValue): ReturnType<typeof readObject> {
  const read = readObject(objectMeta(), metadata);
  const { managedFields } = read.object;
  if (Array.isArray(managedFields) && managedFields.length === 0)
    delete read.object["managedFields"];
  return read;
}

function objectMeta(): ReturnType<typeof schemaOf> {
  return schemaOf("meta.v1.ObjectMeta");
}
