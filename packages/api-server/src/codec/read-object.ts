import type { JsonObject, JsonValue, ObjectSchema } from "@homeostat/object-model";
import { cloneJson, setOwnKey } from "@homeostat/object-model";
import { isShared } from "@homeostat/schema";
import { goTypeOfSchema } from "./go-type-names.ts";
import { ObjectDecodeError } from "./object-decode-error.ts";
import type { FieldPlan, ObjectPlan } from "./object-plan.ts";
import { planOf } from "./object-plan.ts";
import { ReadPlace } from "./read-place.ts";
import {
  readBytes,
  readDouble,
  readDuration,
  readInt32,
  readInt64,
  readIntOrString,
  readMicroTime,
  readQuantity,
  readTime,
} from "./read-scalar.ts";
import { zeroValue } from "./zero-value.ts";

export interface ReadObject {
  /** Shares nothing with what was read but shared sets. Keys are in no particular order. */
  readonly object: JsonObject;
  /** Paths of the fields that were dropped, `spec.containers[0].foo`, as met; 100 at most. */
  readonly unknownFields: readonly string[];
}

/**
 * Reads a JSON value as kube-apiserver decodes it into the Go struct of the kind, and throws
 * ObjectDecodeError with its message where it would refuse.
 *
 * A field that is null is absent, and so is a zero (`""`, 0, false) in a field that is no pointer:
 * Go cannot tell them apart. An empty list, map or struct stays as it was given. Quantities, times,
 * durations and bytes are in canonical form.
 */
export function readObject(schema: ObjectSchema, value: JsonValue): ReadObject {
  const place = new ReadPlace();
  const object = readStruct(planOf(schema), value, place);
  place.throwFirst();
  return { object, unknownFields: place.unknownFields };
}

function readStruct(plan: ObjectPlan, value: JsonValue, place: ReadPlace): JsonObject {
  const target: JsonObject = {};
  if (typeof value !== "object" || Array.isArray(value)) {
    place.addMismatch(value, goTypeOfSchema(plan.schemaName));
    return target;
  }
  if (value === null) return target;
  place.enter();
  const last = place.depth - 1;
  for (const key of Object.keys(value)) {
    const field = plan.fields.get(key);
    if (field === undefined) {
      place.addUnknown(key);
      continue;
    }
    place.steps[last] = field;
    const given = value[key] as JsonValue;
    if (given === null) continue;
    const read = readField(field, given, place);
    if (read !== null && !field.isEmptyAs(read)) target[key] = read;
  }
  place.leave();
  return target;
}

function readField(field: FieldPlan, value: JsonValue, place: ReadPlace): JsonValue {
  if (field.shape === "single") return readValue(field, value, place);
  return field.shape === "list" ? readList(field, value, place) : readMap(field, value, place);
}

function readList(field: FieldPlan, value: JsonValue, place: ReadPlace): JsonValue {
  if (!Array.isArray(value)) {
    place.addMismatch(value);
    return null;
  }
  place.enter();
  const last = place.depth - 1;
  const list: JsonValue[] = [];
  for (let index = 0; index < value.length; index++) {
    place.steps[last] = index;
    list.push(readElement(field, value[index]!, place));
  }
  place.leave();
  return list;
}

function readMap(field: FieldPlan, value: JsonValue, place: ReadPlace): JsonValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    place.addMismatch(value);
    return null;
  }
  if (field.kind === "string" && hasOnlyStrings(value)) return { ...value };
  place.enter();
  const last = place.depth - 1;
  const map: JsonObject = {};
  for (const key of Object.keys(value)) {
    place.steps[last] = key;
    setOwnKey(map, key, readElement(field, value[key]!, place));
  }
  place.leave();
  return map;
}

function hasOnlyStrings(map: JsonObject): boolean {
  for (const key in map) if (typeof map[key] !== "string") return false;
  return true;
}

/** Null where a list or map holds a value is the zero of its type. */
function readElement(field: FieldPlan, value: JsonValue, place: ReadPlace): JsonValue {
  if (value !== null) return readValue(field, value, place);
  // These come back from storage empty, not null.
  if (field.kind === "bytes") return "";
  if (field.kind === "string-list") return [];
  const zero = zeroValue(field.kind);
  return zero === undefined ? {} : zero;
}

/** One value of the field's kind; not null. */
function readValue(field: FieldPlan, value: JsonValue, place: ReadPlace): JsonValue {
  switch (field.kind) {
    case "string":
      if (typeof value === "string") return value;
      place.addMismatch(value);
      return null;
    case "object":
      return readStruct(field.plan, value, place);
    case "int32":
      return readInt32(value, place);
    case "bool":
      if (typeof value === "boolean") return value;
      place.addMismatch(value);
      return null;
    case "int-or-string":
      return readIntOrString(value, place);
    case "quantity":
      return readQuantity(value);
    case "time":
      return readTime(value, place);
    case "int64":
      return readInt64(value, place);
    case "any":
    case "any-object":
      return isShared(value) ? value : cloneJson(value);
    case "bytes":
      return readBytes(value, place);
    case "micro-time":
      return readMicroTime(value, place);
    case "duration":
      return readDuration(value, place);
    case "double":
      return readDouble(value, place);
    case "string-list":
      return readStringList(field, value, place);
    case "schema-or-bool":
    case "schema-or-list":
    case "schema-or-strings":
      return place.readSelf(() => readAlternative(field, value, place));
  }
}

function readStringList(field: FieldPlan, value: JsonValue, place: ReadPlace): JsonValue {
  if (!Array.isArray(value)) {
    place.addMismatch(value, goTypeOfSchema(field.schemaName!));
    return null;
  }
  return readEach(value, place, (item) => {
    if (typeof item === "string") return item;
    if (item !== null) place.addMismatch(item, "string");
    return "";
  });
}

/** A JSON schema, or else what the kind's name says. What is neither is as good as absent. */
function readAlternative(field: FieldPlan, value: JsonValue, place: ReadPlace): JsonValue {
  const { kind, plan } = field;
  if (Array.isArray(value)) {
    if (kind === "schema-or-list") {
      return readEach(value, place, (item) => readStruct(plan, item, place));
    }
    if (kind === "schema-or-strings") return readStringList(field, value, place);
  } else if (typeof value === "object") return readStruct(plan, value, place);
  if (kind !== "schema-or-bool") return null;
  if (typeof value === "boolean") return value;
  throw new ObjectDecodeError("boolean or JSON schema expected");
}

function readEach(
  list: readonly JsonValue[],
  place: ReadPlace,
  read: (item: JsonValue) => JsonValue,
): JsonValue {
  place.enter();
  const last = place.depth - 1;
  const target = list.map((item, index) => {
    place.steps[last] = index;
    return read(item);
  });
  place.leave();
  return target;
}
