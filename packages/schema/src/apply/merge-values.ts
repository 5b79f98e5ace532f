import type { WorkSteps } from "@homeostat/cel";
import { type JsonObject, type JsonValue, ownKey, setOwnKey } from "@homeostat/object-model";
import { elementAt } from "./items-by-element.ts";
import {
  formOf,
  type ListForm,
  type MapForm,
  type MergeSchema,
  typeOfKey,
} from "./merge-schema.ts";
import { MergeValueError } from "./merge-value-error.ts";
import { printFieldPath } from "./path-element.ts";

/**
 * `applied` laid over `live`: nothing is removed, and where both say something of a leaf, `applied`
 * counts. Lists are in the order of `applied` as far as it says; what only `live` has keeps its place
 * among its neighbours. Neither is changed, and the answer shares with both.
 */
export function mergeValues(live: JsonValue, applied: JsonValue, schema: MergeSchema): JsonValue {
  switch (formOf(schema, applied)) {
    case "map":
      if (schema.map!.relation === "atomic") return applied;
      return mergeMaps(live, applied, schema.map!);
    case "list":
      if (schema.list!.relation === "atomic") return applied;
      return mergeLists(live, applied, schema.list!);
    default:
      return applied;
  }
}

function mergeMaps(live: JsonValue, applied: JsonValue, form: MapForm): JsonValue {
  const before = isMap(live) ? live : undefined;
  const after = isMap(applied) ? applied : undefined;
  if (before === undefined || isEmpty(before)) return applied;
  if (after === undefined || isEmpty(after)) return live;
  const merged: JsonObject = {};
  for (const key of Object.keys(before)) {
    const type = typeOfKey(form, key);
    const value = before[key]!;
    const isBoth = type !== undefined && Object.hasOwn(after, key);
    setOwnKey(merged, key, isBoth ? mergeValues(value, after[key]!, type) : value);
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) setOwnKey(merged, key, after[key]!);
  }
  return merged;
}

function mergeLists(live: JsonValue, applied: JsonValue, form: ListForm): JsonValue {
  const before = Array.isArray(live) ? live : [];
  const after = Array.isArray(applied) ? applied : [];
  if (after.length === 0) return before.length === 0 ? applied : live;
  if (areInStep(before, after, form)) {
    return after.map((item, at) => mergeValues(before[at]!, item, form.element!));
  }
  return new ListMerge(before, after, form).merge();
}

/** Members and items that are merged between two rests. */
const PER_STEP = 1_024;

/** {@link mergeValues} of large values: the same, in steps. */
export function mergeInSteps(
  live: JsonValue,
  applied: JsonValue,
  schema: MergeSchema,
): WorkSteps<JsonValue> {
  return new MergeWalk().merge(live, applied, schema);
}

class MergeWalk {
  #seen = 0;

  *merge(live: JsonValue, applied: JsonValue, schema: MergeSchema): WorkSteps<JsonValue> {
    const form = formOf(schema, applied);
    if (form === "map" && schema.map!.relation !== "atomic" && isMap(live) && isMap(applied)) {
      if (!isEmpty(live) && !isEmpty(applied)) {
        return yield* this.#maps(live, applied, schema.map!);
      }
    }
    if (form === "list" && schema.list!.relation !== "atomic") {
      if (Array.isArray(live) && Array.isArray(applied) && applied.length > 0) {
        if (areInStep(live, applied, schema.list!)) {
          return yield* this.#lists(live, applied, schema.list!.element!);
        }
      }
    }
    return mergeValues(live, applied, schema);
  }

