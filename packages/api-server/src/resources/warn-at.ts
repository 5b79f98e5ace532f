import type { FieldPath } from "@homeostat/object-model";

/** The text of a warning about one field. */
export function warnAt(path: FieldPath, why: string): string {
  return `${path.toString()}: ${why}`;
}
