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
export function sortKeys(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) setOwnKey(sorted, key, sortKeys(value[key]!));
  return sorted;
}
