/**
 * What a verb answers, before anyone knows whether it leaves as bytes through a socket or as an
 * object through the in-process door. Whoever asks for bytes gets kept bytes where there are some;
 * whoever asks for the object gets it frozen. Both say the same.
 */
import type { KubernetesObject, WatchFrame } from "@homeostat/object-model";

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload: Payload;
}

type Payload = ObjectPayload | ListPayload | WatchPayload | TextPayload;

/** One object or Status. */
export interface ObjectPayload {
  readonly kind: "object";
  /** JSON. Called at once, in the turn the answer was made. */
  bytes(): Uint8Array;
  object(): KubernetesObject;
}

/** A list: written piece by piece, so that a long one holds nobody up. */
export interface ListPayload {
  readonly kind: "list";
  /** JSON; pieces of some 100 KiB. */
  chunks(): Iterable<Uint8Array>;
  object(): KubernetesObject;
}

export interface WatchPayload {
  readonly kind: "watch";
  /** JSON lines; each chunk holds whole lines. */
  chunks(): AsyncIterableIterator<Uint8Array>;
  frames(): AsyncIterableIterator<WatchFrame>;
}

/** Something that is no object: health, version, discovery. */
interface TextPayload {
  readonly kind: "text";
  readonly contentType: string;
  readonly text: string;
}
