/**
 * What is taken from an object before it is looked at: fields that no schema declares, and nulls
 * where null is no value. Both change the object in place and look at each value once; in steps they
 * rest now and then where there are many.
 */
import { finishNow, type WorkSteps } from "@homeostat/cel";
import { type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { sortInSteps } from "../sort-in-steps.ts";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";

/** So many are looked at between two rests. */
const VALUES_PER_SLICE = 4_096;

export interface PruneOptions {
  /** The value is a whole resource: apiVersion, kind and metadata are kept as they are. Default true. */
  readonly isResource?: boolean;
  /** Whether to list what was dropped. Default true. */
  readonly report?: boolean;
}

/**
 * Drops what the schema does not declare. Returns the paths of what was dropped, sorted, as
 * kube-apiserver prints them: `spec.items[0].color`.
 */
export function prune(
  value: JsonValue,
  schema: StructuralSchema,
  options?: PruneOptions,
): string[] {
  return finishNow(pruneInSteps(value, schema, options));
}

export function* pruneInSteps(
  value: JsonValue,
  schema: StructuralSchema,
  options: PruneOptions = {},
): WorkSteps<string[]> {
  const pruner = new Pruner(options.report ?? true);
  yield* pruner.prune(value, schema, options.isResource ?? true);
  return yield* sortInSteps(pruner.unknown, byBytes);
}

class Pruner {
  readonly unknown: string[] = [];
  readonly #path: (string | number)[] = [];
  readonly #report: boolean;
  /** Values looked at since the last rest. */
  #seen = 0;

  constructor(report: boolean) {
    this.#report = report;
  }

  /** `isResource`: also where the schema itself does not say so. */
  *prune(value: JsonValue, schema: StructuralSchema, isResource: boolean): WorkSteps<void> {
    const keepsUnknown = schema.preservesUnknownFields;
    if (Array.isArray(value)) yield* this.#pruneItems(value, schema, keepsUnknown);
    else if (isJsonObject(value)) {
      yield* this.#pruneMembers(value, schema, { isResource, keepsUnknown });
    }
  }

  *#pruneItems(
    list: JsonValue[],
    schema: StructuralSchema,
    keepsUnknown: boolean,
  ): WorkSteps<void> {
    const { items } = schema;
    // Below a list that keeps unknown fields, items without a schema are kept whole.
    if (keepsUnknown && items === undefined) return;
    const last = this.#path.push(0) - 1;
    for (const [index, item] of list.entries()) {
      if (this.#isTired()) yield;
      if (typeof item !== "object" || item === null) continue;
      this.#path[last] = index;
      if (items === undefined) this.#dropAll(item);
      else if (keepsUnknown) yield* this.#skip(item, items);
      else yield* this.prune(item, items, items.isEmbeddedResource);
    }
    this.#path.pop();
  }

  /** Nothing is known of the value: lists keep their items, objects lose all members. */
  #dropAll(value: JsonValue): void {
    // As deep as a request may be, which no stack is.
    const pending: [JsonValue, string][] = [[value, this.#pathText()]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [each, path] = next;
      if (Array.isArray(each)) {
        for (const [index, item] of each.entries()) {
          if (typeof item === "object") pending.push([item, `${path}[${index}]`]);
        }
      } else if (isJsonObject(each)) {
        for (const key of Object.keys(each)) {
          if (this.#report) this.unknown.push(`${path}.${key}`);
          delete each[key];
        }
      }
    }
  }

  /** Whether enough was done for others to have a turn. */
  #isTired(): boolean {
    this.#seen += 1;
    if (this.#seen < VALUES_PER_SLICE) return false;
    this.#seen = 0;
    return true;
  }

  /** As `prune`, for a value inside one that keeps its unknown fields. */
  *#skip(value: JsonValue, schema: StructuralSchema): WorkSteps<void> {
    if (Array.isArray(value)) yield* this.#pruneItems(value, schema, true);
    else if (isJsonObject(value)) {
      const isResource = schema.isEmbeddedResource;
      yield* this.#pruneMembers(value, schema, { isResource, keepsUnknown: true });
    }
  }

  *#pruneMembers(
    object: JsonObject,
    schema: StructuralSchema,
    { isResource, keepsUnknown }: { isResource: boolean; keepsUnknown: boolean },
  ): WorkSteps<void> {
    const { properties, additionalProperties } = schema;
    // Listing the keys of a large object takes a while: not where all are kept and none is declared.
    if (keepsUnknown && properties.size === 0 && additionalProperties === undefined) return;
    for (const key of Object.keys(object)) {
      if (this.#isTired()) yield;
      if (isResource && META_FIELDS.has(key)) continue;
      const declared = properties.get(key);
      if (declared !== undefined || additionalProperties !== undefined) {
        const value = object[key]!;
        if (typeof value !== "object" || value === null) continue;
        const member = declared ?? schema.additionalSchema;
        this.#path.push(key);
        if (member === undefined) this.#dropAll(value);
        else yield* this.prune(value, member, member.isEmbeddedResource);
        this.#path.pop();
      } else if (!keepsUnknown) {
        // Unknown only where they are not those of the resource itself.
        if (this.#report && (!META_FIELDS.has(key) || this.#path.length > 0)) {
          const path = this.#pathText();
          this.unknown.push(path === "" ? key : `${path}.${key}`);
        }
        delete object[key];
      }
    }
  }

  #pathText(): string {
    let text = "";
    for (const step of this.#path) {
      if (typeof step === "number") text += `[${step}]`;
      else text += text === "" ? step : `.${step}`;
    }
    return text;
  }
}

