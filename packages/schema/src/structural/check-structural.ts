/**
 * Whether a schema is structural: every field has one place that says its type, and allOf, anyOf,
 * oneOf and not only add conditions to fields that are declared outside of them. Errors are those of
 * kube-apiserver, sorted by their text as there.
 */
import { FieldError, FieldPath } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import { Pattern } from "../validation/pattern.ts";
import { checkCompleteness } from "./check-completeness.ts";
import { itemsOf } from "./schema-source.ts";

type Source = Readonly<JSONSchemaProps>;
type Level = "field" | "item" | "root";

export function checkStructural(schema: Source, path?: FieldPath): FieldError[] {
  const check = checkAllButPatterns(schema, path);
  for (const pattern of check.patterns.keys()) check.checkPattern(pattern);
  return sorted(check.errors);
}

/** The same in slices: patterns take long to compile, and there may be thousands of them. */
export async function checkStructuralInSlices(
  schema: Source,
  path: FieldPath | undefined,
  breathe: () => Promise<void>,
): Promise<FieldError[]> {
  const check = checkAllButPatterns(schema, path);
  await breathe();
  let compiled = 0;
  for (const pattern of check.patterns.keys()) {
    check.checkPattern(pattern);
    if (++compiled % PATTERNS_PER_SLICE === 0) await breathe();
  }
  return sorted(check.errors);
}

const PATTERNS_PER_SLICE = 25;

function checkAllButPatterns(schema: Source, path = FieldPath.of("")): StructuralCheck {
  const check = new StructuralCheck();
  check.checkSchema(schema, path, "root");
  checkCompleteness(schema, path, check.errors);
  return check;
}

function sorted(errors: readonly FieldError[]): FieldError[] {
  return errors
    .map((error) => ({ error, text: String(error) }))
    .sort((left, right) => (left.text < right.text ? -1 : left.text > right.text ? 1 : 0))
    .map(({ error }) => error);
}

class StructuralCheck {
  readonly errors: FieldError[] = [];
  /** Where each pattern stands. */
  readonly patterns: Map<string, FieldPath[]> = new Map();

  checkPattern(pattern: string): void {
    const { problem } = new Pattern(pattern);
    if (problem === undefined) return;
    for (const path of this.patterns.get(pattern) ?? []) {
      const detail = `must be a valid regular expression, but isn't: ${problem}`;
      this.#refuse(path, pattern, detail);
    }
  }

