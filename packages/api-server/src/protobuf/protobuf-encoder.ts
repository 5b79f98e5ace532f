import {
  findSchema,
  findSchemaOfKind,
  type KubernetesObject,
  type ObjectSchema,
  parseApiVersion,
  schemaOf,
} from "@homeostat/object-model";
import type { ListPayload } from "../answers/answer.ts";
import type { MediaEncoder } from "../http/media-encoder.ts";
import { ListEncoder } from "./encode-list.ts";
import { encodeObject } from "./encode-object.ts";
import { encodeWatchEvent } from "./encode-watch-event.ts";
import { type ObjectType, ProtobufError } from "./protobuf-error.ts";

/** How many items are decoded and encoded before others have a turn. */
const STEP = 200;

export const PROTOBUF_ENCODER: MediaEncoder = {
  object: (payload) => {
    const object = payload.glimpse?.() ?? payload.object();
    return encodeObject(schemaOfAnswer(object), object);
  },
  list: (payload, breathe) => listChunks(payload, breathe),
  line: (line) =>
    line.derive("protobuf", ({ type, frame: { object } }) =>
      encodeWatchEvent(type, schemaOfAnswer(object), object),
    ),
  streamType: "application/vnd.kubernetes.protobuf;stream=watch",
};

/** A list of a few items at once; a longer one step by step. */
function listChunks(
  payload: ListPayload,
  breathe: () => Promise<void>,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  const { frame } = payload;
  const list = new ListEncoder(itemSchemaOf(frame));
  const items = payload.items()[Symbol.iterator]();
  if (addSome(list, items)) return [Buffer.concat([...list.finish(frame, frame.metadata)])];
  return rest();

  async function* rest(): AsyncGenerator<Uint8Array> {
    do await breathe();
    while (!addSome(list, items));
    yield* list.finish(frame, frame.metadata);
  }
}

/** Whether these were the last. */
function addSome(list: ListEncoder, items: Iterator<KubernetesObject>): boolean {
  for (let count = 0; count < STEP; count++) {
    const { done, value } = items.next();
    if (done === true) return true;
    list.add(value);
  }
  return false;
}

function itemSchemaOf(type: ObjectType): ObjectSchema {
  return schemaOf(schemaOfAnswer(type).fields.get("items")!.schema!);
}

/** Versions of lists of versions, of options and of metadata alone are all the same. */
function schemaOfAnswer({ apiVersion = "", kind = "" }: Partial<ObjectType>): ObjectSchema {
  const schema =
    findSchemaOfKind({ ...parseApiVersion(apiVersion), kind }) ?? findSchema(`meta.v1.${kind}`);
  if (schema !== undefined) return schema;
  throw new ProtobufError(`a ${kind} of ${apiVersion} has no protobuf`, {
    type: { apiVersion, kind },
  });
}
