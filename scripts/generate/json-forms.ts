import type { JsonForm } from "./api-model.ts";

/** Messages whose JSON is not an object of their fields. */
export const jsonForms: ReadonlyMap<string, JsonForm> = new Map([
  ["meta.v1.Time", "time"],
  ["meta.v1.MicroTime", "micro-time"],
  ["meta.v1.Duration", "duration"],
  ["meta.v1.FieldsV1", "any-object"],
  ["meta.v1.Verbs", "string-list"],
  ["resource.Quantity", "quantity"],
  ["runtime.RawExtension", "any-object"],
  ["intstr.IntOrString", "int-or-string"],
  ["apiextensions.v1.JSON", "any"],
  ["apiextensions.v1.JSONSchemaPropsOrArray", "schema-or-list"],
  ["apiextensions.v1.JSONSchemaPropsOrBool", "schema-or-bool"],
  ["apiextensions.v1.JSONSchemaPropsOrStringArray", "schema-or-strings"],
  ["authentication.v1.ExtraValue", "string-list"],
  ["authorization.v1.ExtraValue", "string-list"],
  ["certificates.v1.ExtraValue", "string-list"],
]);
