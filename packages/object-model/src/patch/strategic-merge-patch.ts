/**
 * Strategic merge patch, as apimachinery applies it: a merge patch that knows from the schema which
 * lists are merged and by which key, and that carries directives for what plain data cannot say.
 * `strategic-directives.ts` knows the directives, `strategic-list-merge.ts` merges lists,
 * `strategic-list-order.ts` puts them in order, `create-strategic-merge-patch.ts` makes patches.
 *
 * Inputs are never changed. The result shares what did not change with document and patch (treat it
 * as read-only), and is the document itself where the patch changes nothing.
 */
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { ownKey } from "../json/own-key.ts";
import { isContainer, isObject, jsonKind } from "./json-kind.ts";
import { ObjectDraft } from "./object-draft.ts";
import { PatchError } from "./patch-error.ts";
import { PatchBudget, type PatchLimits } from "./patch-limits.ts";
import type { PatchSchema } from "./patch-schema.ts";
import {
  deletesFromPrimitiveList,
  listDeletedFrom,
  orderedList,
  PATCH,
  RETAIN_KEYS,
  setsElementOrder,
  withoutDirectives,
} from "./strategic-directives.ts";
import { malformedRetainKeys, unknownDirective, wrongType } from "./strategic-errors.ts";
import { listFieldOf, objectFieldOf, type StrategicField } from "./strategic-fields.ts";
import {
  deleteFromList,
  elementKind,
  type ListMerge,
  type MergedList,
  mergeLists,
  sameOr,
} from "./strategic-list-merge.ts";
import { checkNamedInOrder, divideList, orderList } from "./strategic-list-order.ts";

export interface StrategicMergeOptions {
  /** The type of the document. */
  readonly schema: PatchSchema;
  readonly limits?: PatchLimits;
}

/** Applies a strategic merge patch to an object. A patch of null changes nothing. */
export function applyStrategicMergePatch(
  document: JsonValue,
  patch: JsonValue,
  { schema, limits = {} }: StrategicMergeOptions,
): JsonObject {
  const original = requireObject(document);
  if (patch === null) return original;
  const budget = new PatchBudget(limits);
  budget.checkDepth(patch, "patch");
  return new StrategicMerge(budget).mergeObjects(original, requireObject(patch), schema);
}

