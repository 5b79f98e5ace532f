import { ApiError, type DoorAnswer, type DoorRequest } from "@homeostat/object-model";
import type { Answer, ListPayload, ObjectPayload, WatchPayload } from "../answers/answer.ts";
import { chunksOf, framesOf } from "../answers/watch-stream.ts";
import { encoderOf, type MediaEncoder } from "./media-encoder.ts";
import type { MediaType } from "./negotiation.ts";
import { isForPeople } from "./pretty-json.ts";
import { warningHeaders } from "./warning-headers.ts";

type Headers = Record<string, string | readonly string[]>;

export interface AnswerForm {
  readonly request: DoorRequest;
  readonly media: MediaType;
  /** What the client is warned of, whatever the answer. */
  readonly warnings: readonly string[];
  /** Lets everybody else have a turn. */
  readonly breathe: () => Promise<void>;
  /** Sent with whatever is answered. Taken over: others are added to it. */
  readonly headers?: Record<string, string>;
  /** Called for every line of a watch. */
  readonly onLine?: (() => void) | undefined;
}

/** An answer in the form that was asked for; a promise only where its encoder has to be loaded. */
export function toDoorAnswer(
  { status, headers: given, payload }: Answer,
  form: AnswerForm,
): DoorAnswer | Promise<DoorAnswer> {
  const { request, media, warnings } = form;
  let headers: Headers = form.headers ?? {};
  headers["cache-control"] = "no-cache, private";
  if (given !== undefined) headers = { ...headers, ...given };
  if (headers["cache-control"] === "") delete headers["cache-control"];
  if (warnings.length > 0) headers["warning"] = warningHeaders(warnings);
  if (payload.kind === "text") {
    headers["content-type"] = payload.contentType;
    return { kind: "bytes", status, headers, bytes: Buffer.from(payload.text) };
  }
  if (payload.kind === "bytes") {
    if (payload.contentType !== "") headers["content-type"] = payload.contentType;
    return { kind: "bytes", status, headers, bytes: payload.bytes };
  }
  if (payload.kind === "stream")
    return { kind: "byte-stream", openEnded: true, status, headers, chunks: payload.chunks };
  // The door has no way to become something else.
  if (payload.kind === "passage") throw ApiError.badRequest("Upgrade request required");
  headers["content-type"] = media;
  if (request.want === "object") {
    if (payload.kind === "watch")
      return { kind: "watch", status, headers, frames: framesOf(payload) };
    return { kind: "object", status, headers, object: payload.object() };
  }
  const head = { status, headers, form };
  const encoder = encoderOf(media, isForPeople(request));
  return encoder instanceof Promise
    ? encoder.then((loaded) => encoded(payload, loaded, head))
    : encoded(payload, encoder, head);
}

interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  readonly form: AnswerForm;
}

function encoded(
  payload: ListPayload | ObjectPayload | WatchPayload,
  encoder: MediaEncoder,
  { status, headers, form: { onLine, breathe } }: AnswerHead,
): DoorAnswer {
  if (payload.kind === "watch") {
    headers["content-type"] = encoder.streamType;
    const chunks = chunksOf(payload, (line) => {
      onLine?.();
      return encoder.line(line);
    });
    return { kind: "byte-stream", openEnded: true, status, headers, chunks };
  }
  const pieces =
    payload.kind === "object" ? encoder.object(payload) : encoder.list(payload, breathe);
  if (pieces instanceof Uint8Array) return { kind: "bytes", status, headers, bytes: pieces };
  if (Symbol.asyncIterator in pieces)
    return { kind: "byte-stream", openEnded: false, status, headers, chunks: pieces };
  const chunks = pieces[Symbol.iterator]();
  const first = chunks.next();
  const second = chunks.next();
  // A list has at least its brackets.
  if (second.done === true)
    return { kind: "bytes", status, headers, bytes: first.value as Uint8Array };
  const stream = inTurn([first, second], chunks, breathe);
  return { kind: "byte-stream", openEnded: false, status, headers, chunks: stream };
}

/** Made as they are taken, a turn each: whoever reads slowly holds one chunk. */
async function* inTurn(
  made: readonly IteratorResult<Uint8Array>[],
  chunks: Iterator<Uint8Array>,
  breathe: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for (const each of made) yield each.value as Uint8Array;
  for (let next = chunks.next(); next.done !== true; next = chunks.next()) {
    yield next.value;
    await breathe();
  }
}
