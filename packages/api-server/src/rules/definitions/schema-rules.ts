/**
 * What the schema of a version may say, keyword by keyword. That it is structural is checked before;
 * here are the rules about types, defaults, list and map types and the extensions.
 */
import { FieldError, FieldPath, type JsonValue } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import { additionalOf, itemsOf, propertyOf } from "@homeostat/schema";
import type { ExpressionPlace, ExpressionRules } from "./expression-rules.ts";
import { internalItems } from "./internal-form.ts";
import { checkRuleTexts } from "./rule-texts.ts";

export interface SchemaRuleOptions {
  readonly requiresKnownTypes: boolean;
  readonly requiresAtomicSets: boolean;
  readonly requiresSoundMapKeys: boolean;
}

/** What a schema may say depends on where it stands. */
interface Scope {
  /** Why a default is refused, "" for no reason; undefined where it is allowed. */
  readonly noDefaults: string | undefined;
  /** Inside apiVersion, kind or metadata of a resource. */
  readonly isInsideMeta: boolean;
  /** The outermost schema whose members have no counterpart in the old object. */
  readonly uncorrelatable: FieldPath | undefined;
}

type Source = Readonly<JSONSchemaProps>;

export class SchemaRules {
  readonly errors: FieldError[] = [];
  /** What to do about expressions, later: compiling them takes longer than all the rest. */
  readonly expressionChecks: (() => void)[] = [];
  readonly #options: SchemaRuleOptions;
  /** Undefined where expressions are not looked at, because the schema is wrong in other ways. */
  readonly #expressions: ExpressionRules | undefined;

  constructor(options: SchemaRuleOptions, expressions: ExpressionRules | undefined) {
    this.#options = options;
    this.#expressions = expressions;
  }

  check(schema: Source, path: FieldPath): void {
    const scope = { noDefaults: undefined, isInsideMeta: false, uncorrelatable: undefined };
    this.#checkSchema({ schema, path, scope, expressions: this.#expressions?.root(schema) }, true);
  }

