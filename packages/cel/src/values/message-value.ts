import type { ObjectType } from "../expression-types/type.ts";
import { equalValues, type SelfComparing } from "./equality.ts";
import type { MapValue, Value } from "./value.ts";

/** What `Type{field: value}` makes: the fields that were given, under the name of their type. */
export class MessageValue implements MapValue, SelfComparing<MapValue> {
  readonly celType: ObjectType;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: ObjectType, fields: ReadonlyMap<string, Value>) {
    this.celType = type;
    this.fields = fields;
  }

  get size(): number {
    return this.fields.size;
  }

  find(key: Value): Value | undefined {
    return typeof key === "string" ? this.fields.get(key) : undefined;
  }

  keys(): Iterable<Value> {
    return this.fields.keys();
  }

  /** Only a message of the same type can be equal. */
  equals(other: MapValue): boolean {
    if (!(other instanceof MessageValue) || other.celType.name !== this.celType.name) return false;
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name);
      if (theirs === undefined || !equalValues(value, theirs)) return false;
    }
    return true;
  }
}
