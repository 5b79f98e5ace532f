// What a Kubernetes release says about itself, as the generator reads it: OpenAPI schemas per group-version,
// discovery, and protobuf field numbers. Reading checks that the three are there; it interprets nothing.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface OpenApiProperty {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly format?: string;
  readonly default?: unknown;
  readonly $ref?: string;
  readonly allOf?: readonly { readonly $ref: string }[];
  readonly items?: OpenApiProperty;
  readonly additionalProperties?: OpenApiProperty;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
}

export interface OpenApiUnion {
  readonly discriminator?: string;
  readonly "fields-to-discriminateBy": Readonly<Record<string, string>>;
}

export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, OpenApiProperty>>;
  readonly required?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-unions"?: readonly OpenApiUnion[];
  readonly "x-kubernetes-group-version-kind"?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** `[json name, type]`, with `"repeated"`, or `"map"` and the key type. */
export type ProtobufField = readonly [name: string, type: string, ...shape: string[]];

interface DiscoveredSubresource {
  readonly subresource: string;
  readonly responseKind: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  };
  readonly verbs: readonly string[];
}

export interface DiscoveredResource {
  readonly resource: string;
  readonly singularResource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: "Cluster" | "Namespaced";
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly DiscoveredSubresource[];
}

export interface CoreResource {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  readonly verbs: readonly string[];
}

export interface GeneratorInput {
  /** Stable group-versions, from the file names: `apps/v1`, and `v1` for the core group. */
  readonly groupVersions: ReadonlySet<string>;
  readonly schemas: ReadonlyMap<string, OpenApiSchema>;
  readonly protobuf: ReadonlyMap<string, ReadonlyMap<number, ProtobufField>>;
  /** Groups other than core, in the order the server lists them. */
  readonly groups: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly DiscoveredResource[];
    }[];
  }[];
  readonly coreResources: readonly CoreResource[];
}

interface OpenApiDocument {
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
}

type ProtobufDocument = Readonly<Record<string, Readonly<Record<string, ProtobufField>>>>;

interface DiscoveryDocument {
  readonly items: GeneratorInput["groups"];
}

interface CoreDiscoveryDocument {
  readonly resources: readonly CoreResource[];
}

export class GeneratorInputError extends Error {
  readonly code = "generator-input";
}

export function readInput(folder: string): GeneratorInput {
  const openApiFolder = join(folder, "openapi");
  if (!existsSync(openApiFolder)) {
    throw new GeneratorInputError(
      `no Kubernetes API data in "${folder}": expected openapi/*.json, discovery.json, discovery-core-v1.json ` +
        "and protobuf.json; give the folder as the first argument",
    );
  }
  const groupVersions = new Set<string>();
  const schemas = new Map<string, OpenApiSchema>();
  for (const file of readdirSync(openApiFolder).sort()) {
    if (!file.endsWith(".json")) continue;
    groupVersions.add(file.slice(0, -".json".length).replace("_", "/"));
    const document = readJson(join(openApiFolder, file)) as OpenApiDocument;
    for (const [name, schema] of Object.entries(document.schemas)) addSchema(schemas, name, schema);
  }
  const protobuf = readJson(join(folder, "protobuf.json")) as ProtobufDocument;
  const discovery = readJson(join(folder, "discovery.json")) as DiscoveryDocument;
  const core = readJson(join(folder, "discovery-core-v1.json")) as CoreDiscoveryDocument;
  return {
    groupVersions,
    schemas,
    protobuf: new Map(
      Object.entries(protobuf).map(([name, fields]) => [
        name,
        new Map(Object.entries(fields).map(([number, field]) => [Number(number), field])),
      ]),
    ),
    groups: discovery.items,
    coreResources: core.resources,
  };
}

/** The same schema comes once per group-version; only the list of group-version-kinds may differ. */
function addSchema(schemas: Map<string, OpenApiSchema>, name: string, schema: OpenApiSchema): void {
  const known = schemas.get(name);
  if (known !== undefined && shapeOf(known) !== shapeOf(schema)) {
    throw new GeneratorInputError(`schema ${name} differs between group-versions`);
  }
  schemas.set(name, schema);
}

function shapeOf(schema: OpenApiSchema): string {
  return JSON.stringify({ ...schema, "x-kubernetes-group-version-kind": undefined });
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new GeneratorInputError(`cannot read ${path}`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GeneratorInputError(`${path} is not JSON`, { cause });
  }
}
