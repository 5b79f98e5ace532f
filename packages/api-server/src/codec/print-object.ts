import type { JsonObject, JsonValue, ObjectSchema } from "@homeostat/object-model";
import { compareBytewise, setOwnKey } from "@homeostat/object-model";
import type { FieldPlan, ObjectPlan } from "./object-plan.ts";
import { planOf } from "./object-plan.ts";
import { zeroValue } from "./zero-value.ts";

/**
 * The object as Go encodes it: fields in struct order, empty ones left out unless the type has them
 * printed, map keys sorted bytewise, unknown fields gone. Scalars are printed as they are, so they
 * must be in canonical form, as readObject gives them.
 *
 * What is in this form already is not copied: the answer shares every such subtree with `object`,
 * and is `object` itself if nothing had to move. `like` is in this form: members that are its own are
 * not even looked at.
 *
 * (Keys that look like array indexes come first and by number in any JavaScript object: such a map
 * is in order as a set of keys, not as a text.)
 */
export function printObject(
  schema: ObjectSchema,
  object: JsonObject,
  like?: Readonly<JsonObject>,
): JsonObject {
  return printStruct(planOf(schema), object, like);
}

/** By index of the field; undefined is left out. */
type Slots = (JsonValue | undefined)[];

function printStruct(plan: ObjectPlan, value: JsonObject, like?: Readonly<JsonObject>): JsonObject {
  const keys = Object.keys(value);
  let slots: Slots | undefined;
  let missing = plan.alwaysPrinted;
  let last = -1;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    const field = plan.fields.get(key);
    const given = value[key];
    let printed: JsonValue | undefined;
    if (field !== undefined && given !== undefined) {
      printed = like !== undefined && given === like[key] ? given : printField(field, given);
    }
    const inPlace = printed !== undefined && printed === given && field!.index > last;
    if (slots === undefined && !inPlace) slots = slotsOf(plan, value, keys.slice(0, at));
    if (printed === undefined) continue;
    last = field!.index;
    if (field!.printedWhenEmpty) missing--;
    if (slots !== undefined) slots[last] = printed;
  }
  if (slots === undefined) {
    if (missing === 0) return value;
    slots = slotsOf(plan, value, keys);
  }
  return assemble(plan, slots);
}

/** The values of those keys, which are known and need no change. */
function slotsOf(plan: ObjectPlan, value: JsonObject, keys: readonly string[]): Slots {
  const slots = plan.noValues.slice();
  for (const key of keys) slots[plan.fields.get(key)!.index] = value[key]!;
  return slots;
}

function assemble(plan: ObjectPlan, slots: Slots): JsonObject {
  const target: JsonObject = {};
  for (let index = 0; index < slots.length; index++) {
    const printed = slots[index];
    if (printed !== undefined) target[plan.ordered[index]!.name] = printed;
    else if (plan.ordered[index]!.printedWhenEmpty) {
      target[plan.ordered[index]!.name] = zeroOf(plan.ordered[index]!);
    }
  }
  return target;
}

/** Undefined where the field is empty: it is then left out or printed as its zero. */
function printField(field: FieldPlan, value: JsonValue): JsonValue | undefined {
  if (typeof value !== "object") return field.isEmptyAs(value) ? emptyOf(field, value) : value;
  if (value === null) return field.printedWhenEmpty && zeroIsNull(field) ? null : undefined;
  if (field.shape === "single") return printValue(field, value);
  if (Array.isArray(value)) {
    return value.length === 0 ? emptyOf(field, null) : printList(field, value);
  }
  return printMap(field, value) ?? emptyOf(field, null);
}

/** A zero that is printed anyway is as good as given. */
function emptyOf(field: FieldPlan, zero: JsonValue): JsonValue | undefined {
  return field.printedWhenEmpty ? zero : undefined;
}

function printList(field: FieldPlan, list: JsonValue[]): JsonValue[] {
  if (field.schemaName === undefined) return list;
  let target: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index]!;
    const printed = typeof item === "object" && item !== null ? printValue(field, item) : item;
    if (printed === item) continue;
    target ??= list.slice();
    target[index] = printed;
  }
  return target ?? list;
}

/** Undefined for an empty one. */
function printMap(field: FieldPlan, map: JsonObject): JsonObject | undefined {
  const keys = Object.keys(map);
  if (keys.length === 0) return undefined;
  let target = map;
  if (!areInOrder(keys)) {
    target = {};
    for (const key of keys.sort(compareBytewise)) setOwnKey(target, key, map[key]!);
  }
  if (field.schemaName === undefined) return target;
  for (const key of keys) {
    const item = map[key]!;
    const printed = typeof item === "object" && item !== null ? printValue(field, item) : item;
    if (printed === item) continue;
    if (target === map) target = { ...map };
    setOwnKey(target, key, printed);
  }
  return target;
}

function areInOrder(keys: readonly string[]): boolean {
  for (let at = 1; at < keys.length; at++) {
    if (compareBytewise(keys[at - 1]!, keys[at]!) > 0) return false;
  }
  return true;
}

/** A value, list element or map value that is an object or a list. */
function printValue(field: FieldPlan, value: JsonObject | JsonValue[]): JsonValue {
  switch (field.kind) {
    case "object":
      return Array.isArray(value) ? value : printStruct(field.plan, value);
    case "schema-or-bool":
    case "schema-or-list":
    case "schema-or-strings":
      return Array.isArray(value) ? printSchemas(field, value) : printStruct(field.plan, value);
    default:
      return value;
  }
}

function printSchemas(field: FieldPlan, list: JsonValue[]): JsonValue {
  return field.kind === "schema-or-list" ? printList(field, list) : list;
}

function zeroIsNull(field: FieldPlan): boolean {
  return field.pointer || field.shape !== "single" || zeroValue(field.kind) === null;
}

function zeroOf(field: FieldPlan): JsonValue {
  if (zeroIsNull(field)) return null;
  return field.kind === "object" ? printStruct(field.plan, {}) : zeroValue(field.kind)!;
}