  #checkSchema(at: Place, isRoot = false): void {
    const before = this.errors.length;
    const { schema, path, scope, expressions } = at;
    this.#checkStandard(schema, path, scope);
    if (schema.uniqueItems === true) {
      this.#forbid(
        path.child("uniqueItems"),
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      );
    }
    this.#checkAdditional(at);
    for (const name of Object.keys(schema.properties ?? {})) {
      const property = propertyOf(schema, name)!;
      this.#checkSchema({
        schema: property,
        path: path.child("properties").key(name),
        scope: scopeOfProperty(at, name, isRoot),
        expressions: expressions?.below(property),
      });
    }
    this.#checkNested(at);
    this.#checkItems(at);
    this.#checkExtensions(schema, path);
    this.#checkListType(schema, path);
    if (this.#options.requiresSoundMapKeys)
      for (const each of mapKeyErrors(schema, path)) this.errors.push(each);
    if ((schema["x-kubernetes-validations"]?.length ?? 0) === 0) return;
    for (const each of checkRuleTexts(schema, path)) this.errors.push(each);
    if (expressions === undefined || this.errors.length > before) return;
    for (const each of expressions.checks(path, scope.uncorrelatable))
      this.expressionChecks.push(each);
  }

  #checkAdditional({ schema, path, scope, expressions }: Place): void {
    const { additionalProperties } = schema;
    if (additionalProperties === undefined) return;
    const at = path.child("additionalProperties");
    const additional = additionalOf(schema);
    const hasProperties = Object.keys(schema.properties ?? {}).length > 0;
    if (hasProperties && additionalProperties !== true) {
      this.#forbid(at, "additionalProperties and properties are mutual exclusive");
    }
    if (additional === undefined) return;
    const noDefaults = scope.isInsideMeta
      ? "inside additionalProperties applying to object metadata"
      : scope.noDefaults;
    this.#checkSchema({
      schema: additional,
      path: at,
      scope: { ...scope, noDefaults },
      expressions: expressions?.below(additional),
    });
  }

  /** Expressions inside these are refused elsewhere. */
  #checkNested({ schema, path, scope }: Place): void {
    const visit = (nested: Source, at: FieldPath) =>
      this.#checkSchema({ schema: nested, path: at, scope, expressions: undefined });
    if (schema.not !== undefined) visit(schema.not, path.child("not"));
    for (const name of ["allOf", "oneOf", "anyOf"] as const) {
      for (const [index, nested] of (schema[name] ?? []).entries()) {
        visit(nested, path.child(name).index(index));
      }
    }
    for (const [name, nested] of Object.entries(schema.definitions ?? {})) {
      visit(nested, path.child("definitions").key(name));
    }
    for (const [name, nested] of Object.entries(schema.dependencies ?? {})) {
      if (!Array.isArray(nested)) visit(nested, path.child("dependencies").key(name));
    }
  }

  #checkItems({ schema, path, scope, expressions }: Place): void {
    if (schema.items === undefined) return;
    const isMap = schema["x-kubernetes-list-type"] === "map";
    const uncorrelatable = isMap ? scope.uncorrelatable : (scope.uncorrelatable ?? path);
    const at = path.child("items");
    const list = Array.isArray(schema.items) ? schema.items : [schema.items];
    for (const [index, items] of list.entries()) {
      this.#checkSchema({
        schema: items,
        path: Array.isArray(schema.items) ? at.index(index) : at,
        scope: { ...scope, uncorrelatable },
        expressions: expressions?.below(items),
      });
    }
  }

  #checkStandard(schema: Source, path: FieldPath, scope: Scope): void {
    const { type = "" } = schema;
    if (this.#options.requiresKnownTypes && type !== "" && !TYPES.includes(type)) {
      this.errors.push(FieldError.notSupported(path.child("type"), type, TYPES));
    }
    if (schema.default != null && scope.noDefaults !== undefined) {
      const reason = scope.noDefaults === "" ? "" : ` ${scope.noDefaults}`;
      this.#forbid(path.child("default"), `must not be set${reason}`);
    }
    for (const { name, isUsed } of UNSUPPORTED) {
      if (isUsed(schema)) this.#forbid(path.child(name), `${name} is not supported`);
    }
    if (type === "null") {
      this.#forbid(
        path.child("type"),
        "type cannot be set to null, use nullable as an alternative",
      );
    }
    if (Array.isArray(schema.items) && schema.items.length > 0) {
      this.#forbid(path.child("items"), "items must be a schema object and not an array");
    }
    if (scope.isInsideMeta && schema["x-kubernetes-embedded-resource"] === true) {
      const at = path.child("x-kubernetes-embedded-resource");
      this.#forbid(at, "must not be used inside of resource meta");
    }
  }

  #checkExtensions(schema: Source, path: FieldPath): void {
    if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
      const at = path.child("x-kubernetes-preserve-unknown-fields");
      this.#refuse(at, false, "must be true or undefined");
    }
    const mapType = schema["x-kubernetes-map-type"];
    if (mapType === undefined) return;
    this.#requireType(schema, path, { type: "object", keyword: "x-kubernetes-map-type" });
    if (mapType !== "atomic" && mapType !== "granular") {
      const known = ["atomic", "granular"];
      this.errors.push(
        FieldError.notSupported(path.child("x-kubernetes-map-type"), mapType, known),
      );
    }
  }

  #requireType(
    schema: Source,
    path: FieldPath,
    { type, keyword }: { type: string; keyword: string },
  ): boolean {
    if (schema.type === type) return true;
    const detail = `must be ${type} if ${keyword} is specified`;
    if (!schema.type) this.errors.push(FieldError.required(path.child("type"), detail));
    else this.#refuse(path.child("type"), schema.type, detail);
    return false;
  }

  #checkListType(schema: Source, path: FieldPath): void {
    const listType = schema["x-kubernetes-list-type"];
    const keys = schema["x-kubernetes-list-map-keys"] ?? [];
    const at = path.child("x-kubernetes-list-type");
    if (listType !== undefined) {
      const isList = this.#requireType(schema, path, {
        type: "array",
        keyword: "x-kubernetes-list-type",
      });
      if (isList && listType === "set" && this.#options.requiresAtomicSets) {
        for (const each of nonAtomicItems(schema, path)) this.errors.push(each);
      }
      if (!LIST_TYPES.includes(listType)) {
        this.errors.push(FieldError.notSupported(at, listType, LIST_TYPES));
      }
    }
    if (keys.length > 0 && listType !== "map") {
      const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
      if (listType === undefined) this.errors.push(FieldError.required(at, detail));
      else this.#refuse(at, listType, detail);
    }
    if (listType === "map") this.#checkMapList(schema, path, keys);
  }

  #checkMapList(schema: Source, path: FieldPath, keys: readonly string[]): void {
    const keysPath = path.child("x-kubernetes-list-map-keys");
    const itemsPath = path.child("items");
    if (keys.length === 0) {
      const detail = "must not be empty if x-kubernetes-list-type is map";
      this.errors.push(FieldError.required(keysPath, detail));
    }
    if (schema.items === undefined) {
      const detail = "must have a schema if x-kubernetes-list-type is map";
      this.errors.push(FieldError.required(itemsPath, detail));
      return;
    }
    const items = itemsOf(schema);
    if (items === undefined) {
      const detail = "must only have a single schema if x-kubernetes-list-type is map";
      this.#refuse(itemsPath, internalItems(schema.items), detail);
      return;
    }
    if (items.type !== "object") {
      const detail = "must be object if parent array's x-kubernetes-list-type is map";
      this.#refuse(itemsPath.child("type"), items.type ?? "", detail);
      return;
    }
    const seen = new Set<string>();
    for (const key of keys) {
      const property = propertyOf(items, key);
      if (property === undefined) {
        this.#refuse(keysPath, keys as JsonValue, "entries must all be names of item properties");
      } else if (property.type === "array" || property.type === "object") {
        const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
        this.#refuse(itemsPath.child("properties").key(key).child("type"), items.type, detail);
      }
      if (seen.has(key)) {
        this.#refuse(keysPath, keys as JsonValue, "must not contain duplicate entries");
      }
      seen.add(key);
    }
  }

  #forbid(path: FieldPath, detail: string): void {
    this.errors.push(FieldError.forbidden(path, detail));
  }

  #refuse(path: FieldPath, value: JsonValue, detail: string): void {
    this.errors.push(FieldError.invalid(path, value, detail));
  }
}

