/**
 * The in-process door: how a client in the same process talks to an API server without sockets.
 * `api-server` implements it, `client` takes it, and neither imports the other.
 *
 * The door speaks HTTP's terms (method, path, headers, status), because the HTTP server is only
 * another user of it: it turns bytes of a socket into a {@link DoorRequest} and an answer back into
 * bytes. So there is one path through authentication, authorization, admission and storage, and the
 * promise is simple: whatever is asked here gets the answer that HTTPS would give, refusals
 * included. What the door saves is the way there: bodies go in as values and come out as the frozen
 * objects that the server itself holds, not copied, not encoded, not decoded twice.
 *
 * Whoever holds a door is trusted: it says who the user is. Nothing here takes real time or depends
 * on it, so a plane and its clients replay from a seed. Connections that change protocol (exec,
 * attach, port-forward) do not pass through the door.
 */

import type { UserInfo } from "./generated/authentication-v1.ts";
import type { KubernetesObject } from "./object.ts";

export interface RequestDoor {
  /**
   * Resolves as soon as status and headers are known; a stream begins after that. A refused request
   * is an answer like any other, with a Status as its object. Rejects only where there can be no
   * answer: with the signal's reason when that aborts first, with {@link RequestDoorError} when the
   * plane is closed. An aborted write may have taken effect all the same, as over any network.
   */
  send(request: DoorRequest): Promise<DoorAnswer>;
}

export interface DoorRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

  /** As in a URL, escaped and without the query: `/api/v1/namespaces/default/pods/web-0`. */
  readonly path: string;

  /** Not escaped. A list is a parameter given more than once. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;

  /** Names in lower case. `accept`, `content-type` and impersonation work as over HTTPS. */
  readonly headers?: Readonly<Record<string, string>>;

  readonly body?: DoorBody;

  /** Already authenticated. Without it the headers decide, and without credentials anonymous. */
  readonly user?: UserInfo;

  /** Whom the user acts as, in place of the headers for it, which here can name one group only. */
  readonly impersonate?: UserInfo;

  /**
   * In which form the body of the answer is wanted. `object` for clients here; `bytes` for whoever
   * passes it on, who gets kept bytes without a decode. It never changes what the answer says.
   */
  readonly want: "object" | "bytes";

  /** Where it came from, over a network: proxies first, the nearest address last. For the audit log. */
  readonly sourceAddresses?: () => readonly string[];

  /** Ends the request, and the stream that answered it. */
  readonly signal?: AbortSignal;
}

/**
 * A value is taken as if it had been sent as JSON and must not change afterwards: the server may
 * keep it, and freezes what it keeps. Patches are values too; the content type says which kind.
 */
export type DoorBody =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

interface DoorAnswerHead {
  readonly status: number;
  /** Names in lower case. A list is a header given more than once, such as `warning`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** One object, a list or a Status: deeply frozen and shared with others. */
export interface ObjectAnswer extends DoorAnswerHead {
  readonly kind: "object";
  readonly object: KubernetesObject;
}

/** A whole body, in the media type that the headers name. Must not be written to. */
export interface BytesAnswer extends DoorAnswerHead {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
}

/** A watch, as objects. */
export interface WatchAnswer extends DoorAnswerHead {
  readonly kind: "watch";
  readonly frames: DoorStream<WatchFrame>;
}

/** A long list, a watch, or another open-ended body (logs that are followed), as bytes. */
export interface ByteStreamAnswer extends DoorAnswerHead {
  readonly kind: "byte-stream";
  /** A watch or its like: every chunk is to be passed on at once, as it is. */
  readonly openEnded: boolean;
  readonly chunks: DoorStream<Uint8Array>;
}

export type DoorAnswer = ObjectAnswer | BytesAnswer | WatchAnswer | ByteStreamAnswer;

/**
 * Read once, by one reader, in order. It ends when the server ends it: the time asked for is over,
 * the plane closes, or the reader is too slow (a watcher is cut, never made to skip). Reading throws
 * the signal's reason once that has aborted. Leaving the loop gives the server's side free.
 */
export type DoorStream<Item> = AsyncIterable<Item>;

/** One watch event. */
export interface WatchFrame {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

  /**
   * Deeply frozen, the same for every watcher, and possibly decoded only when first read. For a
   * bookmark only the resource version counts; for an error it is a Status, and the last frame.
   */
  readonly object: KubernetesObject;
}

export class RequestDoorError extends Error {
  override readonly name: string = "RequestDoorError";
  readonly code = "request-door-closed";
}
