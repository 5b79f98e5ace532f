import type { DoorAnswer, DoorRequest } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import type { MediaType } from "./negotiation.ts";
import { warningHeaders } from "./warning-headers.ts";

type Headers = Record<string, string | readonly string[]>;

export interface AnswerForm {
  readonly request: DoorRequest;
  readonly media: MediaType;
  /** What the client is warned of, whatever the answer. */
  readonly warnings: readonly string[];
}

/** An answer in the form that was asked for. */
export async function toDoorAnswer(
  { status, headers: given, payload }: Answer,
  { request, media, warnings }: AnswerForm,
): Promise<DoorAnswer> {
  const headers: Headers = { "cache-control": "no-cache, private", ...given };
  if (headers["cache-control"] === "") delete headers["cache-control"];
  if (warnings.length > 0) headers["warning"] = warningHeaders(warnings);
  if (payload.kind === "text") {
    headers["content-type"] = payload.contentType;
    return { kind: "bytes", status, headers, bytes: Buffer.from(payload.text) };
  }
  headers["content-type"] = media;
  if (payload.kind === "watch") {
    if (request.want === "object")
      return { kind: "watch", status, headers, frames: payload.frames() };
    return { kind: "byte-stream", openEnded: true, status, headers, chunks: payload.chunks() };
  }
  if (request.want === "object")
    return { kind: "object", status, headers, object: payload.object() };
  if (media === "application/yaml") {
    const { encodeYaml } = await import("./encode-yaml.ts");
    return { kind: "bytes", status, headers, bytes: encodeYaml(payload.object()) };
  }
  if (payload.kind === "object") return { kind: "bytes", status, headers, bytes: payload.bytes() };
  const [first, ...rest] = firstChunks(payload.chunks());
  if (rest.length === 0) return { kind: "bytes", status, headers, bytes: first };
  return { kind: "byte-stream", openEnded: false, status, headers, chunks: all(first, rest[0]!) };
}

/** The first chunk, and the iterator behind it if there is more. */
function firstChunks(
  chunks: Iterable<Uint8Array>,
): [Uint8Array, ...{ chunk: Uint8Array; rest: Iterator<Uint8Array> }[]] {
  const iterator = chunks[Symbol.iterator]();
  const first = iterator.next();
  const bytes: Uint8Array = first.done === true ? new Uint8Array(0) : first.value;
  const second = iterator.next();
  if (second.done === true) return [bytes];
  return [bytes, { chunk: second.value, rest: iterator }];
}

/** Made as they are taken: whoever reads slowly holds one chunk. */
async function* all(
  first: Uint8Array,
  { chunk, rest }: { chunk: Uint8Array; rest: Iterator<Uint8Array> },
): AsyncGenerator<Uint8Array> {
  yield first;
  yield chunk;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}
