import type { WorkSteps } from "@homeostat/cel";
import type { JsonValue } from "@homeostat/object-model";
import { elementOf, ListElementError } from "./list-element.ts";
import type { ListForm } from "./merge-schema.ts";
import { MergeValueError } from "./merge-value-error.ts";

/** The items of an associative list by their path element, in order; more than one where it repeats. */
export function itemsByElement(
  items: readonly JsonValue[],
  list: ListForm,
): Map<string, JsonValue[]> {
  const found = new Map<string, JsonValue[]>();
  for (const [index, item] of items.entries()) {
    const element = elementAt(list, item, index);
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

/** Items whose elements are looked for between two rests. */
const PER_STEP = 2_048;

/** The same of a long list, in steps. */
export function* itemsInSteps(
  items: readonly JsonValue[],
  list: ListForm,
): WorkSteps<Map<string, JsonValue[]>> {
  const found = new Map<string, JsonValue[]>();
  for (let index = 0; index < items.length; index++) {
    if (index % PER_STEP === PER_STEP - 1) yield;
    const element = elementAt(list, items[index]!, index);
    const same = found.get(element);
    if (same === undefined) found.set(element, [items[index]!]);
    else same.push(items[index]!);
  }
  return found;
}

/** The path element of one item; throws MergeValueError where it has none. */
export function elementAt(list: ListForm, item: JsonValue, index: number): string {
  try {
    return elementOf(list, item);
  } catch (error) {
    if (!(error instanceof ListElementError)) throw error;
    throw new MergeValueError([{ path: "", detail: `element ${index}: ${error.message}` }]);
  }
}
