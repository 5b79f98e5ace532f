// Derives the facts of go-structs.json from reflection over the Go structs (go-structs/main.go): only what differs
// from what the generator concludes by itself from OpenAPI and protobuf, so a struct without surprises has no entry.
// field-rules.ts is the reader and concludes the same way. Strict as the generator is: Go and the input must describe
// the same release, and every message of the input must have been reflected.

import { isScalar } from "./api-model.ts";
import type { GoStruct, GoStructs } from "./go-structs.ts";
import { jsonForms } from "./json-forms.ts";
import {
  isTestMessage,
  openApiNameOfGo,
  openApiNameOfProtobuf,
  shortName,
  typeOf,
} from "./message-name.ts";
import type {
  GeneratorInput,
  OpenApiProperty,
  OpenApiSchema,
  ProtobufField,
} from "./read-input.ts";
import { GeneratorInputError } from "./read-input.ts";

/** What go-structs/main.go prints of a field. */
export interface ReflectedField {
  /** JSON name; empty for an embedded struct. */
  readonly name: string;
  /** Go type of an embedded struct. */
  readonly embeds?: string;
  /** Protobuf number; TypeMeta and what is not on the wire have none. */
  readonly number?: number;
  /** Go's word: `ptr`, `struct`, `slice`, `string`, ... */
  readonly kind: string;
  readonly omitEmpty?: boolean;
  readonly omitZero?: boolean;
}

/** Go type (`k8s.io/api/core/v1.Pod`) -> fields in struct order. */
export type ReflectedStructs = Readonly<Record<string, readonly ReflectedField[]>>;

type Input = Pick<GeneratorInput, "schemas" | "protobuf">;
type Numbers = ReadonlyMap<number, ProtobufField>;
type NumberedField = ReflectedField & { readonly number: number };

/** Messages that exist on the protobuf wire only: no JSON is printed of them. */
const wireOnly: ReadonlySet<string> = new Set(["runtime.Unknown", "resource.QuantityValue"]);

/** One struct with what the input says about it. */
interface Struct {
  readonly name: string;
  readonly fields: readonly NumberedField[];
  readonly startsWithTypeMeta: boolean;
  /** Its own, or that of the schema which it is embedded in. */
  readonly schema: OpenApiSchema | undefined;
  /** Absent where protobuf.json lacks the message. */
  readonly numbers: Numbers | undefined;
}

/** What is to be told of one field; several may hold. */
interface FieldFacts {
  readonly name: string;
  readonly pointers: boolean;
  readonly values: boolean;
  readonly printed: boolean;
  readonly omitted: boolean;
  readonly required: boolean;
}