const META_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Drops the members that are null where null is not allowed and no default takes their place. Those
 * that have a default are left to `applySchemaDefaults`.
 */
export function dropNulls(value: JsonValue, schema: StructuralSchema): void {
  finishNow(dropNullsInSteps(value, schema));
}

export function* dropNullsInSteps(value: JsonValue, schema: StructuralSchema): WorkSteps<void> {
  for (const part of knownParts(value, schema)) {
    if (yield* hasNull(part)) return yield* dropNullsBelow(value, schema);
  }
}

/** What of a value holds anything that a schema is known for; listing the keys of the rest takes long. */
function* knownParts(value: JsonValue, schema: StructuralSchema): Iterable<JsonValue> {
  const isListed = schema.additionalSchema !== undefined || schema.items !== undefined;
  if (isListed || !isJsonObject(value)) return yield value;
  for (const [name, member] of schema.properties) {
    const part = ownKey(value, name);
    if (part === undefined) continue;
    const isOpen =
      member.properties.size === 0 &&
      member.additionalSchema === undefined &&
      member.items === undefined;
    if (part === null || !isOpen) yield part;
  }
}

/**
 * Most objects have none: looking for one is cheaper than looking up schemas. Where no schema bounds
 * the depth a value may be deeper than the stack, so this does not recurse.
 */
function* hasNull(value: JsonValue): WorkSteps<boolean> {
  const pending: JsonValue[] = [value];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === null) return true;
    if (typeof next !== "object") continue;
    if (seen > VALUES_PER_SLICE) {
      yield;
      seen = 0;
    }
    const members = Array.isArray(next) ? next : Object.values(next);
    seen += members.length + 1;
    for (const member of members) {
      if (member === null) return true;
      if (typeof member === "object") pending.push(member);
    }
  }
  return false;
}

function* dropNullsBelow(value: JsonValue, schema: StructuralSchema): WorkSteps<void> {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) {
      if (index % VALUES_PER_SLICE === VALUES_PER_SLICE - 1) yield;
      if (typeof item === "object" && item !== null) yield* dropNullsBelow(item, items);
    }
  } else if (isJsonObject(value)) {
    for (const [index, key] of Object.keys(value).entries()) {
      if (index % VALUES_PER_SLICE === VALUES_PER_SLICE - 1) yield;
      const member = value[key] as JsonValue;
      if (typeof member !== "object") continue;
      const memberSchema = schema.memberSchema(key);
      if (memberSchema === undefined) continue;
      if (member !== null) yield* dropNullsBelow(member, memberSchema);
      else if (!memberSchema.nullable && memberSchema.defaultValue === undefined) delete value[key];
    }
  }
}

/** Go compares texts by their bytes; UTF-16 orders characters beyond the first plane differently. */
function byBytes(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  const isTail = (code: number | undefined) =>
    code !== undefined && code >= 0xdc00 && code < 0xe000;
  if (isTail(left.charCodeAt(at)) || isTail(right.charCodeAt(at))) at--;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}
