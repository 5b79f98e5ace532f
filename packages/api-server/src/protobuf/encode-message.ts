import { compareBytewise } from "@homeostat/object-model";
import type { ObjectJson } from "../answers/answer.ts";
import { writeDuration, writeIntOrString, writeRaw, writeText, writeTime } from "./encode-form.ts";
import type { JsonField, JsonPlan } from "./json-plan.ts";
import { JsonTape, NOTHING, TRUE } from "./json-tape.ts";
import { WireWriter } from "./wire-writer.ts";

/**
 * Writes objects as Go marshals their structs: fields by number, each value that is no pointer with
 * its zero if it is absent, maps by key. It is told what an object is by its JSON, as the codec prints
 * it: most of a message is a copy of pieces of that.
 */
export class MessageEncoder {
  readonly writer: WireWriter = new WireWriter(16 * 1024);
  readonly #tape = new JsonTape();

  /** The object in front of what is written already. */
  write(plan: JsonPlan, json: ObjectJson): void {
    this.#fields(plan.descending, this.#tape.read(json, plan));
  }

  #fields(fields: readonly JsonField[], object: number): void {
    const { writer } = this;
    const { words } = this.#tape;
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index]!;
      if (field.embedded !== undefined) {
        const before = writer.size;
        this.#fields(field.embedded, object);
        writer.varint(writer.size - before);
        writer.varint(field.tag);
        continue;
      }
      const value = words[object + field.place]!;
      if (value === NOTHING) {
        if (field.absent.length > 0) writer.bytes(field.absent);
      } else if (field.shape === "single") {
        this.#value(field, value);
        writer.varint(field.tag);
      } else if (field.shape === "list") this.#list(field, value);
      else if (value > 0) this.#map(field, value);
      else this.#unorderedMap(field, -value);
    }
  }

  #list(field: JsonField, last: number): void {
    for (let entry = last; entry !== NOTHING; entry = this.#tape.words[entry]!) {
      this.#element(field, this.#tape.words[entry + 1]!);
      this.writer.varint(field.tag);
    }
  }

  #map(field: JsonField, last: number): void {
    for (let entry = last; entry !== NOTHING; entry = this.#tape.words[entry]!) {
      this.#entry(field, entry);
    }
  }

  #unorderedMap(field: JsonField, last: number): void {
    const entries: { readonly key: string; readonly entry: number }[] = [];
    for (let entry = last; entry !== NOTHING; entry = this.#tape.words[entry]!) {
      entries.push({ key: this.#tape.textOf(entry + 2), entry });
    }
    entries.sort((left, right) => compareBytewise(right.key, left.key));
    for (const { entry } of entries) this.#entry(field, entry);
  }

  /** A message of key 1 and value 2. */
  #entry(field: JsonField, entry: number): void {
    const { writer } = this;
    const before = writer.size;
    this.#element(field, this.#tape.words[entry + 1]!);
    writer.byte(0x10 + field.wire.elementWireType);
    writeText(writer, this.#tape, entry + 2);
    writer.byte(0x0a);
    writer.varint(writer.size - before);
    writer.varint(field.tag);
  }

  #element(field: JsonField, value: number): void {
    if (value === NOTHING) this.writer.bytes(field.zero);
    else this.#value(field, value);
  }

  /** A value, behind its length where it has one. */
  #value(field: JsonField, value: number): void {
    const { writer } = this;
    switch (field.kind) {
      case "string":
        writeText(writer, this.#tape, value);
        break;
      case "object":
      case "string-list":
      case "schema-or-bool":
      case "schema-or-list":
      case "schema-or-strings": {
        const before = writer.size;
        this.#fields(field.plan.descending, value);
        writer.varint(writer.size - before);
        break;
      }
      case "bool":
        writer.byte(value === TRUE ? 1 : 0);
        break;
      case "int32":
      case "int64":
        writer.integer(this.#tape.integerOf(value));
        break;
      case "double":
        writer.double(Number(this.#tape.textOf(value)));
        break;
      case "bytes":
        writer.base64(this.#tape.textOf(value));
        break;
      default: {
        const before = writer.size;
        this.#form(field.kind, value);
        writer.varint(writer.size - before);
      }
    }
  }

  /** The message, without its length, of a scalar with a format of its own, or of plain JSON. */
  #form(kind: JsonField["kind"], value: number): void {
    const { writer } = this;
    switch (kind) {
      case "time":
      case "micro-time":
        writeTime(writer, this.#tape, value);
        break;
      case "duration":
        writeDuration(writer, this.#tape, value);
        break;
      case "int-or-string":
        writeIntOrString(writer, this.#tape, value);
        break;
      default:
        writeRaw(writer, this.#tape, value);
    }
  }
}
