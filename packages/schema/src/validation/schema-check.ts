import type { JsonValue } from "@homeostat/object-model";
import { limitOf } from "../structural/schema-source.ts";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { checkedFormat, findTextFormat } from "./formats/text-format.ts";
import { NumberCheck } from "./number-check.ts";
import { Pattern } from "./pattern.ts";

/**
 * What the schema is checked for: an object a client sent, or a default in the schema itself, for
 * which kube-apiserver takes formats it does not know for granted and int-or-string for any value.
 */
export type CheckPurpose = "default" | "object";

/**
 * The checks of one schema, worked out once. Those of its children are made when a value first
 * reaches them.
 */
export class SchemaCheck {
  readonly schema: StructuralSchema;
  readonly purpose: CheckPurpose;
  /** Any type where empty. */
  readonly types: readonly string[];
  /** "" where none is checked. */
  readonly format: string;
  readonly matchesFormat: ((text: string) => boolean) | undefined;
  readonly nullable: boolean;
  readonly enumeration: readonly JsonValue[] | undefined;
  /** Its members, for those that are found by being the same: texts and numbers. */
  readonly enumerated: ReadonlySet<JsonValue>;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: Pattern | undefined;
  readonly numbers: NumberCheck;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly required: readonly string[];
  /** Whether allOf, anyOf, oneOf or not is there. */
  readonly hasNested: boolean;
  readonly forbidsOthers: boolean;

  #properties: Map<string, SchemaCheck> | undefined;
  #items: SchemaCheck | undefined;
  #additional: SchemaCheck | undefined;
  #nested: NestedChecks | undefined;

  constructor(schema: StructuralSchema, purpose: CheckPurpose) {
    const { source } = schema;
    this.schema = schema;
    this.purpose = purpose;
    this.types = typesOf(schema, purpose);
    const onlyType = this.types.length === 1 ? this.types[0]! : "";
    const format = source.format ?? "";
    this.format = purpose === "object" && format ? checkedFormat(onlyType, format) : format;
    this.matchesFormat = this.format === "" ? undefined : findTextFormat(this.format);
    this.nullable = schema.nullable;
    const enumeration = source.enum as readonly JsonValue[] | undefined;
    this.enumeration = enumeration?.length ? enumeration : undefined;
    this.enumerated = new Set(this.enumeration?.filter((member) => member !== null));
    this.minLength = limitOf(source.minLength);
    this.maxLength = limitOf(source.maxLength);
    this.pattern = source.pattern ? new Pattern(source.pattern) : undefined;
    this.numbers = new NumberCheck(source, { type: onlyType, format: this.format });
    this.minItems = limitOf(source.minItems);
    this.maxItems = limitOf(source.maxItems);
    this.minProperties = limitOf(source.minProperties);
    this.maxProperties = limitOf(source.maxProperties);
    this.required = source.required ?? [];
    this.hasNested =
      source.not != null ||
      Boolean(source.allOf?.length || source.anyOf?.length || source.oneOf?.length);
    this.forbidsOthers = source.additionalProperties === false;
  }

  /** Undefined where the member is not declared by name. */
  property(name: string): SchemaCheck | undefined {
    const known = this.#properties?.get(name);
    if (known !== undefined) return known;
    const schema = this.schema.properties.get(name);
    if (schema === undefined) return undefined;
    const check = new SchemaCheck(schema, this.purpose);
    (this.#properties ??= new Map()).set(name, check);
    return check;
  }

  get items(): SchemaCheck | undefined {
    const { items } = this.schema;
    if (items === undefined) return undefined;
    return (this.#items ??= new SchemaCheck(items, this.purpose));
  }

  get additional(): SchemaCheck | undefined {
    const { additionalSchema } = this.schema;
    if (additionalSchema === undefined) return undefined;
    return (this.#additional ??= new SchemaCheck(additionalSchema, this.purpose));
  }

  get nested(): NestedChecks {
    return (this.#nested ??= nestedChecks(this.schema, this.purpose));
  }
}

export interface NestedChecks {
  readonly allOf: readonly SchemaCheck[];
  readonly anyOf: readonly SchemaCheck[];
  readonly oneOf: readonly SchemaCheck[];
  readonly not: SchemaCheck | undefined;
}

function nestedChecks(schema: StructuralSchema, purpose: CheckPurpose): NestedChecks {
  const check = (nested: StructuralSchema) => new SchemaCheck(nested, purpose);
  const { allOf, anyOf, oneOf, not } = schema.nested;
  return {
    allOf: allOf.map(check),
    anyOf: anyOf.map(check),
    oneOf: oneOf.map(check),
    not: not && check(not),
  };
}

function typesOf(schema: StructuralSchema, purpose: CheckPurpose): readonly string[] {
  if (schema.isIntOrString && purpose === "object") return INT_OR_STRING;
  return schema.type === "" ? [] : [schema.type];
}

const INT_OR_STRING = ["integer", "string"] as const;
