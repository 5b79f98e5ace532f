import { type JsonObject, type JsonValue } from "@homeostat/object-model";
import {
  EMPTY_SET,
  type FieldSet,
  type MutableFieldSet,
  nodeOf,
  SELF,
  union,
} from "./field-set.ts";
import { itemsByElement } from "./items-by-element.ts";
import {
  type Form,
  formOf,
  type ListForm,
  type MapForm,
  type MergeSchema,
  typeOfKey,
} from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";
import { sameJson } from "./same-json.ts";

/** How two values differ; no field is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const NO_CHANGE: Comparison = Object.freeze({
  added: EMPTY_SET,
  modified: EMPTY_SET,
  removed: EMPTY_SET,
});

/** What `right` adds to, changes in and removes from `left`, which both are of this type. */
export function compareValues(left: JsonValue, right: JsonValue, schema: MergeSchema): Comparison {
  return comparisonOf(compareNodes(left, right, schema));
}

export function comparisonOf(found: Nodes | undefined): Comparison {
  if (found === undefined) return NO_CHANGE;
  // Nobody owns the whole: what has no path is no member.
  return {
    added: withoutSelf(found.added),
    modified: withoutSelf(found.modified),
    removed: withoutSelf(found.removed),
  };
}

function withoutSelf(node: FieldSet | undefined): FieldSet {
  if (node === undefined) return EMPTY_SET;
  const { [SELF]: _self, ...rest } = node;
  return rest;
}

/** Nodes of the three sets below one path; a leaf is the path itself. */
export interface Nodes {
  added: FieldSet | undefined;
  modified: FieldSet | undefined;
  removed: FieldSet | undefined;
}

const MODIFIED: Nodes = { added: undefined, modified: EMPTY_SET, removed: undefined };

/** Undefined where there is no difference. */
export function compareNodes(
  left: JsonValue,
  right: JsonValue,
  schema: MergeSchema,
): Nodes | undefined {
  if (left === right) return undefined;
  const form = formOf(schema, right);
  const leftForm = formOf(schema, left);
  const found = compareAs(form, { left, right, schema });
  if (leftForm === form) return found;
  return both(compareAs(leftForm, { left, right, schema }), found);
}

function both(first: Nodes | undefined, second: Nodes | undefined): Nodes | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    added: join(first.added, second.added),
    modified: join(first.modified, second.modified),
    removed: join(first.removed, second.removed),
  };
}

function join(left: FieldSet | undefined, right: FieldSet | undefined): FieldSet | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return union({ x: left }, { x: right })["x"];
}

interface Pair {
  readonly left: JsonValue;
  readonly right: JsonValue;
  readonly schema: MergeSchema;
}

function compareAs(form: Form, { left, right, schema }: Pair): Nodes | undefined {
  if (form === "map") {
    if (schema.map!.relation !== "atomic") {
      const before = membersOf(left);
      const after = membersOf(right);
      // Two maps without keys are not gone into.
      if (before.keys.length + after.keys.length > 0)
        return compareMaps(before, after, schema.map!);
    }
  } else if (form === "list") {
    const leftList = listIn(left);
    const rightList = listIn(right);
    const isLeaf = schema.list!.relation === "atomic" || (!leftList && !rightList);
    if (!isLeaf) return compareLists(leftList ?? [], rightList ?? [], schema.list!);
  }
  return sameJson(left, right) ? undefined : MODIFIED;
}

export interface Members {
  readonly map: JsonObject;
  readonly keys: readonly string[];
}

const NO_MEMBERS: Members = { map: {}, keys: [] };

/** None of what is no map. */
export function membersOf(value: JsonValue): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return NO_MEMBERS;
  return { map: value, keys: Object.keys(value) };
}

/** Undefined for what is no map, and for an empty one: it is not gone into. */
function mapIn(value: JsonValue): JsonObject | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  for (const _ in value) return value;
  return undefined;
}