interface Place {
  readonly schema: Source;
  readonly path: FieldPath;
  readonly scope: Scope;
  readonly expressions: ExpressionPlace | undefined;
}

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const LIST_TYPES = ["atomic", "set", "map"];
const META = new Set(["apiVersion", "kind", "metadata"]);

function scopeOfProperty({ schema, path, scope }: Place, name: string, isRoot: boolean): Scope {
  const mapType = schema["x-kubernetes-map-type"];
  const correlates = mapType === undefined || mapType === "granular" || mapType === "atomic";
  const uncorrelatable = correlates ? scope.uncorrelatable : (scope.uncorrelatable ?? path);
  const isResource = isRoot || schema["x-kubernetes-embedded-resource"] === true;
  if (!isResource || !META.has(name)) return { ...scope, uncorrelatable };
  const noDefaults = isRoot ? `in top-level ${name}` : scope.noDefaults;
  return { uncorrelatable, isInsideMeta: true, noDefaults };
}

/** Items of sets are compared whole, so nothing may merge into them. */
function nonAtomicItems(schema: Source, path: FieldPath): FieldError[] {
  const items = itemsOf(schema);
  if (items === undefined || isAtomic(items)) return [];
  const keyword = items.type === "array" ? "x-kubernetes-list-type" : "x-kubernetes-map-type";
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const shown = items["x-kubernetes-list-type"] ?? null;
  return [FieldError.invalid(path.child("items").child(keyword), shown, detail)];
}

function isAtomic(items: Source): boolean {
  if (items.type === "array") return (items["x-kubernetes-list-type"] ?? "atomic") === "atomic";
  return items.type !== "object" || items["x-kubernetes-map-type"] === "atomic";
}

/** Whether somewhere in a set of lists an item could be merged into. */
export function hasNonAtomicSet(schema: Source): boolean {
  const items = schema["x-kubernetes-list-type"] === "set" ? itemsOf(schema) : undefined;
  return items !== undefined && !isAtomic(items);
}

/** Keys that may be missing or null cannot identify an item. */
function mapKeyErrors(schema: Source, path: FieldPath): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  const items = itemsOf(schema);
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const errors: FieldError[] = [];
  const at = path.child("items");
  if (items.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(FieldError.forbidden(at.child("nullable"), detail));
  }
  if (listType === "set") return errors;
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const keyPath = at.child("properties").key(key);
    if (!(items.required ?? []).includes(key) && property.default == null) {
      const detail =
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      errors.push(FieldError.required(keyPath.child("default"), detail));
    }
    if (property.nullable === true) {
      const detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
      errors.push(FieldError.forbidden(keyPath.child("nullable"), detail));
    }
  }
  return errors;
}

export function hasUnsoundMapKeys(schema: Source): boolean {
  return mapKeyErrors(schema, FieldPath.of("")).length > 0;
}

export function hasUnknownType({ type = "" }: Source): boolean {
  return type !== "" && !TYPES.includes(type);
}

const isPresent = (value: object | undefined): boolean => Object.keys(value ?? {}).length > 0;

const UNSUPPORTED: readonly { name: string; isUsed: (schema: Source) => boolean }[] = [
  { name: "id", isUsed: ({ id }) => Boolean(id) },
  { name: "additionalItems", isUsed: ({ additionalItems }) => additionalItems !== undefined },
  { name: "patternProperties", isUsed: ({ patternProperties }) => isPresent(patternProperties) },
  { name: "definitions", isUsed: ({ definitions }) => isPresent(definitions) },
  { name: "dependencies", isUsed: ({ dependencies }) => dependencies !== undefined },
  { name: "$ref", isUsed: ({ $ref }) => $ref !== undefined },
];
