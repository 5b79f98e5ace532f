/**
 * The words a strategic merge patch speaks besides data: `$patch`, `$retainKeys`,
 * `$setElementOrder/<list>` and `$deleteFromPrimitiveList/<list>`. What they do is decided in
 * `strategic-merge-patch.ts`; here is how they are recognised and taken out of data.
 */
import type { JsonValue } from "../json/json-value.ts";
import { isObject } from "./json-kind.ts";
import { ObjectDraft } from "./object-draft.ts";
import { malformedElementOrder, malformedPrimitiveList } from "./strategic-errors.ts";

export const PATCH = "$patch";
export const RETAIN_KEYS = "$retainKeys";
const SET_ELEMENT_ORDER = "$setElementOrder";
const DELETE_FROM_PRIMITIVE_LIST = "$deleteFromPrimitiveList";

export function setsElementOrder(key: string): boolean {
  return key.startsWith(SET_ELEMENT_ORDER);
}

export function deletesFromPrimitiveList(key: string): boolean {
  return key.startsWith(DELETE_FROM_PRIMITIVE_LIST);
}

/** The key of the directive that orders, or deletes from, the list under `listKey`. */
export function elementOrderKey(listKey: string): string {
  return `${SET_ELEMENT_ORDER}/${listKey}`;
}

export function primitiveDeletionKey(listKey: string): string {
  return `${DELETE_FROM_PRIMITIVE_LIST}/${listKey}`;
}

/** The list an ordering directive names. */
export function orderedList(key: string): string {
  if (key.startsWith(`${SET_ELEMENT_ORDER}/`)) return key.slice(SET_ELEMENT_ORDER.length + 1);
  throw malformedElementOrder();
}

/** The list a deleting directive names. */
export function listDeletedFrom(key: string): string {
  if (key.startsWith(`${DELETE_FROM_PRIMITIVE_LIST}/`)) {
    return key.slice(DELETE_FROM_PRIMITIVE_LIST.length + 1);
  }
  throw malformedPrimitiveList();
}

/**
 * What remains of a patch value that meets nothing to be merged with: objects with a `$patch`
 * directive vanish, at any depth; undefined where the value itself does. Other directives stay, as
 * they do in Kubernetes, for the schema to drop. With `discardNulls`, null members vanish too;
 * null list elements never do.
 */
export function withoutDirectives(
  value: JsonValue,
  options: { discardNulls: boolean },
): JsonValue | undefined {
  if (Array.isArray(value)) {
    const kept: JsonValue[] = [];
    let same = true;
    for (const item of value) {
      const cleaned = withoutDirectives(item, options);
      same &&= cleaned === item;
      if (cleaned !== undefined) kept.push(cleaned);
    }
    return same ? value : kept;
  }
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, PATCH) && !(options.discardNulls && value[PATCH] === null)) {
    return undefined;
  }
  const draft = new ObjectDraft(value);
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    const cleaned =
      member === null && options.discardNulls ? undefined : withoutDirectives(member, options);
    if (cleaned === undefined) draft.delete(key);
    else draft.set(key, cleaned);
  }
  return draft.finish();
}