/** Sorted by name. */
export function deriveGoStructs(reflected: ReflectedStructs, input: Input): GoStructs {
  const goStructs = new Map<string, GoStruct>();
  for (const struct of collectStructs(reflected, input)) {
    const facts = deriveStruct(struct);
    if (Object.keys(facts).length > 0) goStructs.set(struct.name, facts);
  }
  return new Map([...goStructs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function collectStructs(reflected: ReflectedStructs, input: Input): readonly Struct[] {
  const numbersByName = protobufByOpenApiName(input);
  const described = new Set([...input.schemas.keys(), ...numbersByName.keys()]);
  const lentSchemas = schemasOfEmbedded(reflected, input);
  const structs: Struct[] = [];
  for (const [goName, fields] of Object.entries(reflected)) {
    const openApiName = openApiNameOfGo(goName);
    if (!described.delete(openApiName) || !isPrinted(openApiName)) continue;
    const struct = {
      name: shortName(openApiName),
      fields: fields.filter(isNumbered),
      startsWithTypeMeta: fields.some(isTypeMeta),
      schema: input.schemas.get(openApiName) ?? lentSchemas.get(openApiName),
      numbers: numbersByName.get(openApiName),
    };
    checkNumbers(struct);
    structs.push(struct);
  }
  const missing = [...described].filter(isPrinted).map(shortName).sort();
  if (missing.length > 0) {
    throw new GeneratorInputError(
      `go-structs/main.go does not reach ${missing.join(", ")}: add the group or the struct there`,
    );
  }
  return structs;
}

function protobufByOpenApiName(input: Input): ReadonlyMap<string, Numbers> {
  return new Map(
    [...input.protobuf]
      .filter(([protobufName]) => !isTestMessage(protobufName))
      .map(([protobufName, numbers]) => [openApiNameOfProtobuf(protobufName), numbers]),
  );
}

/** Whether its JSON is an object of its fields; the rules of fields hold only there. */
function isPrinted(openApiName: string): boolean {
  const name = shortName(openApiName);
  return !jsonForms.has(name) && !wireOnly.has(name);
}

/** As the generator does it: an embedded struct that OpenAPI does not know is described where it is embedded. */
function schemasOfEmbedded(
  reflected: ReflectedStructs,
  input: Input,
): ReadonlyMap<string, OpenApiSchema> {
  const lent = new Map<string, OpenApiSchema>();
  for (const [goName, fields] of Object.entries(reflected)) {
    const schema = input.schemas.get(openApiNameOfGo(goName));
    if (schema === undefined) continue;
    for (const field of fields) {
      if (field.embeds === undefined || field.number === undefined) continue;
      const embedded = openApiNameOfGo(field.embeds);
      if (!lent.has(embedded)) lent.set(embedded, schema);
    }
  }
  return lent;
}

function isNumbered(field: ReflectedField): field is NumberedField {
  return field.number !== undefined;
}

function isTypeMeta(field: ReflectedField): boolean {
  return !isNumbered(field) && field.embeds !== undefined && typeOf(field.embeds) === "TypeMeta";
}

function checkNumbers({ name, fields, numbers }: Struct): void {
  if (numbers === undefined) return;
  const inGo = sorted(fields.map((field) => field.number)).join(" ");
  const inProtobuf = sorted([...numbers.keys()]).join(" ");
  if (inGo !== inProtobuf) {
    throw new GeneratorInputError(
      `${name} has the protobuf numbers ${inGo} in Go but ${inProtobuf} in protobuf.json: ` +
        "go-structs/go.mod must name the release of the input",
    );
  }
}

function sorted(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((a, b) => a - b);
}

function deriveStruct(struct: Struct): GoStruct {
  const { fields, schema, startsWithTypeMeta } = struct;
  const facts = fields
    .filter((field) => field.embeds === undefined)
    .map((field) => deriveField(field, struct));
  const which = (fact: Exclude<keyof FieldFacts, "name">) =>
    facts.filter((field) => field[fact]).map((field) => field.name);
  return {
    ...listed("order", structOrder(fields)),
    ...listed("pointers", which("pointers")),
    ...listed("values", which("values")),
    ...listed("printed", which("printed")),
    ...listed("omitted", which("omitted")),
    ...listed("required", which("required")),
    ...(schema === undefined && startsWithTypeMeta ? { typed: true } : {}),
    ...listed("numbers", struct.numbers === undefined ? numbered(fields) : []),
  };
}

function listed(fact: Exclude<keyof GoStruct, "typed">, names: readonly string[]): GoStruct {
  return names.length === 0 ? {} : { [fact]: names.join(" ") };
}

/** Empty where the order is that of the numbers. */
function structOrder(fields: readonly NumberedField[]): readonly string[] {
  const numbers = fields.map((field) => field.number);
  if (numbers.join(" ") === sorted(numbers).join(" ")) return [];
  return fields.map(({ name, embeds }) => (embeds === undefined ? name : typeOf(embeds)));
}

function numbered(fields: readonly NumberedField[]): readonly string[] {
  return fields.map(({ name, number }) => `${name}=${number}`);
}

function deriveField(field: NumberedField, { name, schema, numbers }: Struct): FieldFacts {
  const property = schema?.properties?.[field.name];
  const content = contentOf(numbers?.get(field.number), property);
  const pointer = field.kind === "ptr";
  const value = content === "message" && !pointer;
  const hasDefault = property?.default !== undefined;
  if (content === "message" && pointer && hasDefault) {
    throw new GeneratorInputError(
      `${name}.${field.name} is a pointer in Go, but OpenAPI declares a default as for a struct value`,
    );
  }
  const required = schema?.required?.includes(field.name) ?? false;
  const requiredByGo = schema === undefined && !field.omitEmpty && !pointer;
  const concluded = required || requiredByGo || value;
  const printed = isPrintedWhenEmpty(field);
  return {
    name: field.name,
    pointers: content === "scalar" && pointer,
    values: value && !hasDefault,
    printed: printed && !concluded,
    omitted: !printed && concluded,
    required: requiredByGo,
  };
}

/** `omitempty` never leaves out a struct. */
function isPrintedWhenEmpty({ kind, omitEmpty, omitZero }: ReflectedField): boolean {
  return omitZero !== true && (omitEmpty !== true || kind === "struct");
}

function contentOf(
  protobuf: ProtobufField | undefined,
  property: OpenApiProperty | undefined,
): "scalar" | "message" | "collection" {
  if (protobuf !== undefined) {
    const [, type, shape] = protobuf;
    if (shape !== undefined) return "collection";
    return isScalar(type) ? "scalar" : "message";
  }
  if (property?.$ref !== undefined || property?.allOf !== undefined) return "message";
  return property?.type === "array" || property?.type === "object" ? "collection" : "scalar";
}
