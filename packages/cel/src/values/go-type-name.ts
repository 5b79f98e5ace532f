import { isList } from "./list-value.ts";
import { isMap } from "./map-value.ts";
import { typeOfValue } from "./type-of-value.ts";
import type { Value } from "./value.ts";

const NAMES: ReadonlyMap<string, string> = new Map([
  ["bool", "types.Bool"],
  ["bytes", "types.Bytes"],
  ["double", "types.Double"],
  ["duration", "types.Duration"],
  ["int", "types.Int"],
  ["list", "*types.baseList"],
  ["map", "*types.baseMap"],
  ["null", "types.Null"],
  ["optional", "*types.Optional"],
  ["string", "types.String"],
  ["timestamp", "types.Timestamp"],
  ["type", "*types.Type"],
  ["uint", "types.Uint"],
  ["kubernetes.NamedFormat", "*cel.Format"],
]);

/** What kube-apiserver represents a value by: some of its messages name that. */
export function goTypeName(value: Value): string {
  const type = typeOfValue(value);
  if (type.kind === "opaque") {
    return NAMES.get(type.name) ?? type.name.replace(/^(?:kubernetes|net)\./, "cel.");
  }
  if (typeof value === "object" && value !== null && "strict" in value) {
    if (isMap(value)) return "*common.unstructuredMap";
    if (isList(value)) return `*common.unstructured${mergeName(value)}List`;
  }
  return NAMES.get(type.kind) ?? type.kind;
}

function mergeName(list: object): string {
  if (!("mergeKind" in list)) return "";
  return list.mergeKind === "set" ? "Set" : "Map";
}
