/** What is done to a field, by its shape: each mutation has a name and the edits that make it. */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { Edit } from "./probe.ts";
import { otherValue, scalarForms } from "./scalar-forms.ts";
import { type FieldSite, isObject } from "./walk-fields.ts";

export type Mutation = [name: string, edits: Edit[]];

export function mutationsOnCreate(site: FieldSite): Mutation[] {
  const values: Record<string, JsonValue> = formsOf(site);
  const mutations = Object.entries(values)
    .filter(([, value]) => JSON.stringify(value) !== JSON.stringify(site.value))
    .map(([name, value]): Mutation => [name, [{ at: site.path, value }]]);
  if (site.value !== undefined) mutations.unshift(absent(site));
  return mutations;
}

/** Fewer: what is being asked is whether the field may change, come and go. */
export function mutationsOnUpdate(site: FieldSite): Mutation[] {
  const { value } = site;
  const set = (name: string, to: JsonValue): Mutation => [name, [{ at: site.path, value: to }]];
  const there = value === undefined ? [] : [absent(site)];
  switch (site.shape) {
    case "scalar":
      return [...there, set(value === undefined ? "added" : "changed", otherValue(scalarOf(site)))];
    case "object":
      return value === undefined ? [set("added", {})] : [...there, set("emptied", {})];
    case "map":
      return [...there, [`entry`, [{ at: [...site.path, "other"], value: elementOf(site) }]]];
    case "list": {
      const list = Array.isArray(value) ? value : [];
      return [...there, set("appended", [...list, elementOf(site)])];
    }
  }
}

function absent(site: FieldSite): Mutation {
  return ["absent", [{ at: site.path, value: undefined }]];
}

function scalarOf({ field, scalar, form, value }: FieldSite) {
  return { name: field.name, scalar, form, value };
}

function formsOf(site: FieldSite): Record<string, JsonValue> {
  switch (site.shape) {
    case "scalar":
      return { ...scalarForms(scalarOf(site)) };
    case "object":
      return { emptied: {}, ...(site.value !== undefined && { null: null }) };
    case "list":
      return listForms(site);
    case "map":
      return mapForms(site);
  }
}

function listForms(site: FieldSite): Record<string, JsonValue> {
  const list = Array.isArray(site.value) ? site.value : [];
  const blank: JsonValue = isStruct(site) ? {} : site.scalar === "string" ? "" : elementOf(site);
  const forms: Record<string, JsonValue> = { emptied: [], blank: [...list, blank] };
  const [first] = list;
  if (first === undefined) return { ...forms, one: [elementOf(site)] };
  forms["null"] = null;
  forms["duplicate"] = [...list, first];
  if (site.scalar === "string") forms["star"] = [...list, "*"];
  if (list.length > 1) forms["reversed"] = list.toReversed();
  if (isObject(first)) {
    const keys = site.field.listMapKeys ?? [site.field.patchMergeKey ?? "name"];
    const onlyKeys: JsonObject = {};
    for (const key of keys) if (first[key] !== undefined) onlyKeys[key] = first[key];
    if (Object.keys(onlyKeys).length < Object.keys(first).length) {
      forms["samekey"] = [...list, onlyKeys];
    }
  }
  forms["appended"] = [...list, elementOf(site)];
  return forms;
}

function mapForms(site: FieldSite): Record<string, JsonValue> {
  const map = isObject(site.value) ? site.value : {};
  const value = elementOf(site);
  const entry = (key: string, to: JsonValue = value): JsonObject => ({ ...map, [key]: to });
  const forms: Record<string, JsonValue> = {
    emptied: {},
    badkey: entry("bad key!"),
    emptykey: entry(""),
    longkey: entry("k".repeat(64)),
    prefixed: entry("example.com/key"),
    badprefix: entry("Bad_Prefix/key"),
    slashes: entry("a/b/c"),
    other: entry("other"),
  };
  if (site.value !== undefined) forms["null"] = null;
  if (site.form === "quantity") {
    for (const key of ["cpu", "memory", "storage", "pods", "hugepages-2Mi", "ephemeral-storage"]) {
      forms[key] = entry(key, "5");
      forms[`${key}half`] = entry(key, "1500m");
    }
    forms["gpu"] = entry("example.com/gpu", "2");
    forms["gpuhalf"] = entry("example.com/gpu", "500m");
    forms["native"] = entry("kubernetes.io/thing", "2");
    forms["requests"] = entry("requests.cpu", "2");
    forms["minus"] = entry("cpu", "-1");
  }
  if (site.scalar === "string") {
    forms["badvalue"] = entry("other", "bad value!");
    forms["longvalue"] = entry("other", "v".repeat(64));
    forms["emptyvalue"] = entry("other", "");
  }
  return forms;
}

function isStruct(site: FieldSite): boolean {
  return site.field.schema !== undefined && site.form === undefined;
}

/** An element like the first one, under another key; or the plainest value of its type. */
function elementOf(site: FieldSite): JsonValue {
  const { value } = site;
  const first = Array.isArray(value) ? value[0] : undefined;
  if (isObject(first)) return otherKeys(site, first);
  if (isStruct(site)) return {};
  return otherValue({ ...scalarOf(site), value: first });
}

function otherKeys(site: FieldSite, first: JsonObject): JsonObject {
  const keys = site.field.listMapKeys ?? [site.field.patchMergeKey ?? "name"];
  const other = { ...first };
  for (const key of keys) {
    const old = other[key];
    if (typeof old === "string") other[key] = `${old}x`;
    if (typeof old === "number") other[key] = old + 1;
  }
  return other;
}
