import type { ListPayload, ObjectPayload } from "../answers/answer.ts";
import type { WatchLine } from "../answers/watch-line.ts";
import { PROTOBUF_ENCODER } from "../protobuf/protobuf-encoder.ts";
import type { MediaType } from "./negotiation.ts";
import { prettyEncoder } from "./pretty-json.ts";

/** How one media type writes what answers hold. */
export interface MediaEncoder {
  /** A large one may come in pieces. */
  object(payload: ObjectPayload): Uint8Array | Iterable<Uint8Array>;
  /** In pieces, made as they are taken. What takes long lets others have their turn. */
  list(
    payload: ListPayload,
    breathe: () => Promise<void>,
  ): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  line(line: WatchLine): Uint8Array;
  /** The content type of a watch; the others are named by their media type. */
  readonly streamType: string;
}

/** Kept bytes are JSON. */
const JSON_ENCODER: MediaEncoder = {
  object: (payload) => payload.bytes(),
  list: (payload) => payload.chunks(),
  line: (line) => line.bytes,
  streamType: "application/json",
};

const PRETTY_JSON_ENCODER = prettyEncoder(JSON_ENCODER);

/**
 * The place where a media type gets its encoder; what only few ask for is loaded when they do. JSON
 * alone has a form for people.
 */
export function encoderOf(
  media: MediaType,
  forPeople: boolean,
): MediaEncoder | Promise<MediaEncoder> {
  switch (media) {
    case "application/json":
      return forPeople ? PRETTY_JSON_ENCODER : JSON_ENCODER;
    case "application/yaml":
      return import("./encode-yaml.ts").then(({ YAML_ENCODER }) => YAML_ENCODER);
    case "application/vnd.kubernetes.protobuf":
      return PROTOBUF_ENCODER;
  }
}
