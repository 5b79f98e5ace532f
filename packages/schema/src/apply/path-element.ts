/**
 * One step of a path in a field set, in the text that `fieldsV1` uses:
 *
 *     f:name                    a field of a struct, or a key of a map
 *     k:{"name":"a"}            the element of a list with these key fields, by name in order
 *     v:"a"                     the element of a set with this value
 *     i:0                       an element of a list by its place
 *
 * The text is canonical: two elements are the same exactly when their texts are.
 */
import type { WorkSteps } from "@homeostat/cel";
import {
  compareBytewise,
  decodeJson,
  JsonError,
  type JsonObject,
  type JsonValue,
} from "@homeostat/object-model";
import { sortInSteps } from "../sort-in-steps.ts";

export class PathElementError extends Error {
  override readonly name: string = "PathElementError";
  readonly code = "path-element";
}

export function fieldElement(name: string): string {
  return `f:${name}`;
}

export function valueElement(value: JsonValue): string {
  return `v:${canonicalText(value)}`;
}

/** Of the fields that are given, by name in order. */
export function keyElement(fields: readonly (readonly [string, JsonValue])[]): string {
  let text = "";
  for (const [name, value] of fields) {
    text += `${text === "" ? "k:{" : ","}${quotedName(name)}:${canonicalText(value)}`;
  }
  return `${text}}`;
}

/** The names of key fields in the order in which elements have them. */
export function inKeyOrder(names: readonly string[]): readonly string[] {
  return names.toSorted(compareBytewise);
}

function quotedName(name: string): string {
  return PLAIN.test(name) ? `"${name}"` : JSON.stringify(name);
}

/** A field's name; undefined for the other kinds of elements. */
export function fieldNameOf(element: string): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

export function isKeyElement(element: string): boolean {
  return element.startsWith("k:");
}

/**
 * The canonical text of an element as a client may have written it; undefined for a kind of element
 * that is not known, which readers pass over. Throws PathElementError.
 */
export function readPathElement(text: string): string | undefined {
  if (PLAIN_ELEMENT.test(text)) return text;
  if (text.length < 2) throw new PathElementError("key must be 2 characters long:");
  if (text[1] !== ":") throw new PathElementError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case "f":
      return text;
    case "v":
      return valueElement(decode(content));
    case "k": {
      const fields = decode(content);
      if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
        throw new PathElementError(`expected an object, got ${content}`);
      }
      return keyElement(sortedEntries(fields));
    }
    case "i":
      if (!/^[+-]?\d+$/.test(content)) {
        throw new PathElementError(
          `strconv.Atoi: parsing ${JSON.stringify(content)}: invalid syntax`,
        );
      }
      return `i:${Number(content)}`;
    default:
      return undefined;
  }
}

function decode(text: string): JsonValue {
  try {
    return decodeJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new PathElementError(error.message);
    throw error;
  }
}

/** Texts that are written as they are. */
const PLAIN = /^[\w./-]*$/;

/**
 * One key or value that is a plain text: canonical as it stands, and, as no character of it comes
 * before the quotes around it, in the order of the texts among its like.
 */
const PLAIN_ELEMENT = /^(?:k:\{"[\w./-]+":"[\w./-]*"\}|v:"[\w./-]*")$/;

/** Characters that Go's encoder of strings writes as escapes, beside those JavaScript's does. */
const ESCAPED = /[<>&\u2028\u2029\b\f]/g;