  *#maps(live: JsonObject, applied: JsonObject, form: MapForm): WorkSteps<JsonValue> {
    const merged: JsonObject = {};
    for (const key of Object.keys(live)) {
      if (++this.#seen % PER_STEP === 0) yield;
      const type = typeOfKey(form, key);
      if (type === undefined || !Object.hasOwn(applied, key)) setOwnKey(merged, key, live[key]!);
      else {
        const value = applied[key]!;
        const isPlain = typeof value !== "object" || value === null;
        setOwnKey(
          merged,
          key,
          isPlain
            ? mergeValues(live[key]!, value, type)
            : yield* this.merge(live[key]!, value, type),
        );
      }
    }
    for (const key of Object.keys(applied)) {
      if (++this.#seen % PER_STEP === 0) yield;
      if (!Object.hasOwn(live, key)) setOwnKey(merged, key, applied[key]!);
    }
    return merged;
  }

  *#lists(
    live: readonly JsonValue[],
    applied: readonly JsonValue[],
    type: MergeSchema,
  ): WorkSteps<JsonValue> {
    const merged: JsonValue[] = [];
    for (let at = 0; at < applied.length; at++) {
      if (++this.#seen % PER_STEP === 0) yield;
      merged.push(yield* this.merge(live[at]!, applied[at]!, type));
    }
    return merged;
  }
}

/** Whether both hold the same elements in the same order, each once, as far as one key of text tells. */
function areInStep(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  { keys }: ListForm,
): boolean {
  if (keys.length !== 1 || before.length !== after.length) return false;
  const seen = new Set<string>();
  for (let at = 0; at < after.length; at++) {
    const one = before[at]!;
    const other = after[at]!;
    const key = isMap(other) ? ownKey(other, keys[0]!) : undefined;
    if (typeof key !== "string" || seen.has(key)) return false;
    if (!isMap(one) || ownKey(one, keys[0]!) !== key) return false;
    seen.add(key);
  }
  return true;
}

class ListMerge {
  readonly #form: ListForm;
  readonly #live: readonly JsonValue[];
  readonly #liveElements: readonly string[];
  /** Undefined where the element repeats: duplicates are replaced, not merged. */
  readonly #liveItems = new Map<string, JsonValue | undefined>();
  readonly #elements: readonly string[];
  readonly #items = new Map<string, JsonValue>();

  constructor(live: readonly JsonValue[], applied: readonly JsonValue[], form: ListForm) {
    this.#form = form;
    this.#live = live;
    this.#elements = applied.map((item, index) => {
      const element = elementAt(form, item, index);
      if (this.#items.has(element)) {
        const detail = `duplicate entries for key ${printFieldPath([element])}`;
        throw new MergeValueError([{ path: "", detail }]);
      }
      this.#items.set(element, item);
      return element;
    });
    this.#liveElements = live.map((item, index) => {
      const element = elementAt(form, item, index);
      this.#liveItems.set(element, this.#liveItems.has(element) ? undefined : item);
      return element;
    });
  }

  /**
   * Walks both lists at once. Items of both are taken in the order of `applied`; those only `live` has
   * are taken as soon as they are met, so they stay behind the item they stood behind.
   */
  merge(): JsonValue[] {
    const out: JsonValue[] = [];
    const shared = this.#elements.filter((element) => this.#liveItems.has(element));
    let nextShared = 0;
    const merged = new Set<string>();
    let at = 0;
    let appliedAt = 0;
    while (at < this.#liveElements.length || appliedAt < this.#elements.length) {
      const element = this.#liveElements[at];
      const wanted = this.#elements[appliedAt];
      if (element !== undefined && wanted !== undefined) {
        if (element === wanted) {
          merged.add(element);
          out.push(this.#mergedItem(element));
          at++;
          appliedAt++;
          nextShared++;
          continue;
        }
        const next = shared[nextShared];
        if (this.#items.has(element) && next !== undefined && next !== element) {
          at++;
          continue;
        }
      }
      if (element !== undefined) {
        if (!this.#items.has(element)) {
          out.push(this.#live[at]!);
          at++;
          continue;
        }
        if (merged.has(element)) at++;
      }
      if (wanted !== undefined) {
        merged.add(wanted);
        out.push(this.#mergedItem(wanted));
        appliedAt++;
        if (shared[nextShared] === wanted) nextShared++;
      }
    }
    return out;
  }

  #mergedItem(element: string): JsonValue {
    const applied = this.#items.get(element)!;
    const live = this.#liveItems.get(element);
    return live === undefined ? applied : mergeValues(live, applied, this.#form.element!);
  }
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(map: JsonObject): boolean {
  for (const _ in map) return false;
  return true;
}
