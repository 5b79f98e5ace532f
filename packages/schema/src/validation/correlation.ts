import { equalJson, type JsonValue } from "@homeostat/object-model";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";
import { MapList } from "./map-list.ts";

/**
 * A value and the value it takes the place of. Members correlate by name, items of a list only where
 * its type is map, by their keys. What did not change may stay invalid (ratcheting).
 */
export class Correlation {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly #schema: StructuralSchema;
  #unchanged: boolean | undefined;
  #oldItems: MapList | undefined;
  #members: Map<number | string, Correlation | undefined> | undefined;

  constructor(value: JsonValue, old: JsonValue, schema: StructuralSchema) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  /** Undefined where the member is new or nothing is declared for it. */
  member(name: string): Correlation | undefined {
    return this.#remember(name, () => {
      const { value, old } = this;
      if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
      if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
      const schema = this.#schema.memberSchema(name);
      if (schema === undefined) return undefined;
      return new Correlation(value[name]!, old[name]!, schema);
    });
  }

  /** Undefined where there was no such item, or nothing tells which one it was. */
  item(index: number): Correlation | undefined {
    return this.#remember(index, () => {
      const { value, old } = this;
      if (!Array.isArray(value) || !Array.isArray(old)) return undefined;
      const { items, listType } = this.#schema;
      if (listType !== "map" || items === undefined) return undefined;
      this.#oldItems ??= MapList.of(this.#schema, old);
      const match = this.#oldItems?.find(value[index]!);
      return match && new Correlation(value[index]!, match, items);
    });
  }

  /**
   * Whether nothing changed. Members that the schema does not declare cannot be compared and count
   * as changed; the order of a list of type map makes no difference.
   */
  get isUnchanged(): boolean {
    return (this.#unchanged ??= this.#compare());
  }

  #compare(): boolean {
    const { value, old } = this;
    if (value === null || old === null) return value === old;
    if (Array.isArray(value) || Array.isArray(old)) {
      if (!Array.isArray(value) || !Array.isArray(old) || value.length !== old.length) return false;
      if (this.#schema.listType !== "map") return equalJson(value, old);
      return value.every((_, index) => this.item(index)?.isUnchanged ?? false);
    }
    if (!isJsonObject(value) || !isJsonObject(old)) return equalJson(value, old);
    const names = Object.keys(value);
    if (names.length !== Object.keys(old).length) return false;
    return names.every((name) => this.member(name)?.isUnchanged ?? false);
  }

  #remember(step: number | string, find: () => Correlation | undefined): Correlation | undefined {
    const members = (this.#members ??= new Map());
    if (!members.has(step)) members.set(step, find());
    return members.get(step);
  }
}
