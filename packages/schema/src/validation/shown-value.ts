/** How values show in the texts of validation. */
import {
  FieldError,
  type FieldPath,
  type JsonObject,
  type JsonValue,
  setOwnKey,
} from "@homeostat/object-model";

const TITLE = "Invalid value";

/** A text as Go's `%q` prints it. */
export function goQuoted(text: string): string {
  return shownValue(text);
}

/** A value as it shows in an error: texts quoted, lists and objects as JSON with sorted keys. */
export function shownValue(value: JsonValue): string {
  return FieldError.invalid(undefined, sortKeys(value), "").body.slice(`${TITLE}: `.length);
}

/** A text that shows as JSON, because Go holds it in another type than its own for texts. */
export function shownAsJson(text: string): string {
  return shownValue([text]).slice(1, -1);
}

/** An error whose value shows in another form than `shownValue` gives it. */
export function invalidShown(
  path: FieldPath | undefined,
  shown: string,
  detail: string,
): FieldError {
  const body = `${TITLE}: ${shown}: ${detail}`;
  const field = path?.toString() ?? "<nil>";
  return { type: "FieldValueInvalid", field, body, toString: () => `${field}: ${body}` };
}

/** The same value with the keys of its objects in the order in which Go writes them. */
export function sortKeys(value: JsonValue, levels: number = SORTED_LEVELS): JsonValue {
  if (typeof value !== "object" || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, levels - 1));
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    setOwnKey(sorted, key, sortKeys(value[key]!, levels - 1));
  }
  return sorted;
}

/** Deeper values are left as they are: no stack is deep enough for all that can be read. */
const SORTED_LEVELS = 500;