/** A value as Go writes it into the text of an element: what HTML would mistake is escaped. */
function canonicalText(value: JsonValue): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return goNumber(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const keys = Object.keys(value).toSorted(compareBytewise);
  return `{${keys.map((key) => `${quoted(key)}:${canonicalText(value[key]!)}`).join(",")}}`;
}

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const plain = JSON.stringify(text);
  if (plain.search(ESCAPED) < 0 && !plain.includes("\\")) return plain;
  return plain
    .replaceAll("\\b", "\\u0008")
    .replaceAll("\\f", "\\u000c")
    .replaceAll(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Go writes exponents with at least two digits. */
function goNumber(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

const KINDS = "fkvi";

/** The order in which `fieldsV1` has them: by kind, then fields bytewise, values by type and size. */
export function compareElements(left: string, right: string): number {
  if (left === right) return 0;
  const kind = left.charCodeAt(0);
  if (kind !== right.charCodeAt(0)) return KINDS.indexOf(left[0]!) - KINDS.indexOf(right[0]!);
  if (left[0] === "f") return compareBytewise(left, right);
  if (PLAIN_ELEMENT.test(left) && PLAIN_ELEMENT.test(right)) return left < right ? -1 : 1;
  switch (left[0]) {
    case "k":
      return compareFields(keyFieldsOf(left), keyFieldsOf(right));
    case "v":
      return compareValues(elementValueOf(left), elementValueOf(right));
    default:
      return Number(left.slice(2)) - Number(right.slice(2));
  }
}

/** In the order of {@link compareElements}; each is read once, however many there are. */
export function* sortElements(elements: readonly string[]): WorkSteps<string[]> {
  const read: ReadElement[] = [];
  for (const text of elements) {
    read.push({ text, fields: fieldsOf(text), value: valueOf(text) });
    if (read.length % READ_PER_SLICE === 0) yield;
  }
  yield* sortInSteps(read, compareRead);
  return read.map(({ text }) => text);
}

const READ_PER_SLICE = 1_000;

interface ReadElement {
  readonly text: string;
  readonly fields: KeyFields | undefined;
  readonly value: JsonValue | undefined;
}

function compareRead(left: ReadElement, right: ReadElement): number {
  if (left.fields !== undefined && right.fields !== undefined) {
    return compareFields(left.fields, right.fields);
  }
  if (left.value !== undefined && right.value !== undefined) {
    return compareValues(left.value, right.value);
  }
  return compareElements(left.text, right.text);
}

function fieldsOf(element: string): KeyFields | undefined {
  if (!element.startsWith("k")) return undefined;
  return sortedEntries(decodeJson(element.slice(2)) as JsonObject);
}

function valueOf(element: string): JsonValue | undefined {
  return element.startsWith("v") ? elementValueOf(element) : undefined;
}

/** The key fields of a canonical key element, in order. */
function keyFieldsOf(element: string): KeyFields {
  let fields = parsed.get(element);
  if (fields !== undefined) return fields;
  fields = sortedEntries(decodeJson(element.slice(2)) as JsonObject);
  if (element.length > MAX_REMEMBERED_LENGTH) return fields;
  if (parsed.size >= MAX_REMEMBERED) parsed.clear();
  parsed.set(element, fields);
  return fields;
}

/** Objects of a kind have the same few keys: they are parsed once, until there are too many. */
const parsed = new Map<string, KeyFields>();
const MAX_REMEMBERED = 4096;
const MAX_REMEMBERED_LENGTH = 200;

/** The value of a canonical value element. */
function elementValueOf(element: string): JsonValue {
  return decodeJson(element.slice(2));
}

type KeyFields = readonly (readonly [string, JsonValue])[];

function compareFields(left: KeyFields, right: KeyFields): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [leftName, leftValue] = left[at]!;
    const [rightName, rightValue] = right[at]!;
    const order = compareBytewise(leftName, rightName) || compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers, texts, booleans, lists, maps, null; within a type by what they hold. */
function compareValues(left: JsonValue, right: JsonValue): number {
  const rank = rankOf(left);
  if (rank !== rankOf(right)) return rank - rankOf(right);
  switch (rank) {
    case 0:
      return Number(left) - Number(right) || (left === right ? 0 : left! < right! ? -1 : 1);
    case 1:
      return compareBytewise(left as string, right as string);
    case 2:
      return Number(left) - Number(right);
    case 3:
      return compareLists(left as JsonValue[], right as JsonValue[]);
    case 4:
      return compareFields(sortedEntries(left as JsonObject), sortedEntries(right as JsonObject));
    default:
      return 0;
  }
}

function compareLists(left: readonly JsonValue[], right: readonly JsonValue[]): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const order = compareValues(left[at]!, right[at]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function sortedEntries(value: JsonObject): [string, JsonValue][] {
  return Object.entries(value).toSorted(([a], [b]) => compareBytewise(a, b));
}

function rankOf(value: JsonValue): number {
  switch (typeof value) {
    case "number":
    case "bigint":
      return 0;
    case "string":
      return 1;
    case "boolean":
      return 2;
    default:
      if (value === null) return 5;
      return Array.isArray(value) ? 3 : 4;
  }
}

/** A path as messages show it: `.spec.ports[port=80,protocol="TCP"]`. */
export function printFieldPath(path: readonly string[]): string {
  return path.map(printElement).join("");
}

function printElement(element: string): string {
  const content = element.slice(2);
  switch (element[0]) {
    case "f":
      return `.${content}`;
    case "k":
      return `[${keyFieldsOf(element)
        .map(([name, value]) => `${name}=${shown(value)}`)
        .join(",")}]`;
    case "v":
      return `[=${shown(elementValueOf(element))}]`;
    default:
      return `[${content}]`;
  }
}

function shown(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(",")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  return sortedEntries(value)
    .map(([name, each]) => `${name}=${shown(each)}`)
    .join("");
}
