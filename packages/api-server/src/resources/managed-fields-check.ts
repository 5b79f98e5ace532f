/** What is wrong with `metadata.managedFields` as a client sent them; see `object-meta.ts`. */
import { FieldError, type FieldPath, type ObjectMeta } from "@homeostat/object-model";

const MANAGER_MAX_BYTES = 128;
const SUBRESOURCE_MAX_BYTES = 256;

/** What Go's `unicode.IsPrint` accepts. Made when it is called: no start should wait for it. */
function printable(): RegExp {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
}

/** Names in which nothing has to be looked for: characters are bytes, and printable. */
const ORDINARY = /^[\x20-\x7e]*$/;

export function checkManagedFields(
  entries: ObjectMeta["managedFields"],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, entry] of (entries ?? []).entries()) {
    // Every write passes here, some more than once, and hardly anything is ever wrong.
    const at = (field: string): FieldPath => path.index(i).child(field);
    const { operation = "", fieldsType = "", manager = "", subresource = "" } = entry;
    if (operation !== "Apply" && operation !== "Update") {
      const detail = "must be `Apply` or `Update`";
      errors.push(FieldError.invalid(at("operation"), operation, detail));
    }
    if (fieldsType !== "" && fieldsType !== "FieldsV1") {
      errors.push(FieldError.invalid(at("fieldsType"), fieldsType, "must be `FieldsV1`"));
    }
    if (!isOrdinary(manager)) errors.push(...checkFieldManager(manager, at("manager")));
    if (Buffer.byteLength(subresource) > SUBRESOURCE_MAX_BYTES) {
      errors.push(FieldError.tooLong(at("subresource"), SUBRESOURCE_MAX_BYTES));
    }
  }
  return errors;
}

function isOrdinary(manager: string): boolean {
  return manager.length <= MANAGER_MAX_BYTES && ORDINARY.test(manager);
}

/** The name of who changes fields: short, and readable. */
export function checkFieldManager(manager: string, path: FieldPath): FieldError[] {
  if (isOrdinary(manager)) return [];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > MANAGER_MAX_BYTES) {
    errors.push(FieldError.tooLong(path, MANAGER_MAX_BYTES));
  }
  let position = 0;
  for (const char of manager) {
    if (!printable().test(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const detail = `invalid character U+${code} (at position ${position})`;
      errors.push(FieldError.invalid(path, manager, detail));
    }
    position += Buffer.byteLength(char);
  }
  return errors;
}
