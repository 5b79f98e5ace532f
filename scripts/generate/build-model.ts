// Joins the sources into the model. See api-model.ts for what the result promises.

import type { ApiField, ApiMessage, ApiModel, FieldType } from "./api-model.ts";
import { isScalar } from "./api-model.ts";
import { buildFieldRules } from "./field-rules.ts";
import type { GoStruct, GoStructs } from "./go-structs.ts";
import { words } from "./go-structs.ts";
import { jsonForms } from "./json-forms.ts";
import { isTestMessage, openApiNameOfProtobuf, shortName, typeOf } from "./message-name.ts";
import type {
  GeneratorInput,
  OpenApiProperty,
  OpenApiSchema,
  ProtobufField,
} from "./read-input.ts";
import { GeneratorInputError } from "./read-input.ts";

interface Source {
  readonly openApiName: string;
  readonly published: boolean;
  /** For a struct that only occurs embedded: the part of the embedding schema that comes from it. */
  readonly schema: OpenApiSchema | undefined;
  readonly numbers: ReadonlyMap<number, ProtobufField>;
}

export function buildModel(input: GeneratorInput, goStructs: GoStructs): ApiModel {
  const sources = collectSources(input, goStructs);
  for (const name of goStructs.keys()) {
    if (!sources.has(name)) throw new GeneratorInputError(`go-structs.json names unknown ${name}`);
  }
  const model = new Map<string, ApiMessage>();
  for (const name of [...sources.keys()].sort()) {
    model.set(name, buildMessage({ name, sources, goStructs }));
  }
  return model;
}

function collectSources(input: GeneratorInput, goStructs: GoStructs): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const [protobufName, numbers] of input.protobuf) {
    if (isTestMessage(protobufName)) continue;
    const openApiName = openApiNameOfProtobuf(protobufName);
    const schema = input.schemas.get(openApiName);
    const published = schema !== undefined;
    sources.set(shortName(openApiName), { openApiName, published, schema, numbers });
  }
  for (const [openApiName, schema] of input.schemas) {
    const name = shortName(openApiName);
    if (sources.has(name)) continue;
    const listed = words(goStructs.get(name)?.numbers);
    if (listed.length === 0) {
      throw new GeneratorInputError(`${name} is neither in protobuf.json nor in go-structs.json`);
    }
    const numbers = new Map(listed.map((entry) => numberFromSchema(entry, { name, schema })));
    sources.set(name, { openApiName, published: true, schema, numbers });
  }
  for (const [name, source] of sources) lendSchemaToEmbedded(name, source, sources);
  return sources;
}

/** Writes the protobuf entry of a field that only OpenAPI describes: `service=1` and its property. */
function numberFromSchema(
  entry: string,
  { name, schema }: { name: string; schema: OpenApiSchema },
): [number, ProtobufField] {
  const [field = "", number] = entry.split("=");
  const property = schema.properties?.[field];
  if (property === undefined) throw new GeneratorInputError(`${name} has no field ${field}`);
  if (property.type === "array" && property.items !== undefined) {
    return [Number(number), [field, protobufType(property.items), "repeated"]];
  }
  return [Number(number), [field, protobufType(property)]];
}

function protobufType(property: OpenApiProperty): string {
  const ref = refOf(property);
  if (ref !== undefined) return ref;
  if (property.type === "boolean") return "bool";
  if (property.type === "string") return property.format === "byte" ? "bytes" : "string";
  return property.format ?? "string";
}

/** An embedded struct that OpenAPI does not know takes its properties from the schema it is embedded in. */
function lendSchemaToEmbedded(name: string, source: Source, sources: Map<string, Source>): void {
  if (source.schema === undefined || jsonForms.has(name)) return;
  for (const field of source.numbers.values()) {
    if (propertyName(source.schema, field[0]) !== undefined || isScalar(field[1])) continue;
    const embeddedName = messageName(field[1]);
    const embedded = sources.get(embeddedName);
    if (embedded === undefined || embedded.schema !== undefined) continue;
    const { properties = {}, required = [] } = source.schema;
    const lent = new Set(
      [...embedded.numbers.values()].map((inner) => propertyName(source.schema, inner[0])),
    );
    sources.set(embeddedName, {
      ...embedded,
      schema: {
        type: "object",
        properties: Object.fromEntries(Object.entries(properties).filter(([key]) => lent.has(key))),
        required: required.filter((key) => lent.has(key)),
      },
    });
  }
}

interface MessageContext {
  readonly name: string;
  readonly sources: ReadonlyMap<string, Source>;
  readonly goStructs: GoStructs;
}

