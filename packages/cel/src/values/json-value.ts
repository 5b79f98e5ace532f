/**
 * JSON as values of declared types, wrapped when asked for: a rule that looks at one field of a large
 * object costs that field. The JSON is read, never copied or changed; keys are data, whatever their
 * names. What does not have the form its type declares is a failure where it is read.
 */
import { equalJson, type JsonObject, type JsonValue } from "@homeostat/object-model";
import { escapeName } from "../escape-name.ts";
import { fieldOfKey } from "../expression-types/field-of.ts";
import { DYN, type ListType, type ObjectType, type Type } from "../expression-types/type.ts";
import { equalValues, type SelfComparing } from "./equality.ts";
import { Failure } from "./failure.ts";
import { decodeBase64, parseFormattedDuration, parseFormattedTime } from "./formatted-text.ts";
import { JsonList, mergingList } from "./json-list.ts";
import { MAP } from "./map-value.ts";
import type { MapValue, Value } from "./value.ts";

/** The value that `json` is where a value of type `type` is expected. */
export function valueOf(json: JsonValue, type: Type): Value {
  if (json === null) return null;
  switch (type.kind) {
    case "object":
      return isObject(json) ? new JsonFields(json, type) : unexpected("a map", "object");
    case "map":
      return isObject(json) ? new JsonMap(json, type.value) : unexpected("a map", "object");
    case "list":
      return Array.isArray(json) ? listOfJson(json, type) : unexpected("an array", "array");
    case "optional":
      return valueOf(json, type.element);
    case "int":
      return intOfJson(json);
    case "double":
      return isNumber(json) ? Number(json) : mistyped("float", json);
    case "bool":
      return typeof json === "boolean" ? json : mistyped("bool", json);
    case "string":
      return typeof json === "string" ? json : mistyped("string", json);
    case "timestamp":
      return typeof json === "string" ? parseFormattedTime(json) : mistyped("string", json);
    case "duration":
      return typeof json === "string" ? parseFormattedDuration(json) : mistyped("string", json);
    case "bytes":
      return typeof json === "string" ? decodeBase64(json) : mistyped("string", json);
    default:
      return dynamicValue(json);
  }
}

/** By the form of the JSON: whole numbers are int, others double. */
function dynamicValue(json: JsonValue): Value {
  if (typeof json === "number") return Number.isSafeInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return new JsonList(json, DYN, valueOf);
  return isObject(json) ? new JsonMap(json, DYN) : json;
}

function listOfJson(json: readonly JsonValue[], type: ListType): Value {
  return type.merge === undefined
    ? new JsonList(json, type.element, valueOf)
    : mergingList(json, type.element, { merge: type.merge, valueOf });
}

/** A map with keys of the user. */
class JsonMap implements MapValue {
  readonly celType: Type = MAP;
  readonly strict = true;
  readonly #json: JsonObject;
  readonly #type: Type;

  constructor(json: JsonObject, type: Type) {
    this.#json = json;
    this.#type = type;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string") return new Failure("no such overload");
    if (!Object.hasOwn(this.#json, key)) return undefined;
    return valueOf(this.#json[key]!, this.#type);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#json);
  }
}

/** An object with declared fields. Others are there (they count) but cannot be read. */
class JsonFields implements MapValue, SelfComparing<MapValue> {
  readonly celType: Type = MAP;
  readonly strict = true;
  readonly #json: JsonObject;
  readonly #type: ObjectType;

  constructor(json: JsonObject, type: ObjectType) {
    this.#json = json;
    this.#type = type;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string") return new Failure("no such overload");
    const field = fieldOfKey(this.#type, key);
    if (field === undefined || !Object.hasOwn(this.#json, field.jsonName)) return undefined;
    const value = this.#json[field.jsonName]!;
    return value === null ? undefined : valueOf(value, field.type);
  }

  *keys(): Iterable<Value> {
    for (const [name, { jsonName }] of this.#type.fields) {
      if (Object.hasOwn(this.#json, jsonName)) yield name;
    }
  }

  /** Fields of no declared type are compared as JSON where both have them. */
  equals(other: MapValue): boolean {
    for (const name of Object.keys(this.#json)) {
      const field = this.#fieldNamed(name);
      if (field !== undefined) {
        const [mine, theirs] = [this.find(field), other.find(field)];
        if (mine === undefined && theirs === undefined) continue;
        if (mine === undefined || theirs === undefined || !equalValues(mine, theirs)) return false;
      } else if (other instanceof JsonFields && Object.hasOwn(other.#json, name)) {
        if (!equalJson(this.#json[name]!, other.#json[name]!)) return false;
      }
    }
    return true;
  }

  /** The name in expressions of a JSON name. */
  #fieldNamed(jsonName: string): string | undefined {
    const name = escapeName(jsonName);
    return name !== undefined && this.#type.fields.has(name) ? name : undefined;
  }
}

function intOfJson(json: JsonValue): Value {
  if (typeof json === "bigint") return json;
  return typeof json === "number" && Number.isInteger(json) ? BigInt(json) : mistyped("int", json);
}

function isNumber(json: JsonValue): json is bigint | number {
  return typeof json === "number" || typeof json === "bigint";
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function unexpected(form: string, type: string): Failure {
  return new Failure(`invalid data, expected ${form} for the provided schema with type=${type}`);
}

/** Kube-apiserver's messages name what it decodes JSON to. */
function mistyped(expected: string, json: JsonValue): Failure {
  return new Failure(`invalid data, expected ${expected}, got ${decodedName(json)}`);
}

function decodedName(json: JsonValue): string {
  switch (typeof json) {
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(json) ? "int64" : "float64";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return Array.isArray(json) ? "[]interface {}" : "map[string]interface {}";
  }
}
