import type { JsonValue } from "@homeostat/object-model";
import type { ListMerge, Type } from "../expression-types/type.ts";
import type { SelfAddingList } from "./arithmetic.ts";
import { equalValues, type SelfComparing } from "./equality.ts";
import { ArrayList, elementsOf, LIST } from "./list-value.ts";
import { isMap } from "./map-value.ts";
import type { ListValue, Value } from "./value.ts";

export type ValueOf = (json: JsonValue, type: Type) => Value;

/** A list of JSON; elements are wrapped when asked for. */
export class JsonList implements ListValue, SelfComparing<ListValue> {
  readonly celType: Type = LIST;
  readonly strict = true;
  readonly #json: readonly JsonValue[];
  readonly #element: Type;
  readonly #valueOf: ValueOf;

  constructor(json: readonly JsonValue[], element: Type, valueOf: ValueOf) {
    this.#json = json;
    this.#element = element;
    this.#valueOf = valueOf;
  }

  get size(): number {
    return this.#json.length;
  }

  /** Whether no element is a text, a list or a map. */
  get isOfNumbers(): boolean {
    return NUMBERS.has(this.#element.kind);
  }

  at(index: number): Value {
    return this.#valueOf(this.#json[index] ?? null, this.#element);
  }

  equals(other: ListValue): boolean {
    const others = other instanceof JsonList ? other.#comparableWith(this.#element) : undefined;
    for (let index = 0; index < this.#json.length; index += 1) {
      if (others !== undefined && this.#json[index] === others[index]) continue;
      if (!equalValues(this.at(index), other.at(index))) return false;
    }
    return true;
  }

  /** The elements as JSON, where identical ones are equal values. */
  #comparableWith(element: Type): readonly JsonValue[] | undefined {
    return element.kind === this.#element.kind && SCALARS.has(element.kind)
      ? this.#json
      : undefined;
  }
}

const NUMBERS: ReadonlySet<Type["kind"]> = new Set<Type["kind"]>(["bool", "double", "int"]);
const SCALARS: ReadonlySet<Type["kind"]> = new Set<Type["kind"]>(["bool", "int", "string"]);

/** A list declared as a set, or as a map by keys of its elements. */
export function mergingList(
  json: readonly JsonValue[],
  element: Type,
  { merge, valueOf }: { readonly merge: ListMerge; readonly valueOf: ValueOf },
): ListValue {
  return new MergingList(new JsonList(json, element, valueOf), merge);
}

/**
 * Two such lists are equal when they hold the same elements in any order; adding replaces elements
 * that are there already (of sets: leaves them) and appends the others.
 */
class MergingList implements SelfComparing<ListValue>, SelfAddingList {
  readonly celType: Type = LIST;
  readonly strict = true;
  readonly #list: ListValue;
  readonly #merge: ListMerge;
  #byIdentity: Map<string, number> | undefined;

  constructor(list: ListValue, merge: ListMerge) {
    this.#list = list;
    this.#merge = merge;
  }

  get mergeKind(): ListMerge["kind"] {
    return this.#merge.kind;
  }

  get size(): number {
    return this.#list.size;
  }

  at(index: number): Value {
    return this.#list.at(index);
  }

  equals(other: ListValue): boolean {
    if (other === this) return true;
    for (const element of elementsOf(other)) {
      const place = this.#places().get(this.#identity(element));
      if (place === undefined) return false;
      if (this.#merge.kind === "map" && !equalValues(this.at(place), element)) return false;
    }
    return true;
  }

  plus(other: ListValue): ListValue {
    const places = new Map(this.#places());
    const elements = [...elementsOf(this.#list)];
    for (const element of elementsOf(other)) {
      const identity = this.#identity(element);
      const place = places.get(identity);
      if (place === undefined) {
        if (this.#merge.kind === "set") places.set(identity, elements.length);
        elements.push(element);
      } else if (this.#merge.kind === "map") elements[place] = element;
    }
    return new MergingList(new ArrayList(elements), this.#merge);
  }

  #places(): ReadonlyMap<string, number> {
    this.#byIdentity ??= new Map(
      [...elementsOf(this.#list)].map((element, index) => [this.#identity(element), index]),
    );
    return this.#byIdentity;
  }

  #identity(element: Value): string {
    if (this.#merge.kind === "set") return identityText(element);
    let identity = "";
    for (const key of this.#merge.keys) {
      const text = identityText(fieldOf(element, key));
      identity += `${text.length} ${text}`;
    }
    return identity;
  }
}

function fieldOf(element: Value, key: string): Value {
  return isMap(element) ? (element.find(key) ?? null) : null;
}

function identityText(value: Value): string {
  if (typeof value === "string") return `s${value}`;
  return typeof value === "object" && value !== null ? "" : `${typeof value} ${value}`;
}
