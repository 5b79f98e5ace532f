/** Labels outside of an object's own metadata: of templates, and what selects nodes by them. */
import type { Rule } from "@homeostat/schema";
import { checkAnnotations, checkLabels } from "../../resources/object-meta.ts";

/** Errors are told at the map, not at its keys. */
export const labels: Rule<{ readonly [key: string]: string }> = (value, place) => {
  const { path } = place;
  if (path === undefined) return;
  place.visitItems(Object.entries(value ?? {}), (entry, _, here) => {
    here.add(...checkLabels(Object.fromEntries([entry]), path));
  });
};

export const annotations: Rule<{ readonly [key: string]: string }> = (value, place) => {
  if (place.path !== undefined) place.add(...checkAnnotations(value, place.path));
};
