/**
 * What is taken from an object before it is looked at: fields that no schema declares, and nulls
 * where null is no value. Both change the object in place and look at each value once.
 */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";

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
  options: PruneOptions = {},
): string[] {
  const pruner = new Pruner(options.report ?? true);
  pruner.prune(value, schema, options.isResource ?? true);
  return pruner.unknown.sort(byBytes);
}

class Pruner {
  readonly unknown: string[] = [];
  readonly #path: (string | number)[] = [];
  readonly #report: boolean;

  constructor(report: boolean) {
    this.#report = report;
  }

  /** `isResource`: also where the schema itself does not say so. */
  prune(value: JsonValue, schema: StructuralSchema, isResource: boolean): void {
    const keepsUnknown = schema.preservesUnknownFields;
    if (Array.isArray(value)) this.#pruneItems(value, schema, keepsUnknown);
    else if (isJsonObject(value)) this.#pruneMembers(value, schema, { isResource, keepsUnknown });
  }

  #pruneItems(list: JsonValue[], schema: StructuralSchema, keepsUnknown: boolean): void {
    const { items } = schema;
    // Below a list that keeps unknown fields, items without a schema are kept whole.
    if (keepsUnknown && items === undefined) return;
    const last = this.#path.push(0) - 1;
    for (const [index, item] of list.entries()) {
      if (typeof item !== "object" || item === null) continue;
      this.#path[last] = index;
      if (items === undefined) this.#dropAll(item);
      else if (keepsUnknown) this.#skip(item, items);
      else this.prune(item, items, items.isEmbeddedResource);
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

  /** As `prune`, for a value inside one that keeps its unknown fields. */
  #skip(value: JsonValue, schema: StructuralSchema): void {
    if (Array.isArray(value)) this.#pruneItems(value, schema, true);
    else if (isJsonObject(value)) {
      const isResource = schema.isEmbeddedResource;
      this.#pruneMembers(value, schema, { isResource, keepsUnknown: true });
    }
  }

  #pruneMembers(
    object: JsonObject,
    schema: StructuralSchema,
    { isResource, keepsUnknown }: { isResource: boolean; keepsUnknown: boolean },
  ): void {
    const { properties, additionalProperties } = schema;
    for (const key of Object.keys(object)) {
      if (isResource && META_FIELDS.has(key)) continue;
      const declared = properties.get(key);
      if (declared !== undefined || additionalProperties !== undefined) {
        const value = object[key]!;
        if (typeof value !== "object" || value === null) continue;
        const member = declared ?? schema.additionalSchema;
        this.#path.push(key);
        if (member === undefined) this.#dropAll(value);
        else this.prune(value, member, member.isEmbeddedResource);
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
  if (hasNull(value)) dropNullsBelow(value, schema);
}

/**
 * Most objects have none: looking for one is cheaper than looking up schemas. Where no schema bounds
 * the depth a value may be deeper than the stack, so this does not recurse.
 */
function hasNull(value: JsonValue): boolean {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === null) return true;
    if (typeof next !== "object") continue;
    for (const member of Array.isArray(next) ? next : Object.values(next)) {
      if (member === null) return true;
      if (typeof member === "object") pending.push(member);
    }
  }
  return false;
}

function dropNullsBelow(value: JsonValue, schema: StructuralSchema): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const item of value)
      if (typeof item === "object" && item !== null) dropNullsBelow(item, items);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const member = value[key] as JsonValue;
      if (typeof member !== "object") continue;
      const memberSchema = schema.memberSchema(key);
      if (memberSchema === undefined) continue;
      if (member !== null) dropNullsBelow(member, memberSchema);
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
