/**
 * The schema of a custom resource as the rest of this package reads it. A node is made of the decoded
 * `openAPIV3Schema` it stands for and makes its children when they are first asked for, so that
 * holding a definition costs what its objects touch and a request does no more than walk.
 *
 * The tree a schema was made of belongs to it from then on: nobody may change it. What is not
 * structural (checked when a definition is written, see api-server's definition-rules) is read
 * leniently: keywords that custom resources may not use are ignored.
 */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { JSONSchemaProps, ValidationRule } from "@homeostat/object-model/apiextensions-v1";

export type ListType = "atomic" | "map" | "set";

export class StructuralSchema {
  /** What the node was made of. Read only. */
  readonly source: Readonly<JSONSchemaProps>;
  /** "" where none is said. */
  readonly type: string;
  readonly nullable: boolean;
  readonly preservesUnknownFields: boolean;
  readonly isEmbeddedResource: boolean;
  readonly isIntOrString: boolean;
  /** Undefined where there is none; null is none. */
  readonly defaultValue: JsonValue | undefined;

  #items: StructuralSchema | undefined;
  #properties: ReadonlyMap<string, StructuralSchema> | undefined;
  #additional: StructuralSchema | undefined;
  #nested: NestedSchemas | undefined;
  #hasDefaults: boolean | undefined;
  #hasKeyedLists: boolean | undefined;
  #hasRules: boolean | undefined;
  #hasEmbedded: boolean | undefined;

  constructor(source: Readonly<JSONSchemaProps>) {
    this.source = source;
    this.type = source.type ?? "";
    this.nullable = source.nullable === true;
    this.preservesUnknownFields = source["x-kubernetes-preserve-unknown-fields"] === true;
    this.isEmbeddedResource = source["x-kubernetes-embedded-resource"] === true;
    this.isIntOrString = source["x-kubernetes-int-or-string"] === true;
    this.defaultValue = (source.default as JsonValue | undefined) ?? undefined;
  }

  get items(): StructuralSchema | undefined {
    const { items } = this.source;
    if (items == null || Array.isArray(items)) return undefined;
    return (this.#items ??= new StructuralSchema(items));
  }

  /** By name, in the order in which they are declared. Empty where none are. */
  get properties(): ReadonlyMap<string, StructuralSchema> {
    return (this.#properties ??= childrenOf(this.source.properties));
  }

  /** The schema of the values of other keys; true and false as they are declared. */
  get additionalProperties(): StructuralSchema | boolean | undefined {
    const { additionalProperties } = this.source;
    if (additionalProperties == null) return undefined;
    if (typeof additionalProperties === "boolean") return additionalProperties;
    return (this.#additional ??= new StructuralSchema(additionalProperties));
  }

  /** The same where it is a schema. */
  get additionalSchema(): StructuralSchema | undefined {
    const additional = this.additionalProperties;
    return typeof additional === "object" ? additional : undefined;
  }

  /** What a member has to be; undefined where nothing is declared for it. */
  memberSchema(name: string): StructuralSchema | undefined {
    return this.properties.get(name) ?? this.additionalSchema;
  }

  /** Whether a member or item, at any depth, has a default. */
  get hasDefaultsBelow(): boolean {
    return (this.#hasDefaults ??= someBelow(this.source, (below) => below.default != null));
  }

  /** Whether this or something below it, at any depth, is a list of type set or map. */
  get hasKeyedListsBelow(): boolean {
    return (this.#hasKeyedLists ??=
      isKeyedList(this.source) || someBelow(this.source, isKeyedList));
  }

  /** Whether this or something below it is an embedded resource. */
  get hasEmbeddedBelow(): boolean {
    return (this.#hasEmbedded ??= isEmbedded(this.source) || someBelow(this.source, isEmbedded));
  }

  /** Whether this or something below it has expressions to hold. */
  get hasRulesBelow(): boolean {
    return (this.#hasRules ??= hasRules(this.source) || someBelow(this.source, hasRules));
  }

  get listType(): string | undefined {
    return this.source["x-kubernetes-list-type"] ?? undefined;
  }

  /** The names of the fields that identify an item of a list of type map. */
  get listMapKeys(): readonly string[] {
    return this.source["x-kubernetes-list-map-keys"] ?? NONE;
  }

  get mapType(): string | undefined {
    return this.source["x-kubernetes-map-type"] ?? undefined;
  }

  get rules(): readonly ValidationRule[] {
    return this.source["x-kubernetes-validations"] ?? NONE;
  }

  /** allOf, anyOf, oneOf and not. */
  get nested(): NestedSchemas {
    return (this.#nested ??= {
      allOf: this.source.allOf?.map((each) => new StructuralSchema(each)) ?? NONE,
      anyOf: this.source.anyOf?.map((each) => new StructuralSchema(each)) ?? NONE,
      oneOf: this.source.oneOf?.map((each) => new StructuralSchema(each)) ?? NONE,
      not: this.source.not == null ? undefined : new StructuralSchema(this.source.not),
    });
  }
}

export interface NestedSchemas {
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;
}

/** The schema of a version of a custom resource. Without one nothing is known but metadata. */
export function parseStructuralSchema(
  source: Readonly<JSONSchemaProps> | undefined,
): StructuralSchema {
  return new StructuralSchema(source ?? {});
}

const NONE: readonly never[] = Object.freeze([]);
const NO_CHILDREN: ReadonlyMap<string, StructuralSchema> = new Map();

function childrenOf(
  properties: Readonly<Record<string, JSONSchemaProps>> | undefined,
): ReadonlyMap<string, StructuralSchema> {
  if (properties == null) return NO_CHILDREN;
  const children = new Map<string, StructuralSchema>();
  for (const name of Object.keys(properties)) {
    children.set(name, new StructuralSchema(properties[name]!));
  }
  return children;
}

/** Looked for in the source, so that no nodes are made on the way. */
function someBelow(
  { items, properties, additionalProperties }: Readonly<JSONSchemaProps>,
  condition: (schema: JSONSchemaProps) => boolean,
): boolean {
  const holds = (schema: JSONSchemaProps) => condition(schema) || someBelow(schema, condition);
  if (items != null && !Array.isArray(items) && holds(items)) return true;
  if (typeof additionalProperties === "object" && additionalProperties !== null) {
    if (holds(additionalProperties)) return true;
  }
  return properties != null && Object.values(properties).some(holds);
}

function isKeyedList(schema: Readonly<JSONSchemaProps>): boolean {
  const type = schema["x-kubernetes-list-type"];
  return type === "set" || type === "map";
}

function isEmbedded(schema: Readonly<JSONSchemaProps>): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

function hasRules(schema: Readonly<JSONSchemaProps>): boolean {
  return (schema["x-kubernetes-validations"]?.length ?? 0) > 0;
}

/** An object of JSON, neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
