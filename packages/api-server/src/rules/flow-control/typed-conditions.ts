import type { Rule } from "@homeostat/schema";

/** Of flow control only the type is looked at: it is there, and each is there once. */
export const typedConditions: Rule<readonly { readonly type?: string }[]> = (list, place) => {
  const types = new Set<string>();
  for (const [index, { type = "" }] of (list ?? []).entries()) {
    const at = place.index(index).child("type");
    if (types.has(type)) at.duplicate(type);
    types.add(type);
    if (type === "") at.required();
  }
};
