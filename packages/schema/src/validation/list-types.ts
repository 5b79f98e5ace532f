/** What lists of type set and map promise: no item twice. */
import { WORK_PER_SLICE, type WorkSteps } from "@homeostat/cel";
import {
  encodeJson,
  FieldError,
  FieldPath,
  type JsonObject,
  type JsonValue,
} from "@homeostat/object-model";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";
import { sortKeys } from "./shown-value.ts";

/** Every list in the value that breaks the promise of its type, each repeated item once; in steps. */
export function* checkListTypes(
  value: JsonValue,
  schema: StructuralSchema,
  path?: FieldPath,
): WorkSteps<FieldError[]> {
  if (!schema.hasKeyedListsBelow) return [];
  const found: Findings = { errors: [], work: 0 };
  yield* checkBelow(value, schema, { path, found });
  return found.errors;
}

interface Findings {
  readonly errors: FieldError[];
  /** Since the last rest, in microseconds, roughly. */
  work: number;
}

interface Place {
  readonly path: FieldPath | undefined;
  readonly found: Findings;
}

function* checkBelow(value: JsonValue, schema: StructuralSchema, place: Place): WorkSteps<void> {
  if (Array.isArray(value)) yield* checkList(value, schema, place);
  else if (isJsonObject(value)) yield* checkMembers(value, schema, place);
}

function* checkMembers(
  object: JsonObject,
  schema: StructuralSchema,
  { path, found }: Place,
): WorkSteps<void> {
  const { additionalSchema } = schema;
  for (const key of Object.keys(object)) {
    const member = object[key]!;
    if (typeof member !== "object" || member === null) continue;
    if (additionalSchema?.hasKeyedListsBelow) {
      const at = (path ?? FieldPath.of("")).key(key);
      yield* checkBelow(member, additionalSchema, { path: at, found });
    }
    const declared = schema.properties.get(key);
    if (declared?.hasKeyedListsBelow) {
      yield* checkBelow(member, declared, { path: path?.child(key) ?? FieldPath.of(key), found });
    }
    yield* work(found, ITEM_WORK);
  }
}

const ITEM_WORK = 1;
const ERROR_WORK = 10;

function* work(found: Findings, microseconds: number): WorkSteps<void> {
  found.work += microseconds;
  if (found.work < WORK_PER_SLICE) return;
  yield;
  found.work = 0;
}

function* checkList(
  list: readonly JsonValue[],
  schema: StructuralSchema,
  place: Place,
): WorkSteps<void> {
  const path = place.path ?? FieldPath.of("");
  const { found } = place;
  if (schema.listType === "set") {
    for (const index of yield* repeated(list, identityOf, found)) {
      found.errors.push(FieldError.duplicate(path.index(index), sortKeys(list[index]!)));
      yield* work(found, ERROR_WORK);
    }
  } else if (schema.listType === "map") yield* checkMapList(list, schema.listMapKeys, place);
  const { items } = schema;
  if (!items?.hasKeyedListsBelow) return;
  for (const [index, item] of list.entries()) {
    yield* checkBelow(item, items, { path: path.index(index), found });
  }
}

function* checkMapList(
  list: readonly JsonValue[],
  names: readonly string[],
  place: Place,
): WorkSteps<void> {
  const path = place.path ?? FieldPath.of("");
  const { found } = place;
  for (const [index, item] of list.entries()) {
    if (item === null || isJsonObject(item)) continue;
    const detail = "must be an object for an array of list-type map";
    found.errors.push(FieldError.invalid(path.index(index), sortKeys(item), detail));
    return;
  }
  const identity = (item: JsonValue): unknown => keyText(item as JsonObject | null, names);
  for (const index of yield* repeated(list, identity, found)) {
    const keys = keysOf(list[index] as JsonObject | null, names);
    found.errors.push(FieldError.duplicate(path.index(index), sortKeys(keys)));
    yield* work(found, ERROR_WORK);
  }
}

/** Tells apart what `keysOf` tells apart. */
function keyText(item: JsonObject | null, names: readonly string[]): unknown {
  if (names.length === 1)
    return item !== null && Object.hasOwn(item, names[0]!)
      ? identityOf(item[names[0]!]!)
      : undefined;
  return names
    .map((name) => {
      if (item === null || !Object.hasOwn(item, name)) return "";
      return encodeJson(sortKeys(item[name]!));
    })
    .join("\n");
}

/** The keys that the item has. */
function keysOf(item: JsonObject | null, names: readonly string[]): JsonObject {
  const present = names.filter((name) => item !== null && Object.hasOwn(item, name));
  return Object.fromEntries(present.map((name) => [name, item![name]!]));
}

/** The index of the second of each value that occurs more than once. */
function* repeated(
  values: readonly JsonValue[],
  identity: (value: JsonValue) => unknown,
  found: Findings,
): WorkSteps<number[]> {
  if (values.length <= 1) return [];
  const times = new Map<unknown, number>();
  const seconds: number[] = [];
  for (const [index, value] of values.entries()) {
    const key = identity(value);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    if (before === 1) seconds.push(index);
    found.work += ITEM_WORK + (typeof key === "string" ? key.length / KEYS_PER_MICROSECOND : 0);
    if (found.work >= WORK_PER_SLICE) yield* work(found, 0);
  }
  return seconds;
}

/** Characters of them. */
const KEYS_PER_MICROSECOND = 50;

/** The same for equal values and no others: texts are told from the texts that stand for objects. */
function identityOf(value: JsonValue): unknown {
  if (typeof value === "object" && value !== null) return `{}${encodeJson(sortKeys(value))}`;
  return typeof value === "string" ? `""${value}` : value;
}
