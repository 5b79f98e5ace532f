import { ApiError, FieldError, FieldPath } from "@homeostat/object-model";
import type { Query } from "../http/query.ts";
import { checkFieldManager } from "../resources/managed-fields-check.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The parameters that create, update and patch share. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** "" where the client leaves it to the server. */
  readonly givenFieldValidation: string;
  readonly fieldManager: string;
}

/** `problems`: what else is wrong with the parameters; told first. */
export function readWriteOptions(
  query: Query,
  kind: "CreateOptions" | "PatchOptions" | "UpdateOptions",
  problems: readonly FieldError[] = [],
): WriteOptions {
  const dryRun = query.all("dryRun");
  const fieldManager = query.get("fieldManager");
  const fieldValidation = query.get("fieldValidation");
  const errors = [
    ...problems,
    ...checkFieldManager(fieldManager, FieldPath.of("fieldManager")),
    ...checkDryRun(dryRun),
  ];
  if (!["", "Ignore", "Warn", "Strict"].includes(fieldValidation)) {
    const path = FieldPath.of("fieldValidation");
    errors.push(FieldError.notSupported(path, fieldValidation, ["", "Ignore", "Strict", "Warn"]));
  }
  if (errors.length > 0) throw ApiError.invalid({ group: "meta.k8s.io", kind }, "", errors);
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === "" ? "Warn" : (fieldValidation as FieldValidation),
    givenFieldValidation: fieldValidation,
    fieldManager,
  };
}

export function checkDryRun(values: readonly string[]): FieldError[] {
  if (values.every((each) => each === "All")) return [];
  return [FieldError.notSupported(FieldPath.of("dryRun"), values, ["All"])];
}
