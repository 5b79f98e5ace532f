/** Keys whose values are taken from the pod itself, and added to a selector of pods. */
import type { LabelSelector } from "@homeostat/object-model/meta-v1";
import { each, type Place } from "@homeostat/schema";
import { labelKey } from "./checks/label-selectors.ts";

const keys = each(labelKey);

interface LabelKeys {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/** The selector already holds what the keys stand for, so a key it asks for twice is in both. */
export function checkMatchLabelKeys(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: LabelKeys,
  place: Place,
): void {
  checkKeys(matchLabelKeys, labelSelector, place.child("matchLabelKeys"));
  checkKeys(mismatchLabelKeys, labelSelector, place.child("mismatchLabelKeys"));
  const lastIndexes = new Map(matchLabelKeys.map((key, index) => [key, index]));
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const requirement of labelSelector?.matchExpressions ?? []) {
    const key = requirement?.key ?? "";
    const index = lastIndexes.get(key);
    if (index !== undefined && selected.has(key)) {
      place.index(index).invalid(key, "exists in both matchLabelKeys and labelSelector");
    }
    selected.add(key);
  }
  const mismatched = new Set(mismatchLabelKeys);
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatched.has(key)) continue;
    const why = "exists in both matchLabelKeys and mismatchLabelKeys";
    place.child("matchLabelKeys").index(index).invalid(key, why);
  }
}

/** Before selectors held them: the keys and the selector ask for different labels. */
export function apartFromSelector(
  { labelSelector, matchLabelKeys = [] }: LabelKeys,
  place: Place,
): void {
  if (matchLabelKeys.length === 0) return;
  if (labelSelector === undefined) {
    place.forbidden("must not be specified when labelSelector is not set");
  }
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map((requirement) => requirement?.key ?? ""),
  ]);
  for (const [index, key] of matchLabelKeys.entries()) {
    labelKey(key, place.index(index));
    if (!selected.has(key)) continue;
    place.index(index).invalid(key, "exists in both matchLabelKeys and labelSelector");
  }
}

function checkKeys(
  given: readonly string[],
  selector: LabelSelector | undefined,
  place: Place,
): void {
  if (given.length === 0) return;
  if (selector === undefined) {
    place.forbidden("must not be specified when labelSelector is not set");
  } else keys(given, place);
}