function requireObject(value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  throw new PatchError(
    "patch-malformed",
    `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
  );
}

class StrategicMerge {
  readonly #budget: PatchBudget;

  /**
   * How many merges under way are into an item that the patch has merged into before. Everything
   * else is merged once, so its cost is bounded by its size; these pay.
   */
  #repeats = 0;

  constructor(budget: PatchBudget) {
    this.#budget = budget;
  }

  /**
   * In this order: `$patch` decides alone, `$retainKeys` clears, lists with a `$setElementOrder` are
   * merged and ordered, the other keys are merged, `$deleteFromPrimitiveList` deletes. (apimachinery
   * takes the last two in random order.)
   */
  mergeObjects(original: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
    const directive = ownKey(patch, PATCH);
    if (directive !== undefined) return obey(directive, patch);
    const keys = Object.keys(patch);
    if (this.#repeats > 0) this.#budget.spendSteps(keys.length + Object.keys(original).length);
    const draft = new ObjectDraft(original);
    retainKeys(draft, patch);
    const ordered = new Set<string>();
    for (const key of keys) {
      if (!setsElementOrder(key)) continue;
      const list = this.#mergeAndOrder(draft, { patch, key, schema });
      if (list !== undefined) ordered.add(list);
    }
    for (const key of keys) {
      if (key === RETAIN_KEYS || setsElementOrder(key) || ordered.has(key)) continue;
      if (!deletesFromPrimitiveList(key)) this.#mergeKey(draft, { patch, key, schema });
    }
    for (const key of keys) {
      if (deletesFromPrimitiveList(key)) this.#mergeKey(draft, { patch, key, schema });
    }
    return draft.finish();
  }

  #mergeKey(draft: ObjectDraft, { patch, key, schema }: PatchMember): void {
    const deletes = deletesFromPrimitiveList(key);
    const target = (deletes && listDeletedFrom(key)) || key;
    const value = patch[key] ?? null;
    const current = draft.get(target);
    if (value === null) {
      draft.delete(target);
    } else if (current === undefined || jsonKind(current) !== jsonKind(value)) {
      if (!deletes) take(draft, target, value);
    } else if (isObject(current) && isObject(value)) {
      const field = objectFieldOf(schema, target);
      const replaces = field.strategy === "replace";
      draft.set(target, replaces ? value : this.mergeObjects(current, value, field.schema));
    } else if (Array.isArray(current) && Array.isArray(value)) {
      const field = listFieldOf(schema, target);
      const merge = this.#listMerge(field);
      this.#payForList(current);
      if (deletes) draft.set(target, deleteFromList(current, value, merge));
      else if (field.strategy !== "merge") draft.set(target, value);
      else draft.set(target, mergeLists(current, value, merge).items);
    } else {
      draft.set(target, value);
    }
  }

  /**
   * Obeys a `$setElementOrder/<list>`: merges the patch's list of that name, if it has one, into the
   * object's and orders the outcome by the directive. Returns the name of the list it dealt with,
   * undefined where neither has such a list.
   */
  #mergeAndOrder(draft: ObjectDraft, { patch, key, schema }: PatchMember): string | undefined {
    const order = requireList(patch[key] ?? null);
    const name = orderedList(key);
    const current = optionalList(draft.get(name));
    const change = optionalList(ownKey(patch, name));
    const field = listFieldOf(schema, name);
    const { mergeKey } = field;
    checkNamedInOrder(change ?? [], order, mergeKey);
    if (current === undefined && change === undefined) return undefined;
    this.#payForList(current ?? []);
    const { items, server } = this.#mergePresent(current, change, field);
    const divided = divideList(items, order, mergeKey);
    const elements = elementKind([current ?? [], change ?? []]);
    const budget = this.#budget;
    const ordered = orderList(divided, { patch: order, server, mergeKey, elements, budget });
    draft.set(name, sameOr(current ?? [], ordered));
    return name;
  }

  #mergePresent(
    current: JsonValue[] | undefined,
    change: JsonValue[] | undefined,
    field: StrategicField,
  ): MergedList {
    if (change === undefined) return { items: current ?? [], server: current ?? [] };
    if (current === undefined) {
      const added = withoutDirectives(change, { discardNulls: false }) ?? null;
      return { items: requireList(added), server: [] };
    }
    if (field.strategy !== "merge") return { items: change, server: current };
    return mergeLists(current, change, this.#listMerge(field));
  }

  #payForList(current: JsonValue[]): void {
    if (this.#repeats > 0) this.#budget.spendSteps(current.length);
  }

  #listMerge({ mergeKey, schema }: StrategicField): ListMerge {
    return {
      mergeKey,
      elementType: schema.kind === "scalar" ? schema.name : schema.kind,
      budget: this.#budget,
      mergeItems: (original, patch) => this.mergeObjects(original, patch, schema),
      mergeRepeated: (original, patch) => {
        this.#repeats++;
        const merged = this.mergeObjects(original, patch, schema);
        this.#repeats--;
        return merged;
      },
    };
  }
}

/** A key of a patch and the type that declares it. */
interface PatchMember {
  readonly patch: JsonObject;
  readonly key: string;
  readonly schema: PatchSchema;
}

function obey(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === "delete") return {};
  if (directive !== "replace") throw unknownDirective(directive, patch);
  const draft = new ObjectDraft(patch);
  draft.delete(PATCH);
  return draft.finish();
}

/** Obeys `$retainKeys`: whatever it does not list goes, and the patch may set only what it lists. */
function retainKeys(draft: ObjectDraft, patch: JsonObject): void {
  const list = ownKey(patch, RETAIN_KEYS);
  if (list === undefined) return;
  if (!Array.isArray(list) || list.some(isContainer)) throw malformedRetainKeys();
  const retained = new Set(list);
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || deletesFromPrimitiveList(key) || setsElementOrder(key)) continue;
    if (patch[key] !== null && !retained.has(key)) throw malformedRetainKeys();
  }
  draft.retain(retained);
}

/** Puts a patch value where there is nothing it could be merged with. */
function take(draft: ObjectDraft, key: string, value: JsonValue): void {
  const taken = withoutDirectives(value, { discardNulls: true });
  if (taken === undefined) draft.delete(key);
  else draft.set(key, taken);
}

function optionalList(value: JsonValue | undefined): JsonValue[] | undefined {
  return value === undefined ? undefined : requireList(value);
}

function requireList(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw wrongType([], value);
}
