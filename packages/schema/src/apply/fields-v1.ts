import { finishNow, type WorkSteps } from "@homeostat/cel";
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import {
  EMPTY_SET,
  type FieldSet,
  isEmptySet,
  type MutableFieldSet,
  nodeOf,
  SELF,
  unionNodes,
} from "./field-set.ts";
import {
  compareElements,
  PathElementError,
  readPathElement,
  sortElements,
} from "./path-element.ts";

/** What stands in `fieldsV1` is no field set. */
export class FieldsV1Error extends Error {
  override readonly name: string = "FieldsV1Error";
  readonly code = "fields-v1";
}

/**
 * The set that `fieldsV1` describes, whoever wrote it. What is written as `printFieldsV1` does is the
 * set itself and not copied. Throws FieldsV1Error.
 */
export function readFieldsV1(fields: JsonObject): FieldSet {
  if (!Object.hasOwn(fields, SELF) && isCanonical(fields)) return fields as unknown as FieldSet;
  const { [SELF]: _self, ...set } = readNode(fields);
  return set;
}

function isCanonical(node: JsonValue): boolean {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return false;
  for (const key in node) {
    const child = node[key]!;
    if (key === SELF) {
      if (!isEmptyObject(child) || !hasOther(node)) return false;
    } else if (canonicalElement(key) !== key || !isCanonical(child)) return false;
  }
  return true;
}

function isEmptyObject(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && isEmptySet(value as unknown as FieldSet);
}

function hasOther(node: JsonObject): boolean {
  for (const key in node) if (key !== SELF) return true;
  return false;
}

/** A node with nothing below it is a member, whether it says so or not. */
function readNode(node: JsonValue | undefined): FieldSet {
  if (node === null || node === undefined) return EMPTY_SET;
  if (typeof node !== "object" || Array.isArray(node)) {
    throw new FieldsV1Error(`expected an object, got ${JSON.stringify(node)}`);
  }
  const children: MutableFieldSet = {};
  for (const key of Object.keys(node)) {
    if (key === SELF) continue;
    const element = canonicalElement(key);
    if (element === undefined) continue;
    const child = readNode(node[key]);
    const known = Object.hasOwn(children, element) ? children[element] : undefined;
    children[element] = known === undefined ? child : unionNodes(known, child);
  }
  const read = nodeOf(true, children)!;
  return isEmptySet(read) || Object.hasOwn(node, SELF) ? read : children;
}

/** Those of lists are parsed, and few: remembered until there are too many. */
const canonical = new Map<string, string | undefined>();
const MAX_KNOWN = 4096;

function canonicalElement(text: string): string | undefined {
  if (text.startsWith("f:")) return text;
  if (canonical.has(text)) return canonical.get(text);
  let element: string | undefined;
  try {
    element = readPathElement(text);
  } catch (error) {
    if (!(error instanceof PathElementError)) throw error;
    throw new FieldsV1Error(`parsing key as path element: ${error.message}`);
  }
  if (text.length > 200) return element;
  if (canonical.size >= MAX_KNOWN) canonical.clear();
  canonical.set(text, element);
  return element;
}

/**
 * A set as `fieldsV1` has it, in order. What is in order already is not copied, and what it has in
 * common with `like`, which is in order, is not even looked at.
 */
export function printFieldsV1(set: FieldSet, like?: FieldSet): JsonObject {
  return set === like ? set : printNode(set, like);
}

function printNode(node: FieldSet, like: FieldSet | undefined): FieldSet {
  let inOrder = true;
  let previous: string | undefined;
  let changed: MutableFieldSet | undefined;
  for (const key in node) {
    if (previous !== undefined && inOrder && order(previous, key) > 0) inOrder = false;
    previous = key;
    const child = node[key]!;
    if (child === EMPTY_SET || (like !== undefined && child === like[key])) continue;
    const printed = printNode(child, like?.[key]);
    if (printed === child) continue;
    changed ??= { ...node };
    changed[key] = printed;
  }
  const children = changed ?? node;
  return inOrder ? children : finishNow(sortedNode(children));
}

/** {@link printFieldsV1} of a large set: the same, in steps. */
export function* printFieldsV1InSteps(set: FieldSet, like?: FieldSet): WorkSteps<JsonObject> {
  return set === like ? set : yield* printInSteps(set, like);
}

/** Nodes below one with many of them are small, and some of them are one step. */
const MANY = 50;
const PER_STEP = 256;
const ADDED_PER_STEP = 4096;

function* printInSteps(node: FieldSet, like: FieldSet | undefined): WorkSteps<FieldSet> {
  const keys = Object.keys(node);
  if (keys.length === 0) return node;
  const children: MutableFieldSet = {};
  let inOrder = true;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    if (at > 0 && inOrder && order(keys[at - 1]!, key) > 0) inOrder = false;
    if (at % PER_STEP === PER_STEP - 1) yield;
    const child = node[key]!;
    const known = like !== undefined && Object.hasOwn(like, key) ? like[key] : undefined;
    if (child === known) children[key] = child;
    else if (keys.length > MANY) children[key] = printNode(child, known);
    else children[key] = yield* printInSteps(child, known);
  }
  if (inOrder) return children;
  yield;
  return yield* sortedNode(children);
}

function* sortedNode(node: FieldSet): WorkSteps<FieldSet> {
  const sorted: MutableFieldSet = {};
  const keys = yield* sortedKeys(Object.keys(node));
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    if (at % ADDED_PER_STEP === ADDED_PER_STEP - 1) yield;
    sorted[key] = node[key]!;
  }
  return sorted;
}

function* sortedKeys(keys: string[]): WorkSteps<readonly string[]> {
  // Texts of one kind that need no parsing are in the order that sorting without a question gives.
  if (keys.every((key) => PLAIN_FIELD.test(key)) || keys.every((key) => PLAIN_KEY.test(key))) {
    return keys.sort();
  }
  const elements = yield* sortElements(keys.filter((key) => key !== SELF));
  return elements.length < keys.length ? [SELF, ...elements] : elements;
}

const PLAIN_FIELD = /^(?:\.|f:[\x20-\x7e]*)$/;
const PLAIN_KEY = /^(?:\.|k:\{"name":"[\w./-]*"\})$/;

function order(left: string, right: string): number {
  if (left === SELF) return right === SELF ? 0 : -1;
  return right === SELF ? 1 : compareElements(left, right);
}
