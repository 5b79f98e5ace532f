// What holds for one field beyond its type: required, default, list, map and patch rules from OpenAPI; pointer and
// printing rules from the Go struct.

import type { ApiField, FieldType } from "./api-model.ts";
import { isScalar } from "./api-model.ts";
import type { GoStruct } from "./go-structs.ts";
import { words } from "./go-structs.ts";
import type { OpenApiProperty, OpenApiSchema } from "./read-input.ts";

interface FieldContext {
  /** Absent for an embedded struct. */
  readonly jsonName: string | undefined;
  readonly type: FieldType;
  readonly property: OpenApiProperty | undefined;
  readonly schema: OpenApiSchema | undefined;
  readonly goStruct: GoStruct;
}

type FieldRules = Omit<ApiField, "name" | "number" | "type" | "embedded">;

export function buildFieldRules(context: FieldContext): FieldRules {
  const { jsonName, type, property, schema, goStruct } = context;
  if (jsonName === undefined) return { required: false, pointer: false, printedWhenEmpty: false };
  const listed = (list: string | undefined) => words(list).includes(jsonName);
  const required = schema?.required?.includes(jsonName) ?? listed(goStruct.required);
  const single = type.shape === "single";
  const value =
    single &&
    !isScalar(type.element) &&
    (property?.default !== undefined || listed(goStruct.values));
  return {
    required,
    ...(property?.default !== undefined ? { default: property.default } : {}),
    ...openApiRules(property ?? {}),
    pointer: single && (isScalar(type.element) ? listed(goStruct.pointers) : !value),
    printedWhenEmpty:
      listed(goStruct.printed) || ((required || value) && !listed(goStruct.omitted)),
  };
}

function openApiRules(property: OpenApiProperty): Partial<FieldRules> {
  const {
    "x-kubernetes-list-type": listType,
    "x-kubernetes-list-map-keys": listMapKeys,
    "x-kubernetes-map-type": mapType,
    "x-kubernetes-patch-merge-key": patchMergeKey,
    "x-kubernetes-patch-strategy": patchStrategy,
  } = property;
  return {
    ...(listType !== undefined ? { listType } : {}),
    ...(listMapKeys !== undefined ? { listMapKeys } : {}),
    ...(mapType !== undefined ? { mapType } : {}),
    ...(patchMergeKey !== undefined ? { patchMergeKey } : {}),
    ...(patchStrategy !== undefined ? { patchStrategy } : {}),
  };
}
