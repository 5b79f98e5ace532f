import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { setOwnKey } from "@homeostat/object-model";
import { zeroValue } from "../codec/zero-value.ts";
import { decodeForm } from "./decode-form.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { wireFieldName } from "./wire-field-name.ts";
import type { WireFieldPlan, WirePlan } from "./wire-plan.ts";
import type { WireReader } from "./wire-reader.ts";

/**
 * Reads a message up to the reader's end into `target`. As in Go, a message that comes twice is
 * merged, of a scalar the last one counts, fields that nobody knows are passed over, and zeros that
 * Go cannot tell from absent fields are left out.
 */
export function decodeMessage(plan: WirePlan, reader: WireReader, target: JsonObject): JsonObject {
  while (reader.at < reader.end) {
    reader.tag(plan);
    const field = plan.byNumber[reader.number];
    if (field === undefined) reader.skip();
    else {
      checkWireType(field, reader);
      decodeField(field, reader, target);
    }
  }
  return target;
}

function checkWireType(field: WireFieldPlan, { wireType }: WireReader): void {
  if (wireType === field.wireType) return;
  const name = wireFieldName(field);
  throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${name}`);
}

function decodeField(field: WireFieldPlan, reader: WireReader, target: JsonObject): void {
  const { name } = field;
  if (field.shape === "single") {
    const value = decodeSingle(field, reader, target);
    if (value !== undefined) {
      if (!field.embedded) target[name] = value;
    } else if (target[name] !== undefined) delete target[name];
    return;
  }
  if (field.shape === "map") {
    const map = (target[name] ??= {}) as JsonObject;
    const outer = reader.enter(reader.length());
    decodeEntry(field, reader, map);
    reader.leave(outer);
    return;
  }
  const list = (target[name] ??= []) as JsonValue[];
  list.push(decodeElement(field, reader));
}

/** Undefined for what is as good as absent. */
function decodeSingle(
  field: WireFieldPlan,
  reader: WireReader,
  target: JsonObject,
): JsonValue | undefined {
  if (field.kind === "object") {
    const known = field.embedded ? target : ((target[field.name] as JsonObject | undefined) ?? {});
    return decodeNested(field, reader, known);
  }
  const value = decodeValue(field, reader);
  if (!field.dropsZero) return value ?? undefined;
  return value === "" || value === 0 || value === false ? undefined : (value ?? undefined);
}

/** What a list or a map holds is there, if only as the zero of its type. */
function decodeElement(field: WireFieldPlan, reader: WireReader): JsonValue {
  return field.kind === "object" ? decodeNested(field, reader, {}) : decodeValue(field, reader);
}

function decodeNested(field: WireFieldPlan, reader: WireReader, target: JsonObject): JsonObject {
  const outer = reader.enter(reader.length());
  decodeMessage(field.plan, reader, target);
  reader.leave(outer);
  return target;
}

/** Key 1 and value 2, either of which may be absent. Wire types are not looked at, as in Go. */
function decodeEntry(field: WireFieldPlan, reader: WireReader, map: JsonObject): void {
  let key = "";
  let value: JsonValue | undefined;
  while (reader.at < reader.end) {
    reader.entryTag();
    if (reader.number === 1) key = reader.text();
    else if (reader.number === 2) value = decodeElement(field, reader);
    else reader.skip();
  }
  setOwnKey(map, key, value === undefined ? zeroElement(field) : value);
}

/** What Go makes of an entry without a value. */
function zeroElement({ kind }: WireFieldPlan): JsonValue {
  if (kind === "bytes") return "";
  return kind === "string-list" ? [] : (zeroValue(kind) ?? {});
}

/** A value that is no struct; null for one that is as good as absent. */
function decodeValue(field: WireFieldPlan, reader: WireReader): JsonValue {
  switch (field.kind) {
    case "string":
      return reader.text();
    case "bool":
      return reader.bool();
    case "int32":
      return reader.int32();
    case "int64":
      return reader.int64();
    case "double":
      return finite(reader.double());
    case "bytes":
      return reader.slice().toString("base64");
    default:
      return decodeForm(field, reader, decodeMessage);
  }
}

/** JSON has no other numbers, and everything is kept as JSON. */
function finite(value: number): number {
  if (Number.isFinite(value)) return value + 0;
  const text = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  throw new ProtobufError(`json: unsupported value: ${text}`);
}
