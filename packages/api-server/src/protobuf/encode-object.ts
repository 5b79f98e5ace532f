import type { JsonObject, KubernetesObject, ObjectSchema } from "@homeostat/object-model";
import { writeMessage } from "./encode-message.ts";
import { ENVELOPE_END, writeEnvelopeHead } from "./envelope.ts";
import type { ObjectType } from "./protobuf-error.ts";
import { wirePlanOf } from "./wire-plan.ts";
import { WireWriter } from "./wire-writer.ts";

let shared: WireWriter | undefined;

/** One for all: it is used from begin to end in one go, and what was written is copied. */
export function sharedWriter(): WireWriter {
  shared ??= new WireWriter(16 * 1024);
  shared.reset();
  return shared;
}

/** An object of a built-in kind as a client gets it, in its envelope. */
export function encodeObject(schema: ObjectSchema, object: KubernetesObject): Buffer {
  const writer = sharedWriter();
  writeObject(writer, schema, object);
  return writer.take();
}

/** The same to a writer, in front of what is there. */
export function writeObject(
  writer: WireWriter,
  schema: ObjectSchema,
  object: KubernetesObject,
): void {
  writer.bytes(ENVELOPE_END);
  const before = writer.size;
  writeMessage(wirePlanOf(schema), writer, object as unknown as JsonObject);
  writeEnvelopeHead(writer, writer.size - before, typeOf(object));
}

function typeOf({ apiVersion = "", kind = "" }: KubernetesObject): ObjectType {
  return { apiVersion, kind };
}
