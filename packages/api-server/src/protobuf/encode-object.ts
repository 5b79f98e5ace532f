import type { ObjectJson } from "../answers/answer.ts";
import { MessageEncoder } from "./encode-message.ts";
import { ENVELOPE_END, writeEnvelopeHead } from "./envelope.ts";
import { kindInJson } from "./json-kind.ts";
import { jsonPlanOf } from "./json-plan.ts";

let shared: MessageEncoder | undefined;

/** One for all: it is used from begin to end in one go, and what was written is copied. */
export function sharedEncoder(): MessageEncoder {
  shared ??= new MessageEncoder();
  shared.writer.reset();
  return shared;
}

/** An object of a built-in kind as a client gets it, in its envelope; `json` is what the server has written. */
export function encodeObject(json: ObjectJson): Buffer {
  const encoder = sharedEncoder();
  writeObject(encoder, json);
  return encoder.writer.take();
}

/** The same in front of what is there. */
export function writeObject(encoder: MessageEncoder, json: ObjectJson): void {
  const { writer } = encoder;
  const { schema, type } = kindInJson(json.bytes);
  writer.bytes(ENVELOPE_END);
  const before = writer.size;
  encoder.write(jsonPlanOf(schema), json);
  writeEnvelopeHead(writer, writer.size - before, type);
}
