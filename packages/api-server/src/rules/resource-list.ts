/** Resource lists: maps of user-chosen resource names to quantities. */
import { type JsonValue, Quantity, setOwnKey } from "@homeostat/object-model";

export type ResourceList = Record<string, string | number>;

const MILLI = -3;

/** Whole or in thousandths by its very form, as nearly all are: nothing to round. */
const COARSE = /^[+-]?\d+(?:m|k|[MGTPE]i?|Ki)?$/;

/** Rounds every quantity up to thousandths, in place. What is not a quantity stays as it is. */
export function roundResourceList(list: JsonValue | undefined): void {
  if (typeof list !== "object" || list === null || Array.isArray(list)) return;
  for (const [name, value] of Object.entries(list)) {
    if (typeof value !== "string" || COARSE.test(value)) continue;
    const rounded = Quantity.fromJson(value).roundUp(MILLI).toString();
    if (rounded !== value) setOwnKey(list, name, rounded);
  }
}

/** Entries of `source` that `target` does not have. */
export function addMissingResources(target: ResourceList, source: ResourceList): void {
  for (const [name, value] of Object.entries(source)) {
    if (!Object.hasOwn(target, name)) setOwnKey(target, name, value);
  }
}
