import type { WatchFrame } from "@homeostat/object-model";
import type { ObjectJson } from "../answers/answer.ts";
import { sharedEncoder, writeObject } from "./encode-object.ts";

/**
 * A frame of a watch: its length in four bytes, then a WatchEvent without an envelope, which holds
 * its type and, as the content of a RawExtension, the object in its envelope.
 */
export function encodeWatchEvent(type: WatchFrame["type"], json: ObjectJson): Buffer {
  const encoder = sharedEncoder();
  const { writer } = encoder;
  writeObject(encoder, json);
  writer.varint(writer.size);
  writer.byte(0x0a);
  writer.varint(writer.size);
  writer.byte(0x12);
  writer.text(type);
  writer.byte(0x0a);
  const { size } = writer;
  for (let rest = size, count = 0; count < 4; count++, rest >>>= 8) writer.byte(rest & 0xff);
  return writer.take();
}
