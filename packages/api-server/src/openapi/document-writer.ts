/**
 * How a JSON document becomes the protobuf message that says the same: each kind of object has a
 * layout, which field takes which key. Zeros are not written, and what a layout does not know is
 * either an extension (`x-...`) or left out.
 */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { WireWriter } from "../protobuf/wire-writer.ts";
import { blockYaml } from "./block-yaml.ts";

/** Writes one value, without a word about its field. Messages are written from their end. */
export type Body = (writer: WireWriter, value: JsonValue) => void;

/** Writes a value as a field, number and all; nothing for a zero. */
export type Field = (writer: WireWriter, value: JsonValue) => void;

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH_DELIMITED = 2;

/** One of several fields, of which the one that is there tells which it is, zero or not. */
interface Choice {
  readonly zeros?: boolean;
}

export function text(number: number, { zeros = false }: Choice = {}): Field {
  return (writer, value) => {
    if (value === "" && !zeros) return;
    writer.text(value as string);
    tag(writer, number, LENGTH_DELIMITED);
  };
}

export function texts(number: number): Field {
  return each((writer, value) => {
    writer.text(value as string);
    tag(writer, number, LENGTH_DELIMITED);
  });
}

export function flag(number: number, { zeros = false }: Choice = {}): Field {
  return (writer, value) => {
    if (value !== true && !zeros) return;
    writer.varint(value === true ? 1 : 0);
    tag(writer, number, VARINT);
  };
}

export function integer(number: number): Field {
  return (writer, value) => {
    if (value === 0) return;
    writer.integer(value as bigint | number);
    tag(writer, number, VARINT);
  };
}

export function double(number: number, { zeros = false }: Choice = {}): Field {
  return (writer, value) => {
    if (value === 0 && !zeros) return;
    writer.double(Number(value));
    tag(writer, number, EIGHT_BYTES);
  };
}

export function one(number: number, body: Body): Field {
  return (writer, value) => {
    const end = writer.size;
    body(writer, value);
    writer.varint(writer.size - end);
    tag(writer, number, LENGTH_DELIMITED);
  };
}

export function many(number: number, body: Body): Field {
  return each(one(number, body));
}

function each(field: Field): Field {
  return (writer, value) => {
    for (const item of (value as JsonValue[]).toReversed()) field(writer, item);
  };
}

/** Any value, as YAML. */
export const any: Body = (writer, value) => text(2)(writer, blockYaml(value));

/** A map as a list of names and values. */
export function named(number: number, value: Body): Field {
  const name = text(1);
  const entry = one(2, value);
  return (writer, map) => {
    for (const [key, item] of Object.entries(map as JsonObject).reverse()) {
      const end = writer.size;
      entry(writer, item);
      name(writer, key);
      writer.varint(writer.size - end);
      tag(writer, number, LENGTH_DELIMITED);
    }
  };
}

/** A message of these keys, in the order of their numbers. */
export function message(layout: Readonly<Record<string, Field>>, extensions?: number): Body {
  const fields = Object.entries(layout).reverse();
  const writeExtensions = extensions === undefined ? undefined : named(extensions, any);
  return (writer, value) => {
    const object = value as JsonObject;
    if (writeExtensions !== undefined) writeExtensions(writer, extensionsOf(object));
    for (const [key, field] of fields) {
      const item = object[key];
      if (item !== undefined) field(writer, item);
    }
  };
}

function extensionsOf(object: JsonObject): JsonObject {
  const names = Object.keys(object).filter((key) => key.startsWith("x-"));
  return Object.fromEntries(names.map((name) => [name, object[name]!]));
}

function tag(writer: WireWriter, number: number, type: number): void {
  writer.varint(number * 8 + type);
}
