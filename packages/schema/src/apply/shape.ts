/**
 * The shape of a value: a text that says which keys its maps have, which elements its lists, and of
 * which type every scalar is, but not the scalars themselves. What a type makes of a value's fields
 * (whether they fit, which set they are) follows from the shape alone, and the objects of a kind have
 * few shapes: who asks for the same again takes what was found for the shape.
 */
import { type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { type ListForm, type MergeSchema, typeOfKey, UNTYPED_ATOMIC } from "./merge-schema.ts";
import { sameJson } from "./same-json.ts";

/** Longer ones belong to objects that are worth a walk of their own. */
const MAX_SHAPE = 4096;
const MAX_LEVELS = 40;

/**
 * Undefined where a value is too large, too deep or too strange to have one. With `like`, the shape says
 * too which values below it are the same there, so that what a comparison with it finds follows as well.
 */
export function shapeOf(
  value: JsonValue,
  schema: MergeSchema,
  like?: JsonValue,
): string | undefined {
  const writer = new ShapeWriter();
  return writer.visit(value, schema, like) ? writer.text : undefined;
}

/** Every part begins with what tells its kind, and texts with their length: no two shapes read alike. */
class ShapeWriter {
  text = "";
  #levels = MAX_LEVELS;

  /** Whether there is a shape. */
  visit(value: JsonValue, schema: MergeSchema, like: JsonValue | undefined): boolean {
    if (like !== undefined) {
      // What a list with elements has in common with another one is not told.
      if (Array.isArray(like) && like.length > 0) return false;
      this.text += sameJson(like, value) ? "=" : "~";
    }
    switch (typeof value) {
      case "string":
        this.text += "s";
        return true;
      case "boolean":
        this.text += "b";
        return true;
      case "object":
        if (value !== null) return this.#container(value, schema, like);
        this.text += "0";
        return true;
      default:
        this.text += "n";
        return true;
    }
  }

  #container(
    value: JsonObject | JsonValue[],
    schema: MergeSchema,
    like: JsonValue | undefined,
  ): boolean {
    if (this.#levels === 0 || this.text.length > MAX_SHAPE) return false;
    this.#levels--;
    const isWritten = Array.isArray(value)
      ? this.#list(value, schema)
      : this.#map(value, schema, like);
    this.#levels++;
    return isWritten;
  }

  #map(value: JsonObject, schema: MergeSchema, like: JsonValue | undefined): boolean {
    this.text += "{";
    for (const key of Object.keys(value)) {
      if (schema.map === undefined || schema === UNTYPED_ATOMIC) {
        this.text += "*";
        break;
      }
      const type = typeOfKey(schema.map, key);
      this.text += `${key.length}:${key}`;
      if (type === undefined) this.text += "-";
      else if (!this.visit(value[key]!, type, memberOf(like, key))) return false;
      if (this.text.length > MAX_SHAPE) return false;
    }
    this.text += "}";
    return true;
  }

  #list(value: readonly JsonValue[], schema: MergeSchema): boolean {
    this.text += "[";
    const { list } = schema;
    const element = list?.element;
    for (const item of value) {
      if (element === undefined || schema === UNTYPED_ATOMIC) {
        this.text += "*";
        break;
      }
      if (list!.relation === "associative" && !this.#identity(item, list!)) return false;
      if (!this.visit(item, element, undefined)) return false;
      if (this.text.length > MAX_SHAPE) return false;
    }
    this.text += "]";
    return true;
  }

  /** What tells an item of a list from the others. */
  #identity(item: JsonValue, { keys }: ListForm): boolean {
    if (keys.length === 0) return this.#scalar(item);
    if (typeof item !== "object" || item === null || Array.isArray(item)) return false;
    for (const key of keys) if (!this.#scalar(ownKey(item, key))) return false;
    return true;
  }

  #scalar(value: JsonValue | undefined): boolean {
    switch (typeof value) {
      case "string":
        this.text += `"${value.length}:${value}`;
        return true;
      case "undefined":
        this.text += "-";
        return true;
      case "object":
        return false;
      default:
        if (Object.is(value, -0)) return false;
        this.text += `#${value};`;
        return true;
    }
  }
}

function memberOf(map: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof map !== "object" || map === null || Array.isArray(map)) return undefined;
  return ownKey(map, key);
}

/** What was found for shapes, of about this many characters of shape; then it begins anew. */
const MAX_REMEMBERED = 128 * 1024;

export class ShapeMemo<T> {
  readonly #found = new Map<string, T>();
  #size = 0;

  get(shape: string): T | undefined {
    return this.#found.get(shape);
  }

  set(shape: string, found: T): void {
    if (this.#size > MAX_REMEMBERED) {
      this.#found.clear();
      this.#size = 0;
    }
    this.#size += shape.length;
    this.#found.set(shape, found);
  }
}
