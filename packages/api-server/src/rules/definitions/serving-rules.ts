/** What versions say of how they are served: subresources, columns, selectable fields, deprecation. */
import { FieldError } from "@homeostat/object-model";
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
  SelectableField,
} from "@homeostat/object-model/apiextensions-v1";
import {
  invalidShown,
  type Place,
  resolveFieldPath,
  type StructuralSchema,
  shownAsJson,
} from "@homeostat/schema";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = [
  "byte",
  "date",
  "date-time",
  "double",
  "float",
  "int32",
  "int64",
  "password",
];

export function checkColumns(
  columns: readonly Partial<CustomResourceColumnDefinition>[] | undefined,
  place: Place,
): void {
  for (const [index, column] of (columns ?? []).entries()) checkColumn(column, place.index(index));
}

function checkColumn(
  column: Readonly<Partial<CustomResourceColumnDefinition>>,
  place: Place,
): void {
  if (!column.name) place.child("name").required();
  const typeDetail = `must be one of ${COLUMN_TYPES.join(",")}`;
  if (!column.type) place.child("type").required(typeDetail);
  else if (!COLUMN_TYPES.includes(column.type))
    place.child("type").invalid(column.type, typeDetail);
  if (column.format && !COLUMN_FORMATS.includes(column.format)) {
    place.child("format").invalid(column.format, `must be one of ${COLUMN_FORMATS.join(",")}`);
  }
  if (!column.jsonPath) place.child("JSONPath").required();
  else checkSimplePath(column.jsonPath, place.child("JSONPath"));
}

export function checkSubresources(
  subresources: Readonly<CustomResourceSubresources> | undefined,
  place: Place,
): void {
  const scale = subresources?.scale;
  if (scale === undefined) return;
  for (const [name, root] of [
    ["specReplicasPath", ".spec"],
    ["statusReplicasPath", ".status"],
  ] as const) {
    const at = place.child(`scale.${name}`);
    const path = scale[name];
    if (!path) at.required();
    else if (checkSimplePath(path, at) && !path.startsWith(`${root}.`)) {
      at.invalid(path, `should be a json path under ${root}`);
    }
  }
  const { labelSelectorPath } = scale;
  if (!labelSelectorPath) return;
  const at = place.child("scale.labelSelectorPath");
  if (!checkSimplePath(labelSelectorPath, at)) return;
  if (!labelSelectorPath.startsWith(".spec.") && !labelSelectorPath.startsWith(".status.")) {
    const detail = "should be a json path under either .spec or .status";
    at.add(invalidShown(at.path, shownAsJson(labelSelectorPath), detail));
  }
}

/** Whether nothing is wrong with it. */
function checkSimplePath(path: string, place: Place): boolean {
  if (path.startsWith(".")) return true;
  place.invalid(path, "must be a simple json path starting with .");
  return false;
}

const MAX_SELECTABLE_FIELDS = 8;

export function checkSelectableFields(
  fields: readonly Partial<SelectableField>[],
  place: Place,
  { schema, allowsTooMany }: { schema: StructuralSchema; allowsTooMany: boolean },
): void {
  const known = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = place.index(index).child("jsonPath");
    if (!jsonPath) {
      at.required();
      continue;
    }
    const resolved = resolveFieldPath(jsonPath, schema, { brackets: false });
    if (!resolved.ok) {
      at.invalid(jsonPath, `is an invalid path: ${resolved.problem}`);
      continue;
    }
    if (resolved.firstName === "metadata")
      at.invalid(jsonPath, "must not point to fields in metadata");
    if (!SELECTABLE_TYPES.has(resolved.schema?.type ?? "")) {
      const detail =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      at.invalid(jsonPath, detail);
    }
    if (known.has(resolved.path)) at.duplicate(jsonPath);
    known.add(resolved.path);
  }
  if (known.size > MAX_SELECTABLE_FIELDS && !allowsTooMany) {
    place.add(FieldError.tooMany(place.path!, known.size, MAX_SELECTABLE_FIELDS));
  }
}

export function hasTooManySelectableFields(
  fields: readonly SelectableField[] | undefined,
): boolean {
  return (fields?.length ?? 0) > MAX_SELECTABLE_FIELDS;
}

const SELECTABLE_TYPES: ReadonlySet<string> = new Set(["boolean", "integer", "string"]);

export function checkDeprecation(
  {
    deprecated,
    deprecationWarning: warning,
  }: { deprecated: boolean; deprecationWarning: string | undefined },
  place: Place,
): void {
  if (warning === undefined) return;
  for (const problem of deprecationProblems(deprecated, warning)) {
    place.add(invalidShown(place.path, shownAsJson(warning), problem));
  }
}

function deprecationProblems(deprecated: boolean, warning: string): string[] {
  if (!deprecated) return ["can only be set for deprecated versions"];
  const problems: string[] = [];
  const bytes = new TextEncoder();
  if (bytes.encode(warning).length > 256) problems.push("must be <= 256 characters long");
  if (warning === "") problems.push("must not be an empty string");
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (unprintable !== null) {
    const index = bytes.encode(warning.slice(0, unprintable.index)).length;
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
    );
  }
  return problems;
}