function listIn(value: JsonValue): readonly JsonValue[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** Gathers the nodes of the children of one node. */
export class Children {
  readonly #added: MutableFieldSet = {};
  readonly #modified: MutableFieldSet = {};
  readonly #removed: MutableFieldSet = {};
  #any = false;

  add(element: string, node: FieldSet): void {
    this.#added[element] = node;
    this.#any = true;
  }

  modify(element: string): void {
    this.#modified[element] = EMPTY_SET;
    this.#any = true;
  }

  remove(element: string, node: FieldSet): void {
    this.#removed[element] = node;
    this.#any = true;
  }

  take(element: string, nodes: Nodes | undefined): void {
    if (nodes === undefined) return;
    if (nodes.added !== undefined) this.#added[element] = nodes.added;
    if (nodes.modified !== undefined) this.#modified[element] = nodes.modified;
    if (nodes.removed !== undefined) this.#removed[element] = nodes.removed;
    this.#any = true;
  }

  nodes(): Nodes | undefined {
    if (!this.#any) return undefined;
    return {
      added: nodeOf(false, this.#added),
      modified: nodeOf(false, this.#modified),
      removed: nodeOf(false, this.#removed),
    };
  }
}

function compareMaps(
  { map: left, keys: leftKeys }: Members,
  { map: right, keys: rightKeys }: Members,
  map: MapForm,
): Nodes | undefined {
  let children: Children | undefined;
  let shared = 0;
  for (const key of leftKeys) {
    const before = left[key]!;
    const isShared = Object.hasOwn(right, key);
    if (isShared) shared++;
    if (isShared && before === right[key]) continue;
    const type = typeOfKey(map, key);
    if (type === undefined) continue;
    if (isShared) {
      const nodes = compareNodes(before, right[key]!, type);
      if (nodes === undefined) continue;
      children ??= new Children();
      children.take(fieldElement(key), nodes);
    } else {
      children ??= new Children();
      children.remove(fieldElement(key), wholeOf(before, type));
    }
  }
  if (shared === rightKeys.length) return children?.nodes();
  for (const key of rightKeys) {
    if (Object.hasOwn(left, key)) continue;
    const type = typeOfKey(map, key);
    if (type === undefined) continue;
    children ??= new Children();
    children.add(fieldElement(key), wholeOf(right[key]!, type));
  }
  return children?.nodes();
}

function compareLists(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  list: ListForm,
): Nodes | undefined {
  // Most lists of most updates: what is the same need not be told apart.
  if (sameJson(left, right)) return undefined;
  const before = itemsByElement(left, list);
  const after = itemsByElement(right, list);
  const children = new Children();
  for (const [element, items] of before) compareItems(children, { element, items, after, list });
  for (const [element, items] of after) {
    if (before.has(element)) continue;
    children.add(element, items.length > 1 ? EMPTY_SET : wholeOf(items[0]!, list.element!));
  }
  return children.nodes();
}

/** Elements that are there more than once are one field together. */
export function compareItems(
  children: Children,
  {
    element,
    items,
    after,
    list,
  }: {
    readonly element: string;
    readonly items: readonly JsonValue[];
    readonly after: ReadonlyMap<string, readonly JsonValue[]>;
    readonly list: ListForm;
  },
): void {
  const now = after.get(element);
  const type = list.element!;
  if (now === undefined) {
    children.remove(element, items.length > 1 ? EMPTY_SET : wholeOf(items[0]!, type));
  } else if (items.length === 1 && now.length === 1) {
    children.take(element, compareNodes(items[0]!, now[0]!, type));
  } else if (items.length > 1 && now.length > 1) {
    if (!sameJson(items, now)) children.modify(element);
  } else if (items.length > 1) {
    children.add(element, wholeOf(now[0]!, type));
    children.remove(element, EMPTY_SET);
  } else {
    children.remove(element, wholeOf(items[0]!, type));
    children.add(element, EMPTY_SET);
  }
}

/** The node of a value that only one side has: it and everything below it. */
export function wholeOf(value: JsonValue, schema: MergeSchema): FieldSet {
  const form = formOf(schema, value);
  const node: MutableFieldSet = { [SELF]: EMPTY_SET };
  if (form === "map" && schema.map!.relation !== "atomic") {
    const map = mapIn(value);
    if (map === undefined) return EMPTY_SET;
    for (const key of Object.keys(map)) {
      const type = typeOfKey(schema.map!, key);
      if (type !== undefined) node[fieldElement(key)] = wholeOf(map[key]!, type);
    }
    return node;
  }
  if (form === "list" && schema.list!.relation !== "atomic") {
    const list = listIn(value);
    if (list === undefined) return EMPTY_SET;
    for (const [element, items] of itemsByElement(list, schema.list!)) {
      const [item] = items;
      node[element] = items.length > 1 ? EMPTY_SET : wholeOf(item!, schema.list!.element!);
    }
    return node;
  }
  return EMPTY_SET;
}
