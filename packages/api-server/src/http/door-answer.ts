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
  const chunks = payload.chunks()[Symbol.iterator]();
  const first = chunks.next();
  const second = chunks.next();
  // A list has at least its brackets.
  if (second.done === true)
    return { kind: "bytes", status, headers, bytes: first.value as Uint8Array };
  const stream = inTurn([first, second], chunks);
  return { kind: "byte-stream", openEnded: false, status, headers, chunks: stream };
}

/** Made as they are taken: whoever reads slowly holds one chunk. */
async function* inTurn(
  made: readonly IteratorResult<Uint8Array>[],
  chunks: Iterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (const each of made) yield each.value as Uint8Array;
  for (let next = chunks.next(); next.done !== true; next = chunks.next()) yield next.value;
}
