import { DYN, listOf, type Type } from "../expression-types/type.ts";
import type { ListValue, Value } from "./value.ts";

export const LIST: Type = listOf(DYN);

/** A list that holds its elements. The array is not copied: the maker gives it away. */
export class ArrayList implements ListValue {
  readonly celType: Type = LIST;
  readonly #elements: readonly Value[];

  constructor(elements: readonly Value[]) {
    this.#elements = elements;
  }

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): Value {
    return this.#elements[index] as Value;
  }
}

/**
 * What a comprehension collects into: one owner appends, nobody else sees it before it is finished.
 * Appending in place keeps `map` and `filter` linear.
 */
export class GrowingList implements ListValue {
  readonly celType: Type = LIST;
  readonly #elements: Value[] = [];

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): Value {
    return this.#elements[index] as Value;
  }

  append(list: ListValue): this {
    for (let index = 0; index < list.size; index += 1) this.#elements.push(list.at(index));
    return this;
  }

  finish(): ListValue {
    return new ArrayList(this.#elements);
  }
}

/** Two lists one after the other. Long ones are not copied: adding costs 1, however long they are. */
export function concatenate(left: ListValue, right: ListValue): ListValue {
  if (left.size === 0) return right;
  if (right.size === 0) return left;
  if (left.size + right.size > COPIED_SIZE) return new JoinedList(left, right);
  return new ArrayList([...elementsOf(left), ...elementsOf(right)]);
}

const COPIED_SIZE = 1_000;

class JoinedList implements ListValue {
  readonly celType: Type = LIST;
  readonly size: number;
  readonly #left: ListValue;
  readonly #right: ListValue;

  constructor(left: ListValue, right: ListValue) {
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  /** Where the element is, and its place there. */
  #part(index: number): [ListValue, number] {
    const { size } = this.#left;
    return index < size ? [this.#left, index] : [this.#right, index - size];
  }

  at(index: number): Value {
    let [list, place] = this.#part(index);
    // Step by step: a sum of many is deeper than the stack.
    while (list instanceof JoinedList) [list, place] = list.#part(place);
    return list.at(place);
  }
}

export function isList(value: Value): value is ListValue {
  return typeof value === "object" && value !== null && "celType" in value
    ? value.celType.kind === "list"
    : false;
}

export function* elementsOf(list: ListValue): Iterable<Value> {
  for (let index = 0; index < list.size; index += 1) yield list.at(index);
}
