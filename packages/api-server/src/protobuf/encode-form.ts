import {
  type JsonObject,
  type JsonValue,
  parseDuration,
  parseMicroTime,
  parseTime,
} from "@homeostat/object-model";
import { fieldsV1Text } from "@homeostat/schema";
import type { writeMessage } from "./encode-message.ts";
import type { WireFieldPlan } from "./wire-plan.ts";
import type { WireWriter } from "./wire-writer.ts";

const SECOND = 1_000_000_000n;

interface FormValue {
  readonly writer: WireWriter;
  readonly value: JsonValue;
  readonly writeMessage: typeof writeMessage;
}

/** Writes the message, without its length, of a value that is no object in JSON. */
export function writeForm(field: WireFieldPlan, form: FormValue): void {
  const { writer, value, writeMessage } = form;
  switch (field.kind) {
    case "any":
    case "any-object":
      // Mostly sets of managers, of which many are shared and have their texts already.
      writer.text(fieldsV1Text(value));
      writer.byte(0x0a);
      break;
    case "quantity":
      writer.text(value as string);
      writer.byte(0x0a);
      break;
    case "time":
      writeTime(writer, value as string, parseTime);
      break;
    case "micro-time":
      writeTime(writer, value as string, parseMicroTime);
      break;
    default:
      writeMessage(field.plan, writer, partsOf(field, value));
  }
}

/** Its fields by their protobuf names. */
function partsOf({ kind }: WireFieldPlan, value: JsonValue): JsonObject {
  const schema = value as JsonObject;
  switch (kind) {
    case "duration":
      return { duration: parseDuration(value as string) };
    case "int-or-string":
      return typeof value === "string" ? { type: 1, strVal: value } : { type: 0, intVal: value };
    case "string-list":
      return { items: value };
    case "schema-or-list":
      return Array.isArray(value) ? { jSONSchemas: value } : { schema };
    case "schema-or-strings":
      return Array.isArray(value) ? { property: value } : { schema };
    default:
      return typeof value === "boolean" ? { allows: value } : { allows: true, schema };
  }
}

/** The time written last: those of one object are often the same. */
let last = { text: "", seconds: 0, nanoseconds: 0 };

/** Seconds since 1970, rounded down, and what is left of a second. */
function writeTime(writer: WireWriter, text: string, parse: (text: string) => bigint): void {
  if (text !== last.text) {
    const instant = parse(text);
    const rest = ((instant % SECOND) + SECOND) % SECOND;
    last = { text, seconds: Number((instant - rest) / SECOND), nanoseconds: Number(rest) };
  }
  writer.integer(last.nanoseconds);
  writer.byte(0x10);
  writer.integer(last.seconds);
  writer.byte(0x08);
}
