/**
 * JSON merge patch (RFC 7386): objects merge member by member, null deletes, everything else
 * replaces. As in kube-apiserver, members that are null also vanish from objects inside a list that
 * the patch brings, unless the list takes the place of an object.
 *
 * Inputs are never changed. The result shares what did not change with document and patch (treat it
 * as read-only), and is the document itself where the patch changes nothing.
 */
import { equalJson } from "../json/equal-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { ownKey, setOwnKey } from "../json/own-key.ts";
import { isObject } from "./json-kind.ts";
import { ObjectDraft } from "./object-draft.ts";
import { PatchBudget, type PatchLimits } from "./patch-limits.ts";

/** Applies a merge patch. A patch that is no object replaces the whole document. */
export function applyMergePatch(
  document: JsonValue,
  patch: JsonValue,
  limits: PatchLimits = {},
): JsonValue {
  new PatchBudget(limits).checkDepth(patch, "patch");
  return merge(document, patch);
}

/**
 * The merge patch that turns `original` into `modified`. Merge patches cannot say everything: a
 * null in `modified` is lost when the patch is applied.
 */
export function createMergePatch(
  original: JsonValue,
  modified: JsonValue,
  limits: PatchLimits = {},
): JsonValue {
  new PatchBudget(limits).checkDepth(modified, "patch");
  if (isObject(original) && isObject(modified)) return difference(original, modified);
  return modified;
}

function merge(document: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(document)) return withoutNulls(patch);
  if (!isObject(patch)) return patch;
  const draft = new ObjectDraft(document);
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) draft.delete(key);
    else draft.set(key, merge(ownKey(document, key) ?? null, value));
  }
  return draft.finish();
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return withoutNullsInItems(value);
  if (!isObject(value)) return value;
  const draft = new ObjectDraft(value);
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    if (member === null) draft.delete(key);
    else draft.set(key, withoutNulls(member));
  }
  return draft.finish();
}

function withoutNullsInItems(list: JsonValue[]): JsonValue[] {
  const items = list.map(withoutNulls);
  return items.every((item, index) => item === list[index]) ? list : items;
}

function difference(original: JsonObject, modified: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(modified)) {
    const before = ownKey(original, key);
    const after = modified[key] ?? null;
    if (isObject(before) && isObject(after)) {
      const inner = difference(before, after);
      if (Object.keys(inner).length > 0) setOwnKey(patch, key, inner);
    } else if (before === undefined || !equalJson(before, after)) {
      setOwnKey(patch, key, after);
    }
  }
  for (const key of Object.keys(original)) {
    if (!Object.hasOwn(modified, key)) setOwnKey(patch, key, null);
  }
  return patch;
}
