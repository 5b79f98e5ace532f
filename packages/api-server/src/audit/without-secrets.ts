import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { AuditObjectReference } from "./audit-event.ts";

/** A copy without tokens, which are good for whoever reads them, and if wanted without managed fields. */
export function withoutSecrets(
  value: JsonValue,
  { resource, subresource }: AuditObjectReference,
  { omitManagedFields }: { readonly omitManagedFields: boolean },
): JsonValue {
  if (!isObject(value)) return value;
  let made = value;
  if (omitManagedFields) {
    made = withoutManagedFields(made);
    const items = made["items"];
    if (Array.isArray(items)) made = { ...made, items: items.map(withoutManagedFields) };
  }
  if (resource === "tokenreviews") made = without(made, "spec", "token");
  if (resource === "serviceaccounts" && subresource === "token") {
    made = without(made, "status", "token");
  }
  return made;
}

function withoutManagedFields<T extends JsonValue>(value: T): T {
  return isObject(value) ? (without(value, "metadata", "managedFields") as T) : value;
}

function without(value: JsonObject, part: string, key: string): JsonObject {
  const inner = value[part];
  if (inner === undefined || !isObject(inner) || !Object.hasOwn(inner, key)) return value;
  const { [key]: _left, ...rest } = inner;
  return { ...value, [part]: rest };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
