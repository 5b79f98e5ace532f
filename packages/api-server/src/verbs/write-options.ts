import { ApiError, FieldError, FieldPath } from "@homeostat/object-model";
import type { Query } from "../http/query.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The parameters that create, update and patch share. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  readonly fieldManager: string;
}

const MAX_MANAGER = 128;

export function readWriteOptions(
  query: Query,
  kind: "CreateOptions" | "PatchOptions" | "UpdateOptions",
): WriteOptions {
  const dryRun = query.all("dryRun");
  const fieldManager = query.get("fieldManager");
  const fieldValidation = query.get("fieldValidation");
  const errors = [...checkFieldManager(fieldManager), ...checkDryRun(dryRun)];
  if (!["", "Ignore", "Warn", "Strict"].includes(fieldValidation)) {
    const path = FieldPath.of("fieldValidation");
    errors.push(
      FieldError.notSupported(path, fieldValidation, ["", "Ignore", "Strict", "Warn"]),
    );
  }
  if (errors.length > 0) throw ApiError.invalid({ group: "meta.k8s.io", kind }, "", errors);
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === "" ? "Warn" : (fieldValidation as FieldValidation),
    fieldManager,
  };
}

export function checkDryRun(values: readonly string[]): FieldError[] {
  if (values.every((each) => each === "All")) return [];
  return [FieldError.notSupported(FieldPath.of("dryRun"), values, ["All"])];
}

function checkFieldManager(manager: string): FieldError[] {
  const path = FieldPath.of("fieldManager");
  const errors: FieldError[] = [];
  if (manager.length > MAX_MANAGER) errors.push(FieldError.tooLong(path, MAX_MANAGER));
  for (const [at, character] of [...manager].entries()) {
    if (/\p{C}/u.test(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
      const detail = `invalid character U+${code} (at position ${at})`;
      errors.push(FieldError.invalid(path, manager, detail));
    }
  }
  return errors;
}
