import type { WorkSteps } from "@homeostat/cel";
import {
  compareBytewise,
  encodeJson,
  type JsonObject,
  type JsonValue,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";
import { sortInSteps } from "@homeostat/schema";
import { sortKeys } from "./sort-keys.ts";

/** Values that are written in one go. A text counts as one more for every so many of its characters. */
const HEAVY = 4_096;
const CHARACTERS_PER_VALUE = 64;
/** Containers in containers, each of which is weighed again: what is deeper is written at once. */
const MAX_CUTS = 16;

/** Whether writing this at once would hold others up. */
export function isHeavy(value: JsonValue): boolean {
  return weigh(value, HEAVY) >= HEAVY;
}

/** The JSON of a value, to the byte that of `encodeJson`, in steps. */
export function textInSteps(value: JsonValue): WorkSteps<string> {
  return new TextWriter("given").text(value, 0);
}

/**
 * The JSON of a value with the keys of every object in order, to the byte that of
 * {@link sortKeys}, in steps. The sorted value is never there as a whole.
 */
export function sortedTextInSteps(value: JsonValue): WorkSteps<string> {
  return new TextWriter("sorted").text(value, 0);
}

class TextWriter {
  readonly #order: "given" | "sorted";

  constructor(order: "given" | "sorted") {
    this.#order = order;
  }

  *text(value: JsonValue, depth: number): WorkSteps<string> {
    if (typeof value !== "object" || value === null || depth >= MAX_CUTS) {
      return this.#atOnce(value);
    }
    return Array.isArray(value)
      ? yield* this.#list(value, depth)
      : yield* this.#object(value, depth);
  }

  #atOnce(value: JsonValue): string {
    return encodeJson(this.#order === "sorted" ? sortKeys(value) : value);
  }

  *#list(list: readonly JsonValue[], depth: number): WorkSteps<string> {
    const parts: string[] = [];
    let light: JsonValue[] = [];
    let weight = 0;
    const flush = (): void => {
      if (light.length > 0) parts.push(this.#atOnce(light).slice(1, -1));
      light = [];
      weight = 0;
    };
    for (const item of list) {
      const own = weigh(item, HEAVY);
      if (weight + own >= HEAVY) {
        flush();
        yield;
      }
      if (own >= HEAVY) parts.push(yield* this.text(item, depth + 1));
      else {
        light.push(item);
        weight += own;
      }
    }
    flush();
    return `[${parts.join(",")}]`;
  }

  *#object(object: JsonObject, depth: number): WorkSteps<string> {
    const parts: string[] = [];
    let light: JsonObject = {};
    let weight = 0;
    const flush = (): void => {
      const text = this.#atOnce(light).slice(1, -1);
      if (text !== "") parts.push(text);
      light = {};
      weight = 0;
    };
    const keys = this.#order === "sorted" ? yield* keysInOrder(object) : Object.keys(object);
    for (const key of keys) {
      const value = ownKey(object, key)!;
      const own = weigh(value, HEAVY) + weigh(key, HEAVY);
      if (weight + own >= HEAVY) {
        flush();
        yield;
      }
      if (own >= HEAVY) parts.push(`${encodeJson(key)}:${yield* this.text(value, depth + 1)}`);
      else {
        setOwnKey(light, key, value);
        weight += own;
      }
    }
    flush();
    return `{${parts.join(",")}}`;
  }
}

/** As an object has them to which they are added bytewise: array indexes come first, by number. */
function* keysInOrder(object: JsonObject): WorkSteps<string[]> {
  const indexes: string[] = [];
  const names: string[] = [];
  const keys = Object.keys(object);
  if (keys.length > HEAVY) yield;
  for (const key of keys) (isIndex(key) ? indexes : names).push(key);
  yield* sortInSteps(indexes, (a, b) => Number(a) - Number(b));
  yield* sortInSteps(names, compareBytewise);
  return indexes.length === 0 ? names : [...indexes, ...names];
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 2 ** 32 - 2;

function isIndex(key: string): boolean {
  return INDEX.test(key) && Number(key) <= MAX_INDEX;
}

/** How much a value is to write; what is beyond `enough` is not looked at. */
function weigh(value: JsonValue, enough: number): number {
  if (typeof value === "string") return 1 + value.length / CHARACTERS_PER_VALUE;
  if (typeof value !== "object" || value === null) return 1;
  let weight = 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && weight < enough; at++) {
      weight += weigh(value[at]!, enough - weight);
    }
    return weight;
  }
  const keys = Object.keys(value);
  weight += keys.length;
  for (let at = 0; at < keys.length && weight < enough; at++) {
    weight += weigh(value[keys[at]!]!, enough - weight);
  }
  return weight;
}
