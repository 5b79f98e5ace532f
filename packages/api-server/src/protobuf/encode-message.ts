import { compareBytewise, type JsonObject, type JsonValue } from "@homeostat/object-model";
import { writeForm } from "./encode-form.ts";
import type { WireFieldPlan, WirePlan } from "./wire-plan.ts";
import type { WireWriter } from "./wire-writer.ts";

const NOTHING: JsonObject = {};

/**
 * Writes an object as Go marshals its struct: fields by number, each value that is no pointer with
 * its zero if it is absent, maps by key. The object is one that the codec has read or printed.
 */
export function writeMessage(plan: WirePlan, writer: WireWriter, object: JsonObject): void {
  const fields = plan.descending;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    if (field.embedded) writeNested(field, writer, object);
    else {
      const value = object[field.name];
      if (value === undefined || value === null) {
        if (field.pointer || field.shape !== "single") continue;
        writeZero(field, writer);
      } else if (field.shape === "single") writeValue(field, writer, value);
      else if (field.shape === "list") {
        writeList(field, writer, value as readonly JsonValue[]);
        continue;
      } else {
        writeMap(field, writer, value as JsonObject);
        continue;
      }
    }
    writer.varint(field.tag);
  }
}

function writeList(field: WireFieldPlan, writer: WireWriter, list: readonly JsonValue[]): void {
  for (let index = list.length - 1; index >= 0; index--) {
    writeElement(field, writer, list[index]!);
    writer.varint(field.tag);
  }
}

/** An entry is a message of key 1 and value 2. */
function writeMap(field: WireFieldPlan, writer: WireWriter, map: JsonObject): void {
  const keys = Object.keys(map);
  if (!isSorted(keys)) keys.sort(compareBytewise);
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index]!;
    const before = writer.size;
    writeElement(field, writer, map[key]!);
    writer.byte(0x10 + field.elementWireType);
    writer.text(key);
    writer.byte(0x0a);
    writer.varint(writer.size - before);
    writer.varint(field.tag);
  }
}

function isSorted(keys: readonly string[]): boolean {
  for (let at = 1; at < keys.length; at++) {
    if (compareBytewise(keys[at - 1]!, keys[at]!) > 0) return false;
  }
  return true;
}

function writeElement(field: WireFieldPlan, writer: WireWriter, value: JsonValue): void {
  if (value === null) writeZero(field, writer);
  else writeValue(field, writer, value);
}

/** A value, behind its length where it has one. */
function writeValue(field: WireFieldPlan, writer: WireWriter, value: JsonValue): void {
  switch (field.kind) {
    case "string":
      writer.text(value as string);
      break;
    case "object":
      writeNested(field, writer, value as JsonObject);
      break;
    case "bool":
      writer.byte(value === true ? 1 : 0);
      break;
    case "int32":
    case "int64":
      writer.integer(value as number | bigint);
      break;
    case "double":
      writer.double(Number(value));
      break;
    case "bytes":
      writer.base64(value as string);
      break;
    default: {
      const before = writer.size;
      writeForm(field, { writer, value, writeMessage });
      writer.varint(writer.size - before);
    }
  }
}

function writeNested(field: WireFieldPlan, writer: WireWriter, object: JsonObject): void {
  const before = writer.size;
  writeMessage(field.plan, writer, object);
  writer.varint(writer.size - before);
}

/** What Go marshals of a value that nobody gave. */
function writeZero(field: WireFieldPlan, writer: WireWriter): void {
  switch (field.kind) {
    case "double":
      writer.double(0);
      break;
    case "object":
      writeNested(field, writer, NOTHING);
      break;
    case "quantity":
      writeValue(field, writer, "0");
      break;
    case "duration":
      writeValue(field, writer, "0s");
      break;
    case "int-or-string":
      writeValue(field, writer, 0);
      break;
    default:
      // A number of 0, or nothing behind a length of 0.
      writer.byte(0);
  }
}