  checkSchema(schema: Source, path: FieldPath, level: Level): void {
    const items = itemsOf(schema);
    if (schema.type === "array" && items === undefined) {
      this.#require(path.child("items"), "must be specified");
    }
    if (items !== undefined) this.checkSchema(items, path.child("items"), "item");
    const properties = schema.properties ?? {};
    for (const name of Object.keys(properties)) {
      this.checkSchema(properties[name]!, path.child("properties").key(name), "field");
    }
    const { additionalProperties } = schema;
    if (additionalProperties !== undefined) {
      if (level === "root")
        this.#forbid(path.child("additionalProperties"), "must not be used at the root");
      if (typeof additionalProperties === "object") {
        this.checkSchema(additionalProperties, path.child("additionalProperties"), "field");
      }
    }
    this.#checkExtensions(schema, path);
    this.#checkConditions(schema, path, {
      skipsAnyOf: isIntOrString(schema.anyOf),
      skipsFirstAllOf: isIntOrString(schema.allOf?.[0]?.anyOf),
    });
    this.#checkType(schema, path, level);
    this.#checkResource(schema, path, level);
  }

  #checkExtensions(schema: Source, path: FieldPath): void {
    if (schema["x-kubernetes-int-or-string"] !== true) return;
    for (const name of [
      "x-kubernetes-preserve-unknown-fields",
      "x-kubernetes-embedded-resource",
    ] as const) {
      if (schema[name] === true) {
        this.#refuse(path.child(name), true, "must be false if x-kubernetes-int-or-string is true");
      }
    }
  }

  #checkType(schema: Source, path: FieldPath, level: Level): void {
    const { type = "" } = schema;
    const at = path.child("type");
    if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
      const detail = "must be object if x-kubernetes-embedded-resource is true";
      if (type === "") this.#require(at, detail);
      else this.#refuse(at, type, detail);
    } else if (
      type === "" &&
      schema["x-kubernetes-int-or-string"] !== true &&
      schema["x-kubernetes-preserve-unknown-fields"] !== true
    ) {
      this.#require(at, UNTYPED[level]);
    }
    if (level === "root" && type !== "" && type !== "object") {
      this.#refuse(at, type, "must be object at the root");
    }
  }

  /** What is said of apiVersion, kind and metadata, where they are those of a resource. */
  #checkResource(schema: Source, path: FieldPath, level: Level): void {
    const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
    const isResource = level === "root" || isEmbedded;
    const properties = schema.properties ?? {};
    if (isEmbedded && schema.additionalProperties !== undefined) {
      const detail = "must not be used if x-kubernetes-embedded-resource is set";
      this.#forbid(path.child("additionalProperties"), detail);
    }
    for (const name of ["kind", "apiVersion"]) {
      if (!isResource || !Object.hasOwn(properties, name)) continue;
      const { type = "" } = properties[name]!;
      if (type !== "string") {
        this.#refuse(path.child("properties").key(name).child("type"), type, "must be string");
      }
    }
    if (Object.hasOwn(properties, "metadata")) {
      const metadata = properties["metadata"]!;
      const at = path.child("properties").key("metadata");
      if (isResource && metadata.type !== "object") {
        this.#refuse(at.child("type"), metadata.type ?? "", "must be object");
      }
      if (level === "root" && saysMoreThanNames(metadata)) {
        const detail =
          "must not specify anything other than name and generateName, but metadata is implicitly specified";
        this.#forbid(at, detail);
      }
    }
    const keepsUnknown = schema["x-kubernetes-preserve-unknown-fields"] === true;
    if (isEmbedded && !keepsUnknown && Object.keys(properties).length === 0) {
      const detail =
        "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
      this.#require(path.child("properties"), detail);
    }
  }

  #checkConditions(
    schema: Source,
    path: FieldPath,
    {
      skipsAnyOf = false,
      skipsFirstAllOf = false,
    }: { skipsAnyOf?: boolean; skipsFirstAllOf?: boolean } = {},
  ): void {
    if (!skipsAnyOf) {
      for (const [index, nested] of (schema.anyOf ?? []).entries()) {
        this.#checkNested(nested, path.child("anyOf").index(index));
      }
    }
    for (const [index, nested] of (schema.allOf ?? []).entries()) {
      this.#checkNested(nested, path.child("allOf").index(index), skipsFirstAllOf && index === 0);
    }
    for (const [index, nested] of (schema.oneOf ?? []).entries()) {
      this.#checkNested(nested, path.child("oneOf").index(index));
    }
    if (schema.not !== undefined) this.#checkNested(schema.not, path.child("not"));
    if (schema.pattern) {
      const known = this.patterns.get(schema.pattern);
      if (known === undefined) this.patterns.set(schema.pattern, [path.child("pattern")]);
      else known.push(path.child("pattern"));
    }
  }

  #checkNested(nested: Source, path: FieldPath, skipsAnyOf = false): void {
    this.#checkConditions(nested, path, { skipsAnyOf });
    const items = itemsOf(nested);
    if (items !== undefined) this.#checkNested(items, path.child("items"));
    const properties = nested.properties ?? {};
    for (const name of Object.keys(properties)) {
      this.#checkNested(properties[name]!, path.child("properties").key(name));
    }
    for (const { name, isUsed, detail } of NOT_NESTED) {
      if (isUsed(nested)) this.#forbid(path.child(name), detail);
    }
    if (Object.hasOwn(properties, "metadata")) {
      const at = path.child("properties").key("metadata");
      this.#forbid(at, "must not be specified in a nested context");
    }
  }

  #require(path: FieldPath, detail: string): void {
    this.errors.push(FieldError.required(path, detail));
  }

  #refuse(path: FieldPath, value: unknown, detail: string): void {
    this.errors.push(FieldError.invalid(path, value, detail));
  }

  #forbid(path: FieldPath, detail: string): void {
    this.errors.push(FieldError.forbidden(path, detail));
  }
}

const UNTYPED: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/** What only the outer schema may say. */
const NOT_NESTED: readonly {
  readonly name: string;
  readonly isUsed: (schema: Source) => boolean;
  readonly detail: string;
}[] = [
  { name: "type", isUsed: ({ type }) => Boolean(type), detail: "must be empty to be structural" },
  {
    name: "additionalProperties",
    isUsed: ({ additionalProperties }) => Boolean(additionalProperties),
    detail: "must be undefined to be structural",
  },
  {
    name: "default",
    isUsed: ({ default: value }) => value != null,
    detail: "must be undefined to be structural",
  },
  ...(["title", "description"] as const).map((name) => ({
    name,
    isUsed: (schema: Source) => Boolean(schema[name]),
    detail: "must be empty to be structural",
  })),
  ...(
    [
      "nullable",
      "x-kubernetes-preserve-unknown-fields",
      "x-kubernetes-embedded-resource",
      "x-kubernetes-int-or-string",
    ] as const
  ).map((name) => ({
    name,
    isUsed: (schema: Source) => schema[name] === true,
    detail: "must be false to be structural",
  })),
  ...(["x-kubernetes-list-type", "x-kubernetes-map-type"] as const).map((name) => ({
    name,
    isUsed: (schema: Source) => schema[name] !== undefined,
    detail: "must be undefined to be structural",
  })),
  ...(["x-kubernetes-list-map-keys", "x-kubernetes-validations"] as const).map((name) => ({
    name,
    isUsed: (schema: Source) => (schema[name]?.length ?? 0) > 0,
    detail: "must be empty to be structural",
  })),
];

/** The one way in which nested schemas may name types. */
function isIntOrString(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return anyOf?.length === 2 && isOnlyType(anyOf[0]!, "integer") && isOnlyType(anyOf[1]!, "string");
}

function isOnlyType(schema: Source, type: string): boolean {
  return schema.type === type && Object.keys(schema).length === 1;
}

function saysMoreThanNames(metadata: Source): boolean {
  const names = Object.keys(metadata.properties ?? {});
  const onlyNames = names.every((name) => name === "name" || name === "generateName");
  return Object.entries(metadata).some(([keyword, value]) => {
    if (keyword === "type" || keyword === "default") return false;
    if (keyword === "properties") return !onlyNames;
    return value !== false && value !== "" && value !== null;
  });
}