function buildMessage({ name, sources, goStructs }: MessageContext): ApiMessage {
  const source = sources.get(name)!;
  const { schema } = source;
  const goStruct = goStructs.get(name) ?? {};
  const form = jsonForms.get(name) ?? "object";
  const fields: ApiField[] = [];
  for (const [number, protobuf] of [...source.numbers].sort(([a], [b]) => a - b)) {
    const type = fieldType(protobuf);
    const jsonName =
      schema === undefined || form !== "object" ? protobuf[0] : propertyName(schema, protobuf[0]);
    const property = jsonName === undefined ? undefined : schema?.properties?.[jsonName];
    if (property !== undefined) checkType(`${name}.${jsonName}`, type, property);
    const rules = buildFieldRules({ jsonName, type, property, schema, goStruct });
    fields.push({ name: jsonName ?? "", number, type, embedded: jsonName === undefined, ...rules });
  }
  const typed = schema === undefined ? goStruct.typed === true : isTyped(schema, fields);
  if (form === "object") checkComplete({ name, sources, fields, typed });
  checkFacts(name, fields, goStruct);
  return {
    name,
    openApiName: source.openApiName,
    form,
    typed,
    ...(schema?.["x-kubernetes-map-type"] !== undefined && source.published
      ? { mapType: schema["x-kubernetes-map-type"] }
      : {}),
    unions: schema?.["x-kubernetes-unions"] ?? [],
    published: source.published,
    fields: inStructOrder(name, fields, words(goStruct.order)),
  };
}

function isTyped(schema: OpenApiSchema, fields: readonly ApiField[]): boolean {
  const has = (name: string) => schema.properties?.[name] !== undefined;
  return has("kind") && has("apiVersion") && !fields.some((field) => field.name === "kind");
}

/** Every property of the schema must be a field, an embedded struct's field, or TypeMeta's. */
function checkComplete({
  name,
  sources,
  fields,
  typed,
}: Omit<MessageContext, "goStructs"> & { fields: readonly ApiField[]; typed: boolean }): void {
  const reached = new Set<string>(typed ? ["kind", "apiVersion"] : []);
  const visit = (field: ApiField) => {
    reached.add(field.name);
    if (!field.embedded) return;
    for (const key of Object.keys(sources.get(field.type.element)?.schema?.properties ?? {})) {
      reached.add(key);
    }
  };
  for (const field of fields) visit(field);
  for (const key of Object.keys(sources.get(name)?.schema?.properties ?? {})) {
    if (!reached.has(key)) throw new GeneratorInputError(`${name}.${key} has no protobuf number`);
  }
}

function checkFacts(name: string, fields: readonly ApiField[], goStruct: GoStruct): void {
  const { pointers, values, printed, omitted, required } = goStruct;
  for (const word of [pointers, values, printed, omitted, required].flatMap(words)) {
    if (!fields.some((field) => field.name === word)) {
      throw new GeneratorInputError(`go-structs.json names unknown field ${name}.${word}`);
    }
  }
}

function inStructOrder(
  name: string,
  fields: readonly ApiField[],
  order: readonly string[],
): readonly ApiField[] {
  if (order.length === 0) return fields;
  const label = (field: ApiField) => (field.embedded ? typeOf(field.type.element) : field.name);
  const labels = fields.map(label).sort().join(" ");
  if (labels !== [...order].sort().join(" ")) {
    throw new GeneratorInputError(
      `go-structs.json orders other fields of ${name} than there are: ${labels}`,
    );
  }
  return [...fields].sort((a, b) => order.indexOf(label(a)) - order.indexOf(label(b)));
}

function fieldType([, type, shape]: ProtobufField): FieldType {
  const element = isScalar(type) ? type : messageName(type);
  if (shape === undefined) return { shape: "single", element };
  return { shape: shape === "map" ? "map" : "list", element };
}

function messageName(type: string): string {
  return shortName(openApiNameOfProtobuf(type));
}

/** Protobuf writes `xKubernetesListType` and `uID` where JSON writes `x-kubernetes-list-type` and `uid`. */
function propertyName(schema: OpenApiSchema | undefined, protobufName: string): string | undefined {
  const wanted = protobufName.toLowerCase();
  return Object.keys(schema?.properties ?? {}).find(
    (key) => key.replaceAll(/[^a-z0-9]/gi, "").toLowerCase() === wanted,
  );
}

function refOf(property: OpenApiProperty): string | undefined {
  const ref = property.$ref ?? property.allOf?.[0]?.$ref;
  return ref?.slice(ref.lastIndexOf("/") + 1);
}

/** Both sources must tell the same type, so that one type serves JSON and the wire. */
function checkType(path: string, type: FieldType, property: OpenApiProperty): void {
  const shapes = { array: "list", object: "map" } as const;
  const shape = shapes[property.type as keyof typeof shapes] ?? "single";
  const inner = property.items ?? property.additionalProperties ?? property;
  const ref = refOf(inner);
  let element: string;
  if (ref !== undefined) element = shortName(ref);
  else if (inner.type === "array" && jsonForms.get(type.element) === "string-list") return;
  else element = protobufType(inner);
  const verbs = shape === "list" && jsonForms.get(type.element) === "string-list";
  if (!verbs && (shape !== type.shape || element !== type.element)) {
    throw new GeneratorInputError(
      `${path} is ${type.shape} of ${type.element} in protobuf but ${shape} of ${element} in OpenAPI`,
    );
  }
}
