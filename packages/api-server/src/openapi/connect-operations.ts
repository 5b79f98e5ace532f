/** Subresources that are no objects: what is asked of a container, a log, another server. */
import { type ScalarType, schemaOf } from "@homeostat/object-model";
import type { Method, Operation, Parameter } from "./operation.ts";
import { METHODS } from "./operation.ts";
import { PRETTY } from "./parameters.ts";

export interface ConnectNaming {
  /** `CoreV1`. */
  readonly prefix: string;
  /** `NamespacedPodExec`. */
  readonly noun: string;
  /** The parameters of the path. */
  readonly where: readonly Parameter[];
  /** The kind of the options. */
  readonly kind: string;
}

type NamedOperation = Omit<Operation, "operationId" | "tag"> & { readonly id: string };

const PATH: Parameter = { name: "path", in: "path", type: "string" };
const STRING = { type: "string" } as const;

/** `[what follows the path, method, operation]`. A proxy takes every method, with a path and without. */
export function connectOperations(
  naming: ConnectNaming,
): readonly (readonly [string, Method, NamedOperation])[] {
  const isProxy = naming.kind.endsWith("ProxyOptions");
  const methods = isProxy ? METHODS : (["get", "post"] as const);
  const bare = methods.map((method) => ["", method, connect(naming, method, "")] as const);
  if (!isProxy) return bare;
  const deep = methods.map(
    (method) => ["/{path}", method, connect(naming, method, "WithPath")] as const,
  );
  return [...bare, ...deep];
}

function connect(naming: ConnectNaming, method: Method, suffix: "" | "WithPath"): NamedOperation {
  const verb = method.slice(0, 1).toUpperCase() + method.slice(1);
  return {
    id: `connect${naming.prefix}${verb}${naming.noun}${suffix}`,
    action: "connect",
    parameters: [...naming.where, ...optionsOf(naming.kind), ...(suffix === "" ? [] : [PATH])],
    answers: [{ status: 200, schema: STRING, types: ["*/*"] }],
  };
}

export function logOperation(naming: ConnectNaming, types: readonly string[]): NamedOperation {
  return {
    id: `read${naming.prefix}${naming.noun}`,
    action: "get",
    parameters: [...naming.where, ...optionsOf("PodLogOptions"), PRETTY],
    answers: [{ status: 200, schema: STRING, types: [...types, "text/plain"] }],
  };
}

const TYPES: Readonly<Record<ScalarType, Parameter["type"]>> = {
  bool: "boolean",
  bytes: "string",
  double: "integer",
  int32: "integer",
  int64: "integer",
  string: "string",
};

const optionsByKind = new Map<string, readonly Parameter[]>();

/** Fields of the options that a query can say; a list is a parameter given more than once. */
function optionsOf(kind: string): readonly Parameter[] {
  let options = optionsByKind.get(kind);
  if (options === undefined) {
    options = [...schemaOf(`core.v1.${kind}`).fields.values()].flatMap(({ name, scalar }) =>
      scalar === undefined || name === "kind" || name === "apiVersion"
        ? []
        : [{ name, in: "query", type: TYPES[scalar] } as const],
    );
    optionsByKind.set(kind, options);
  }
  return options;
}
