import { type ObjectSchema, schemaOf } from "@homeostat/object-model";
import type { ListPayload, ObjectJson } from "../answers/answer.ts";
import type { MediaEncoder } from "../http/media-encoder.ts";
import { ListEncoder } from "./encode-list.ts";
import { encodeObject } from "./encode-object.ts";
import { encodeWatchEvent } from "./encode-watch-event.ts";
import { kindOfType } from "./json-kind.ts";
import type { ObjectType } from "./protobuf-error.ts";

/** Whichever comes first: so many bytes, or so many items, before others have a turn. */
const STEP_BYTES = 1024 * 1024;
const STEP_ITEMS = 500;

export const PROTOBUF_ENCODER: MediaEncoder = {
  object: (payload) => encodeObject(payload.json()),
  list: (payload, breathe) => listChunks(payload, breathe),
  line: (line) => line.derive("protobuf", ({ type, json }) => encodeWatchEvent(type, json)),
  streamType: "application/vnd.kubernetes.protobuf;stream=watch",
};

/** A list of a few items at once; a longer one step by step. */
function listChunks(
  payload: ListPayload,
  breathe: () => Promise<void>,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  const { frame } = payload;
  const list = new ListEncoder(itemSchemaOf(frame));
  const items = payload.itemJson()[Symbol.iterator]();
  if (addSome(list, items)) return [Buffer.concat([...list.finish(frame, frame.metadata)])];
  return rest();

  async function* rest(): AsyncGenerator<Uint8Array> {
    do await breathe();
    while (!addSome(list, items));
    yield* list.finish(frame, frame.metadata);
  }
}

/** Whether these were the last. */
function addSome(list: ListEncoder, items: Iterator<ObjectJson>): boolean {
  let bytes = 0;
  for (let count = 0; count < STEP_ITEMS && bytes < STEP_BYTES; count++) {
    const { done, value } = items.next();
    if (done === true) return true;
    list.add(value);
    bytes += value.bytes.length;
  }
  return false;
}

function itemSchemaOf(type: ObjectType): ObjectSchema {
  return schemaOf(kindOfType(type).schema.fields.get("items")!.schema!);
}
