/**
 * OpenAPI 2, concluded from documents of OpenAPI 3: one of everything, as older clients read it. It has
 * no defaults, a reference stands alone, and what a request takes is a parameter named body.
 */
import type { JsonObject } from "@homeostat/object-model";
import { Components } from "./components.ts";
import { ALL_KIND_VERSIONS } from "./kind-versions.ts";
import { METHODS } from "./operation.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";
/** What answers with a text of its own form. */
const TEXTS: ReadonlySet<string> = new Set([
  "getServiceAccountIssuerOpenIDConfiguration",
  "getServiceAccountIssuerOpenIDKeyset",
]);
const CUSTOM_TYPES = ["application/json", "application/yaml"];

/** Types that OpenAPI 3 says more exactly. */
const SIMPLER: Readonly<Record<string, JsonObject>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { type: "string" },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": { type: "string", format: "int-or-string" },
};

/** Put together document by document: what is said first about a type stays. */
export class Swagger {
  readonly #paths = new Map<string, JsonObject>();
  readonly #definitions = new Map<string, JsonObject>(kindsOfEveryVersion());
  readonly #parameters = new SharedParameters();

  add(document: JsonObject, { isCustom }: { readonly isCustom: boolean }): void {
    const context = { parameters: this.#parameters, isCustom };
    for (const [path, item] of objectEntries(document["paths"])) {
      this.#paths.set(path, swaggerPath(item, context));
    }
    const { schemas } = document["components"] as JsonObject;
    for (const [name, schema] of objectEntries(schemas)) {
      if (this.#definitions.has(name)) continue;
      this.#definitions.set(name, SIMPLER[name] ?? swaggerSchema(schema));
    }
  }

  document(): JsonObject {
    return {
      swagger: "2.0",
      info: { title: "Kubernetes", version: "1.36" },
      paths: sorted(this.#paths),
      definitions: sorted(this.#definitions),
      parameters: this.#parameters.all(),
      securityDefinitions: {
        BearerToken: {
          description: "Bearer Token authentication",
          type: "apiKey",
          name: "authorization",
          in: "header",
        },
      },
      security: [{ BearerToken: [] }],
    };
  }
}

/** Where there is one document for all, these are kinds of all group-versions. */
function kindsOfEveryVersion(): readonly [string, JsonObject][] {
  const components = new Components(ALL_KIND_VERSIONS);
  components.refer("meta.v1.DeleteOptions");
  components.refer("meta.v1.WatchEvent");
  const names = new Set([`${META}.DeleteOptions`, `${META}.WatchEvent`]);
  return objectEntries(components.schemas())
    .filter(([name]) => names.has(name))
    .map(([name, schema]) => [name, swaggerSchema(schema)]);
}

interface PathContext {
  readonly parameters: SharedParameters;
  readonly isCustom: boolean;
}

function swaggerPath(item: JsonObject, context: PathContext): JsonObject {
  const path: JsonObject = {};
  for (const method of METHODS) {
    const operation = item[method];
    if (operation !== undefined) path[method] = swaggerOperation(operation as JsonObject, context);
  }
  const shared = (item["parameters"] ?? []) as JsonObject[];
  if (shared.length > 0) path["parameters"] = shared.map((each) => context.parameters.refer(each));
  return path;
}

function swaggerOperation(operation: JsonObject, context: PathContext): JsonObject {
  const { tags, operationId, parameters, requestBody, responses, ...extensions } = operation;
  const produces = new Set<string>();
  const answers = objectEntries(responses).map(([status, { description, content }]) => {
    const types = objectEntries(content);
    for (const [type] of types) produces.add(type);
    const schema = types[0]?.[1]["schema"] as JsonObject | undefined;
    const answer: JsonObject = { description: description! };
    if (schema !== undefined) answer["schema"] = swaggerSchema(schema);
    return [status, answer] as const;
  });
  const body = requestBody as JsonObject | undefined;
  const all = ((parameters ?? []) as JsonObject[]).map((each) => context.parameters.refer(each));
  if (body !== undefined) all.unshift(bodyParameter(body));
  const consumes = consumedBy(operation, [...produces], context);
  return {
    ...(consumes.length > 0 ? { consumes } : {}),
    produces: [...produces],
    schemes: ["https"],
    tags: tags!,
    operationId: operationId!,
    ...(all.length > 0 ? { parameters: all } : {}),
    responses: Object.fromEntries(answers),
    ...extensions,
  };
}

/** What may come in, also where nothing is expected. */
function consumedBy(
  operation: JsonObject,
  produces: readonly string[],
  { isCustom }: PathContext,
): string[] {
  const body = operation["requestBody"] as JsonObject | undefined;
  if (body !== undefined) return objectEntries(body["content"]).map(([type]) => type);
  if (operation["x-kubernetes-action"] !== undefined) return isCustom ? CUSTOM_TYPES : ["*/*"];
  return TEXTS.has(operation["operationId"] as string) ? [] : [...produces];
}

function bodyParameter({ content, required }: JsonObject): JsonObject {
  const [first] = objectEntries(content);
  return {
    name: "body",
    in: "body",
    ...(required === true ? { required } : {}),
    schema: swaggerSchema(first![1]["schema"] as JsonObject),
  };
}

/** Parameters are said once for all paths. */
class SharedParameters {
  readonly #found = new Map<string, JsonObject>();

  refer({ name, in: place, required, schema }: JsonObject): JsonObject {
    const key = `${name as string}-${place as string}`;
    if (!this.#found.has(key)) {
      const parameter = {
        ...(schema as JsonObject),
        name: name!,
        in: place!,
        ...(required === true ? { required } : {}),
      };
      this.#found.set(key, parameter);
    }
    return { $ref: `#/parameters/${key}` };
  }

  all(): JsonObject {
    return sorted(this.#found);
  }
}

function swaggerSchema(schema: JsonObject): JsonObject {
  const { allOf, default: _dropped, ...rest } = schema;
  const [only] = (allOf ?? []) as JsonObject[];
  const converted: JsonObject = only === undefined ? rest : { ...rest, ...only };
  const { $ref, items, additionalProperties, properties } = converted;
  if (typeof $ref === "string") {
    converted["$ref"] = $ref.replace("#/components/schemas/", "#/definitions/");
  }
  if (items !== undefined) converted["items"] = swaggerSchema(items as JsonObject);
  if (typeof additionalProperties === "object") {
    converted["additionalProperties"] = swaggerSchema(additionalProperties as JsonObject);
  }
  if (properties !== undefined) {
    const entries = objectEntries(properties);
    converted["properties"] = Object.fromEntries(
      entries.map(([name, each]) => [name, swaggerSchema(each)]),
    );
  }
  return converted;
}

function objectEntries(value: unknown): [string, JsonObject][] {
  return Object.entries((value ?? {}) as Readonly<Record<string, JsonObject>>);
}

function sorted(map: ReadonlyMap<string, JsonObject>): JsonObject {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}
