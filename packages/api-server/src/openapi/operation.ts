/** One operation of a path and what it is made of, as OpenAPI 3 has it. */
import type { JsonObject } from "@homeostat/object-model";

export type Method = "delete" | "get" | "head" | "options" | "patch" | "post" | "put";

/** In the order in which kube-apiserver lists them. */
export const METHODS: readonly Method[] = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
];

/** One object for all that take it. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly type: "boolean" | "integer" | "string";
}

export interface Operation {
  readonly operationId: string;
  readonly tag: string;
  /** Absent for what is no resource's. */
  readonly action?: string;
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly parameters: readonly Parameter[];
  readonly body?: {
    readonly schema: JsonObject;
    readonly types: readonly string[];
    readonly required: boolean;
  };
  /** By status code. */
  readonly answers: readonly Answer[];
}

interface Answer {
  readonly status: 200 | 201 | 202;
  readonly schema: JsonObject;
  readonly types: readonly string[];
}

export type PathOperations = ReadonlyMap<Method, Operation>;

const MEANINGS = { 200: "OK", 201: "Created", 202: "Accepted" } as const;

export function printPaths(paths: ReadonlyMap<string, PathOperations>): JsonObject {
  const sorted = [...paths].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([path, operations]) => [path, printPath(operations)]));
}

/** What every operation of a path takes is said once, for the path. */
function printPath(operations: PathOperations): JsonObject {
  const all = [...operations.values()];
  const [first] = all;
  const isShared = (wanted: Parameter): boolean =>
    all.every(({ parameters }) => parameters.includes(wanted));
  const shared = new Set((first?.parameters ?? []).filter(isShared));
  const item: JsonObject = {};
  for (const method of METHODS) {
    const operation = operations.get(method);
    if (operation !== undefined) item[method] = printOperation(operation, shared);
  }
  if (shared.size > 0) item["parameters"] = printParameters([...shared]);
  return item;
}

function printOperation(operation: Operation, shared: ReadonlySet<Parameter>): JsonObject {
  const { operationId, tag, action, kind, body } = operation;
  const own = operation.parameters.filter((each) => !shared.has(each));
  const responses: JsonObject = {};
  for (const { status, schema, types } of operation.answers) {
    responses[status] = { description: MEANINGS[status], content: contentOf(schema, types) };
  }
  responses["401"] = { description: "Unauthorized" };
  return {
    tags: [tag],
    operationId,
    ...(own.length > 0 ? { parameters: printParameters(own) } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: contentOf(body.schema, body.types),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses,
    ...(action === undefined ? {} : { "x-kubernetes-action": action }),
    ...(kind === undefined ? {} : { "x-kubernetes-group-version-kind": { ...kind } }),
  };
}

function contentOf(schema: JsonObject, types: readonly string[]): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

const printed = new Map<Parameter, JsonObject>();

/** By name, and where two have the same by place. */
function printParameters(parameters: readonly Parameter[]): JsonObject[] {
  return parameters
    .toSorted((a, b) => (a.name < b.name || (a.name === b.name && a.in < b.in) ? -1 : 1))
    .map((each) => {
      const known = printed.get(each) ?? printParameter(each);
      printed.set(each, known);
      return known;
    });
}

function printParameter({ name, in: place, type }: Parameter): JsonObject {
  const schema = { type, uniqueItems: true };
  return place === "path"
    ? { name, in: place, required: true, schema }
    : { name, in: place, schema };
}
