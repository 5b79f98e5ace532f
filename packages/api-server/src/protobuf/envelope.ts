import { schemaOf } from "@homeostat/object-model";
import { decodeMessage } from "./decode-message.ts";
import { type ObjectType, ProtobufError } from "./protobuf-error.ts";
import { type WirePlan, wirePlanOf } from "./wire-plan.ts";
import { WireReader } from "./wire-reader.ts";
import type { WireWriter } from "./wire-writer.ts";

/** `k8s` and a zero byte: what every object begins with. */
const PREFIX: Buffer = Buffer.from("k8s\0");

/** What stands around an object: its type, and its bytes. */
export interface Envelope {
  /** "" where it is not said; the kind, too. */
  readonly apiVersion: string;
  readonly kind: string;
  /** A view of the bytes that were read. */
  readonly raw: Buffer;
}

/** Throws ProtobufError. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError("empty data");
  if (!PREFIX.every((byte, at) => bytes[at] === byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(" ")}]`,
    );
  }
  if (bytes.length === PREFIX.length) throw new ProtobufError("empty body");
  const reader = new WireReader(bytes);
  reader.at = PREFIX.length;
  return readUnknown(reader);
}

const NO_BYTES: Buffer = Buffer.alloc(0);

/** Field by field, so that the object's bytes are a view and not a text. */
function readUnknown(reader: WireReader): Envelope {
  const plan = unknownPlan();
  const type: { apiVersion?: string; kind?: string } = {};
  let raw: Buffer = NO_BYTES;
  while (reader.at < reader.end) {
    reader.tag(plan);
    const { number, wireType } = reader;
    if (number < 1 || number > FIELDS.length) {
      reader.skip();
      continue;
    }
    if (wireType !== 2) {
      const name = FIELDS[number - 1]!;
      throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${name}`);
    }
    if (number === 2) raw = reader.slice();
    else if (number > 2) reader.slice();
    else {
      const outer = reader.enter(reader.length());
      decodeMessage(plan.byNumber[1]!.plan, reader, type);
      reader.leave(outer);
    }
  }
  return { apiVersion: type.apiVersion ?? "", kind: type.kind ?? "", raw };
}

const FIELDS = ["TypeMeta", "Raw", "ContentEncoding", "ContentType"];

function unknownPlan(): WirePlan {
  return wirePlanOf(schemaOf("runtime.Unknown"));
}

/** What follows an object: encoding and content type, both empty. */
export const ENVELOPE_END: Buffer = Buffer.of(0x1a, 0x00, 0x22, 0x00);

/** What stands before an object of that many bytes. */
export function writeEnvelopeHead(writer: WireWriter, size: number, type: ObjectType): void {
  writer.varint(size);
  writer.byte(0x12);
  const before = writer.size;
  writer.text(type.kind);
  writer.byte(0x12);
  writer.text(type.apiVersion);
  writer.byte(0x0a);
  writer.varint(writer.size - before);
  writer.byte(0x0a);
  writer.bytes(PREFIX);
}
