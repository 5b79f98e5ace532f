/**
 * Sets that many objects hold: those of a kind are written by few clients, and the same fields of each.
 * Such a set is read once and its text is kept beside it, so that an object whose managers stay costs
 * neither reading nor writing their sets, which are often larger than the object.
 */
import { decodeJson, encodeJson, type JsonObject, type JsonValue } from "@homeostat/object-model";
import type { FieldSet } from "./field-set.ts";
import { printFieldsV1 } from "./fields-v1.ts";

/** A set as `fieldsV1` has it, to be shared: it and what is below cannot be changed. */
export function sharedFieldsV1(set: FieldSet): FieldSet {
  const printed = printFieldsV1(set) as FieldSet;
  return shared(printed, encodeJson(printed));
}

/** What stands in `fieldsV1`, of the text that was printed for it; shared, where it is not large. */
export function fieldsV1OfText(text: string): FieldSet {
  const known = sets.get(text);
  if (known !== undefined) return known;
  const set = decodeJson(text) as JsonObject as FieldSet;
  return text.length > MAX_LENGTH ? set : shared(set, text);
}

/** The one set of this text. */
function shared(set: FieldSet, text: string): FieldSet {
  const known = sets.get(text);
  if (known !== undefined) return known;
  freeze(set);
  texts.set(set, text);
  if (keptLength + text.length > MAX_KEPT_LENGTH) {
    sets.clear();
    keptLength = 0;
  }
  keptLength += text.length;
  sets.set(text, set);
  return set;
}

/** Whether this is a set that others have too, and nobody can change. */
export function isShared(fields: JsonValue): boolean {
  return typeof fields === "object" && fields !== null && texts.has(fields);
}

/** The text of what `fieldsV1` holds: that of a shared set is written once. */
export function fieldsV1Text(fields: JsonValue): string {
  const known = typeof fields === "object" && fields !== null ? texts.get(fields) : undefined;
  return known ?? encodeJson(fields);
}

function freeze(node: FieldSet): void {
  if (Object.isFrozen(node)) return;
  for (const key in node) freeze(node[key]!);
  Object.freeze(node);
}

const texts = new WeakMap<object, string>();

/** By text; all are forgotten when together they are too long. */
const sets = new Map<string, FieldSet>();
let keptLength = 0;
const MAX_KEPT_LENGTH = 1 << 20;

/** Longer ones are rare, and seldom alike. */
const MAX_LENGTH = 8192;
