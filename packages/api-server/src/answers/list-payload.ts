import {
  encodeJson,
  type KubernetesList,
  type KubernetesObject,
  type ListMeta,
} from "@homeostat/object-model";
import type { KeyValue } from "@homeostat/store";
import type { ServedResource } from "../registry/served-resource.ts";
import { itemSize, partsOf, setPlaces, writeItem } from "../registry/stored-object.ts";
import type { ListFrame, ListPayload, ObjectJson } from "./answer.ts";
import { deepFreeze } from "./freeze.ts";
import { LARGEST_PIECE, LargePieces } from "./large-pieces.ts";
import { decodeServed, printedJson } from "./object-payload.ts";

export interface ListContent {
  readonly items: readonly KeyValue[];
  readonly metadata: ListMeta;
  readonly served: ServedResource;
}

/** The list object around states of the store; read chunk by chunk it holds one chunk at a time. */
export function listPayload(content: ListContent): ListPayload {
  return {
    kind: "list",
    chunks: () =>
      content.served.isStorageVersion ? keptChunks(content) : convertedChunks(content),
    object: () => listObject(content),
    frame: frameOf(content),
    items: () => decodedItems(content),
    itemJson: () =>
      content.served.isStorageVersion ? keptItems(content) : convertedItems(content),
  };
}

function frameOf({ metadata, served }: ListContent): ListFrame {
  return {
    kind: listKind(served),
    apiVersion: served.apiVersion,
    metadata: served.custom === undefined ? metadata : untypedMetadata(metadata),
  };
}

function* decodedItems({ items, served }: ListContent): Iterable<KubernetesObject> {
  for (const item of items) yield decodeServed(item, served);
}

/** All in the same place, one after the other. */
function* keptItems({ items }: ListContent): Iterable<ObjectJson> {
  let place: Buffer = NOTHING;
  for (const item of items) {
    const room = itemSize(item.value);
    if (room > place.length) place = Buffer.allocUnsafe(2 * room);
    const bytes = place.subarray(0, writeItem(place, 0, item));
    yield { bytes, sets: setPlaces(item.value, item.revision, "item") };
  }
}

function* convertedItems({ items, served }: ListContent): Iterable<ObjectJson> {
  for (const item of items) yield printedJson(itemObject(item, served));
}

function* keptChunks(content: ListContent): Iterable<Uint8Array> {
  const head = Buffer.from(opening(content));
  const end = Buffer.from(closing(content));
  const whole = head.length + end.length + roomFor(content.items);
  const pieces = new LargePieces();
  const isShort = whole <= LARGEST_PIECE;
  let chunk: Buffer = Buffer.allocUnsafe(isShort ? whole : Math.max(pieces.next(), head.length));
  let at = head.copy(chunk);
  let separator = NOTHING;
  for (const item of content.items) {
    const room = separator.length + itemSize(item.value);
    if (at + room > chunk.length) {
      if (at > 0) yield chunk.subarray(0, at);
      at = 0;
      chunk = Buffer.allocUnsafe(pieces.next());
    }
    if (room > chunk.length) {
      const before = separator;
      yield* pieces.of(() => [before, ...partsOf(item.value, item.revision, "item")]);
      chunk = NOTHING;
    } else at = writeItem(chunk, at + separator.copy(chunk, at), item);
    separator = COMMA;
  }
  if (at + end.length <= chunk.length) yield chunk.subarray(0, at + end.copy(chunk, at));
  else yield Buffer.concat([chunk.subarray(0, at), end]);
}

const NOTHING: Buffer = Buffer.alloc(0);
const COMMA: Buffer = Buffer.from(",");

/** For all items; for more than the largest piece takes, somewhat more than that. */
function roomFor(items: readonly KeyValue[]): number {
  let size = 0;
  for (const item of items) {
    size += itemSize(item.value) + 1;
    if (size > LARGEST_PIECE) break;
  }
  return size;
}

function* convertedChunks(content: ListContent): Iterable<Uint8Array> {
  let text = opening(content);
  let first = true;
  for (const item of content.items) {
    text += `${first ? "" : ","}${encodeJson(itemObject(item, content.served))}`;
    first = false;
    if (text.length < LARGEST_PIECE) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text + closing(content));
}

function opening(content: ListContent): string {
  const { metadata, served } = content;
  const apiVersion = `"apiVersion":"${served.apiVersion}"`;
  if (served.custom !== undefined) return `{${apiVersion},"items":[`;
  return `{${kindMember(served)},${apiVersion},"metadata":${encodeJson(metadata)},"items":[`;
}

/** Lists of no type have their keys sorted, and tell that they do not go on. */
function closing({ metadata, served }: ListContent): string {
  if (served.custom === undefined) return "]}\n";
  return `],${kindMember(served)},"metadata":${encodeJson(untypedMetadata(metadata))}}\n`;
}

function kindMember(served: ServedResource): string {
  return `"kind":"${listKind(served)}"`;
}

function listKind({ definition }: ServedResource): string {
  return definition.listKind ?? `${definition.kind}List`;
}

function untypedMetadata(metadata: ListMeta): ListMeta {
  const { remainingItemCount, resourceVersion } = metadata;
  return {
    continue: metadata.continue ?? "",
    ...(remainingItemCount !== undefined && { remainingItemCount }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

function listObject(content: ListContent): KubernetesObject {
  const list: KubernetesList<KubernetesObject> = {
    ...frameOf(content),
    items: content.items.map((item) => itemObject(item, content.served)),
  };
  return deepFreeze(list);
}

/** Items of typed lists carry no kind. */
function itemObject(item: KeyValue, served: ServedResource): KubernetesObject {
  const object = decodeServed(item, served);
  if (served.custom !== undefined) return object;
  delete object.kind;
  delete object.apiVersion;
  return object;
}
