import type { JsonObject, JsonValue } from "@homeostat/object-model";
import {
  decodeJson,
  JsonError,
  printDuration,
  printMicroTime,
  printTime,
} from "@homeostat/object-model";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import { readQuantity } from "../codec/read-scalar.ts";
import type { decodeMessage } from "./decode-message.ts";
import { ProtobufError } from "./protobuf-error.ts";
import type { WireFieldPlan } from "./wire-plan.ts";
import type { WireReader } from "./wire-reader.ts";

const SECOND = 1_000_000_000n;
/** The first second of the year 1, and the first that is not of the year 9999 any more. */
const FIRST_INSTANT = -62_135_596_800n * SECOND;
const END_OF_INSTANTS = 253_402_300_800n * SECOND;

/** A message that is no object in JSON. Null for what is as good as absent. */
export function decodeForm(
  field: WireFieldPlan,
  reader: WireReader,
  decode: typeof decodeMessage,
): JsonValue {
  const length = reader.length();
  const outer = reader.enter(length);
  const value = decodeInside(field, reader, decode);
  reader.leave(outer);
  return value;
}

function decodeInside(
  field: WireFieldPlan,
  reader: WireReader,
  decode: typeof decodeMessage,
): JsonValue {
  switch (field.kind) {
    case "any":
    case "any-object":
      return rawJson(lastPart(field, reader));
    case "quantity":
      return quantity(lastPart(field, reader));
    case "time":
    case "micro-time":
      // Nothing at all is the zero time; zeros are the beginning of 1970.
      if (reader.at === reader.end) return null;
      break;
    default:
  }
  return formOf(field, decode(field.plan, reader, {}));
}

/** From the fields of the message by their protobuf names. */
function formOf({ kind }: WireFieldPlan, parts: JsonObject): JsonValue {
  switch (kind) {
    case "time":
      return time(parts);
    case "micro-time":
      return printMicroTime(instantOf(parts, wholeMicroseconds(parts)));
    case "duration":
      return printDuration(BigInt(integer(parts, "duration")));
    case "int-or-string":
      return intOrString(parts);
    case "string-list":
      return parts["items"] ?? [];
    case "schema-or-list":
      return parts["jSONSchemas"] ?? parts["schema"] ?? null;
    case "schema-or-strings":
      return parts["property"] ?? parts["schema"] ?? null;
    default:
      return parts["schema"] ?? parts["allows"] ?? false;
  }
}

/** Of a message of one text or one piece of bytes: the last one, undefined for none. */
function lastPart({ plan }: WireFieldPlan, reader: WireReader): Buffer | undefined {
  let last: Buffer | undefined;
  while (reader.at < reader.end) {
    reader.tag(plan);
    if (reader.number !== 1) reader.skip();
    else if (reader.wireType === 2) last = reader.slice();
    else {
      const name = plan.typeName === "Quantity" ? "String_" : "Raw";
      throw new ProtobufError(`proto: wrong wireType = ${reader.wireType} for field ${name}`);
    }
  }
  return last;
}

/** JSON inside protobuf. No bytes are nothing. */
function rawJson(raw: Buffer | undefined): JsonValue {
  if (raw === undefined || raw.length === 0) return null;
  try {
    return decodeJson(raw);
  } catch (error) {
    if (error instanceof JsonError) throw new ProtobufError(error.reason, { cause: error });
    throw error;
  }
}

/** No text at all is the zero; an empty text is none, and spaces around it are part of it. */
function quantity(bytes: Buffer | undefined): JsonValue {
  if (bytes === undefined) return "0";
  const text = bytes.toString();
  try {
    return readQuantity(text.trim() === text ? text : `?${text}`);
  } catch (error) {
    if (error instanceof ObjectDecodeError)
      throw new ProtobufError(error.message, { cause: error });
    throw error;
  }
}

function integer(parts: JsonObject, name: string): number | bigint {
  return (parts[name] as number | bigint | undefined) ?? 0;
}

/** The time read last: those of one object are often the same. */
let last: { seconds: JsonValue; text: JsonValue } = { seconds: null, text: null };

/** Fractions of a second are dropped. */
function time(parts: JsonObject): JsonValue {
  const seconds = integer(parts, "seconds");
  if (seconds !== last.seconds) last = { seconds, text: printTime(instantOf(parts, 0n)) };
  return last.text;
}

/** Other years have no text that could be read again. */
function instantOf(parts: JsonObject, nanoseconds: bigint): bigint {
  const instant = BigInt(integer(parts, "seconds")) * SECOND + nanoseconds;
  if (instant >= FIRST_INSTANT && instant < END_OF_INSTANTS) return instant;
  const seconds = integer(parts, "seconds");
  throw new ProtobufError(`a time of ${seconds} seconds is not in the years 1 to 9999`);
}

/** Truncated toward zero. */
function wholeMicroseconds(parts: JsonObject): bigint {
  return (BigInt(integer(parts, "nanos")) / 1_000n) * 1_000n;
}

function intOrString(parts: JsonObject): JsonValue {
  const type = integer(parts, "type");
  if (type === 0) return parts["intVal"] ?? 0;
  if (type === 1) return parts["strVal"] ?? "";
  throw new ProtobufError("impossible IntOrString.Type");
}
