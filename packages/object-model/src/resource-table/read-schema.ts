/** Turns one paragraph of the table into a schema; see schema-text.ts for the format. */

import { printApiVersion } from "../group-version-kind.ts";
import type {
  FieldType,
  JsonForm,
  ObjectSchema,
  ScalarType,
  SchemaDefault,
  SchemaField,
  SchemaUnion,
  WireField,
} from "./object-schema.ts";
import type { SchemaPackage } from "./schema-text.ts";
import { splitRule } from "./schema-text.ts";

export interface SchemaSource {
  readonly name: string;
  readonly home: SchemaPackage;
  readonly lines: readonly string[];
  /** For embedded structs, whose fields are taken over. */
  readonly schemaOf: (name: string) => ObjectSchema;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const wireTypes: ReadonlyMap<string, 0 | 1 | 2> = new Map([
  ["bool", 0],
  ["int32", 0],
  ["int64", 0],
  ["double", 1],
  ["string", 2],
  ["bytes", 2],
]);

const emptyObject: Readonly<Record<string, never>> = Object.freeze({});

/** Go's TypeMeta, first in every kind. */
const typeMeta: readonly SchemaField[] = ["kind", "apiVersion"].map((name) =>
  readField({ name, type: { shape: "single", scalar: "string", schema: undefined }, words: [] }),
);

export function readSchema({ name, home, lines, schemaOf }: SchemaSource): ObjectSchema {
  const [head = "", ...fieldLines] = lines;
  const schema: Writable<ObjectSchema> = {
    name,
    openApiName: `${home.openApiPackage}${name.slice(home.name.length)}`,
    form: "object",
    isKind: false,
    onlyApiVersion: undefined,
    mapType: undefined,
    unions: [],
    fields: new Map(),
    wireFields: new Map(),
  };
  for (const word of head.split(" ").slice(1)) readMessageRule(schema, word, home);
  const fields = new Map<string, SchemaField>();
  const wireFields = new Map<number, WireField>();
  if (schema.isKind) for (const field of typeMeta) fields.set(field.name, field);
  for (const line of fieldLines) {
    const [fieldName = "", digits = "", typeText = "", ...words] = line.split(" ");
    const number = Number(digits);
    const type = readType(typeText, home.name);
    wireFields.set(number, readWireField(number, fieldName, type));
    if (fieldName !== "*") fields.set(fieldName, readField({ name: fieldName, type, words }));
    else for (const [key, inner] of schemaOf(type.schema!).fields) fields.set(key, inner);
  }
  schema.fields = fields;
  schema.wireFields = wireFields;
  return schema;
}

function readMessageRule(schema: Writable<ObjectSchema>, word: string, home: SchemaPackage): void {
  const [rule, value] = splitRule(word);
  if (rule === "form") schema.form = value as JsonForm;
  else if (rule === "map") schema.mapType = value as "atomic" | "granular";
  else if (rule === "union") schema.unions = [readUnion(value)];
  else if (rule === "kind") {
    schema.isKind = true;
    if (value !== "") schema.onlyApiVersion = value;
    else if (home.groupVersion !== undefined) {
      schema.onlyApiVersion = printApiVersion(home.groupVersion);
    }
  }
}

/** `type,exempt:Exempt,limited:Limited`: the discriminator, then field and its value. */
function readUnion(text: string): SchemaUnion {
  const [discriminator = "", ...members] = text.split(",");
  const fields = new Map<string, string>();
  for (const member of members) {
    const [field = "", value = ""] = member.split(":");
    fields.set(field, value);
  }
  return { discriminator: discriminator === "" ? undefined : discriminator, fields };
}

function readType(text: string, packageName: string): FieldType {
  const shape = text.startsWith("[]") ? "list" : text.startsWith("{}") ? "map" : "single";
  const element = shape === "single" ? text : text.slice(2);
  if (wireTypes.has(element)) return { shape, scalar: element as ScalarType, schema: undefined };
  const schema = element.includes(".") ? element : `${packageName}.${element}`;
  return { shape, scalar: undefined, schema };
}

function readWireField(number: number, name: string, type: FieldType): WireField {
  const { shape, scalar, schema } = type;
  const wireType = shape === "map" ? 2 : (wireTypes.get(scalar ?? "") ?? 2);
  return { number, name: name === "*" ? undefined : name, wireType, shape, scalar, schema };
}

/**
 * The text leaves out what follows: a message is a pointer unless it has a default or is marked
 * `value`, a scalar only where marked `pointer`; a field is printed when empty if it is required or
 * a struct value, and `printed` or `omitted` mark the exceptions.
 */
function readField({
  name,
  type: { shape, scalar, schema },
  words,
}: {
  name: string;
  type: FieldType;
  words: readonly string[];
}): SchemaField {
  const field: Writable<SchemaField> = {
    name,
    shape,
    scalar,
    schema,
    required: words.includes("required"),
    default: undefined,
    listType: undefined,
    listMapKeys: undefined,
    mapType: undefined,
    patchMergeKey: undefined,
    patchStrategies: undefined,
    pointer: words.includes("pointer"),
    printedWhenEmpty: false,
  };
  for (const word of words) readFieldRule(field, word);
  const isStruct = shape === "single" && schema !== undefined;
  const isValue = isStruct && (field.default !== undefined || words.includes("value"));
  if (isStruct) field.pointer = !isValue;
  field.printedWhenEmpty =
    words.includes("printed") || ((field.required || isValue) && !words.includes("omitted"));
  return field;
}

function readFieldRule(field: Writable<SchemaField>, word: string): void {
  const [rule, value] = splitRule(word);
  if (rule === "default") field.default = readDefault(field.scalar, value);
  else if (rule === "map") field.mapType = value as "atomic" | "granular";
  else if (rule === "key") field.patchMergeKey = value;
  else if (rule === "patch") field.patchStrategies = value.split(",");
  else if (rule === "list") {
    const [type, keys] = value.split(":");
    field.listType = type as "atomic" | "map" | "set";
    field.listMapKeys = keys?.split(",");
  }
}

function readDefault(scalar: ScalarType | undefined, text: string): SchemaDefault {
  if (scalar === undefined) return emptyObject;
  if (scalar === "bool") return text === "true";
  return scalar === "string" || scalar === "bytes" ? text : Number(text);
}
