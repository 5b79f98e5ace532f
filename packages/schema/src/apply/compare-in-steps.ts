import type { WorkSteps } from "@homeostat/cel";
import type { JsonValue } from "@homeostat/object-model";
import {
  Children,
  type Comparison,
  compareItems,
  compareNodes,
  comparisonOf,
  type Members,
  membersOf,
  type Nodes,
  wholeOf,
} from "./compare-values.ts";
import { EMPTY_SET, type FieldSet, type MutableFieldSet, SELF } from "./field-set.ts";
import { itemsInSteps } from "./items-by-element.ts";
import {
  formOf,
  type ListForm,
  type MapForm,
  type MergeSchema,
  typeOfKey,
} from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";

/** What is in a longer map or list is taken as small, and some of it is one step. */
const LONG = 50;
const PER_STEP = 256;

/** {@link compareValues} of large values: the same, in steps. */
export function* compareInSteps(
  left: JsonValue,
  right: JsonValue,
  schema: MergeSchema,
): WorkSteps<Comparison> {
  return comparisonOf(yield* compare(left, right, schema));
}

function* compare(
  left: JsonValue,
  right: JsonValue,
  schema: MergeSchema,
): WorkSteps<Nodes | undefined> {
  if (left === right) return undefined;
  const form = formOf(schema, right);
  if (form === formOf(schema, left)) {
    if (form === "map" && schema.map!.relation !== "atomic") {
      const [before, after] = [membersOf(left), membersOf(right)];
      if (before.keys.length + after.keys.length > 0) {
        return yield* compareMaps(before, after, schema.map!);
      }
    } else if (form === "list" && schema.list!.relation !== "atomic") {
      if (Array.isArray(left) && Array.isArray(right) && left.length + right.length > 0) {
        return yield* compareLists(left, right, schema.list!);
      }
    }
  }
  return compareNodes(left, right, schema);
}

function* compareMaps(before: Members, after: Members, map: MapForm): WorkSteps<Nodes | undefined> {
  const children = new Children();
  const isLong = before.keys.length + after.keys.length > LONG;
  let count = 0;
  for (const key of before.keys) {
    if (++count % PER_STEP === 0) yield;
    const type = typeOfKey(map, key);
    if (type === undefined) continue;
    const element = fieldElement(key);
    const left = before.map[key]!;
    if (!Object.hasOwn(after.map, key)) {
      children.remove(element, isLong ? wholeOf(left, type) : yield* whole(left, type));
      continue;
    }
    const right = after.map[key]!;
    const nodes = isLong ? compareNodes(left, right, type) : yield* compare(left, right, type);
    children.take(element, nodes);
  }
  for (const key of after.keys) {
    if (++count % PER_STEP === 0) yield;
    const type = typeOfKey(map, key);
    if (type === undefined || Object.hasOwn(before.map, key)) continue;
    const right = after.map[key]!;
    children.add(fieldElement(key), isLong ? wholeOf(right, type) : yield* whole(right, type));
  }
  return children.nodes();
}

function* compareLists(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  list: ListForm,
): WorkSteps<Nodes | undefined> {
  const before = yield* itemsInSteps(left, list);
  const after = yield* itemsInSteps(right, list);
  const isLong = before.size + after.size > LONG;
  const type = list.element!;
  const children = new Children();
  let count = 0;
  for (const [element, items] of before) {
    if (++count % PER_STEP === 0) yield;
    const now = after.get(element);
    if (isLong || items.length > 1 || now?.length !== 1) {
      compareItems(children, { element, items, after, list });
    } else children.take(element, yield* compare(items[0]!, now[0]!, type));
  }
  for (const [element, items] of after) {
    if (++count % PER_STEP === 0) yield;
    if (before.has(element)) continue;
    if (items.length > 1) children.add(element, EMPTY_SET);
    else children.add(element, isLong ? wholeOf(items[0]!, type) : yield* whole(items[0]!, type));
  }
  return children.nodes();
}

/** {@link wholeOf} in steps. */
function* whole(value: JsonValue, schema: MergeSchema): WorkSteps<FieldSet> {
  const form = formOf(schema, value);
  const node: MutableFieldSet = { [SELF]: EMPTY_SET };
  let count = 0;
  if (form === "map" && schema.map!.relation !== "atomic") {
    const { map, keys } = membersOf(value);
    if (keys.length === 0) return EMPTY_SET;
    const isLong = keys.length > LONG;
    for (const key of keys) {
      if (++count % PER_STEP === 0) yield;
      const type = typeOfKey(schema.map!, key);
      if (type === undefined) continue;
      node[fieldElement(key)] = isLong ? wholeOf(map[key]!, type) : yield* whole(map[key]!, type);
    }
    return node;
  }
  if (form !== "list" || schema.list!.relation === "atomic" || !Array.isArray(value)) {
    return EMPTY_SET;
  }
  if (value.length === 0) return EMPTY_SET;
  const isLong = value.length > LONG;
  const type = schema.list!.element!;
  for (const [element, items] of yield* itemsInSteps(value, schema.list!)) {
    if (++count % PER_STEP === 0) yield;
    if (items.length > 1) node[element] = EMPTY_SET;
    else node[element] = isLong ? wholeOf(items[0]!, type) : yield* whole(items[0]!, type);
  }
  return node;
}
