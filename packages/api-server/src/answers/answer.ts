/**
 * What a verb answers, before anyone knows whether it leaves as bytes through a socket or as an
 * object through the in-process door. Whoever asks for bytes gets kept bytes where there are some;
 * whoever asks for the object gets it frozen. Both say the same.
 */
import type { KubernetesObject, ListMeta } from "@homeostat/object-model";
import type { MediaType } from "../http/negotiation.ts";
import type { Destination } from "../kubelet/node-connector.ts";
import type { WatchLine } from "./watch-line.ts";

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly payload: Payload;
  /** What it is to be encoded in, where that has been decided. */
  readonly media?: MediaType;
}

export type Payload =
  | ObjectPayload
  | ListPayload
  | WatchPayload
  | TextPayload
  | BytesPayload
  | StreamPayload
  | PassagePayload;

/** One object or Status. */
export interface ObjectPayload {
  readonly kind: "object";
  /** JSON, a large one in pieces made as they are taken. Called in the turn the answer was made. */
  bytes(): Uint8Array | Iterable<Uint8Array>;
  /** The same in one piece. */
  json(): ObjectJson;
  /** Frozen. */
  object(): KubernetesObject;
}

/** The JSON of one object. */
export interface ObjectJson {
  readonly bytes: Uint8Array;
  /**
   * Where field sets of its managers stand, of which those who make something else of the JSON need
   * not read a byte: begin and end of each, in order. Some or all may be left out.
   */
  readonly sets: readonly number[];
}

/** A list: written piece by piece, so that a long one holds nobody up. */
export interface ListPayload {
  readonly kind: "list";
  /** JSON, in pieces made as they are taken. */
  chunks(): Iterable<Uint8Array>;
  object(): KubernetesObject;
  /** The list without its items. */
  readonly frame: ListFrame;
  /** New decoded copies, one at a time, each with its kind. */
  items(): Iterable<KubernetesObject>;
  /** The JSON of each, as it stands in the list or alone; good until the next is taken. */
  itemJson(): Iterable<ObjectJson>;
}

export interface ListFrame {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
}

export interface WatchPayload {
  readonly kind: "watch";
  /** The next lines, at least one; undefined when the watch is over. One caller at a time. */
  next(): Promise<readonly WatchLine[] | undefined>;
  end(): void;
}

/** Something that is no object: health, version, discovery. */
interface TextPayload {
  readonly kind: "text";
  readonly contentType: string;
  readonly text: string;
}

/** A whole body in its own encoding. Must not be written to. */
interface BytesPayload {
  readonly kind: "bytes";
  /** "" for none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A body that somebody else writes, as it comes; its headers are the answer's. */
interface StreamPayload {
  readonly kind: "stream";
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The caller's connection is to become one with somebody else, who has not been dialled yet. */
interface PassagePayload {
  readonly kind: "passage";
  readonly to: Destination;
}
