import {
  findSchemaOfKind,
  type JsonObject,
  type JsonValue,
  ownKey,
  parseApiVersion,
} from "@homeostat/object-model";
import { jsonTypeOf } from "../codec/json-type-of.ts";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import { readObject } from "../codec/read-object.ts";

/** The kind and version that a body names. */
export interface NamedKind {
  readonly kind: string;
  readonly apiVersion: string;
}

/** What a body says it is; undefined where it says nothing. Throws what Go says of no object at all. */
export function namedKind(value: JsonValue): NamedKind | undefined {
  if (value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new NoKindError(notAnObject(value));
  }
  const kind = textOf(value, "kind");
  // A group without a name is the core group.
  const apiVersion = textOf(value, "apiVersion").replace(/^\/(?!.*\/)/, "");
  return kind === "" && apiVersion === "" ? undefined : { kind, apiVersion };
}

function notAnObject(value: JsonValue): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

export function unregistered({ kind, apiVersion }: NamedKind): string {
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}

/** Versions that kube-apiserver still knows, though it serves them no more. */
const FORMER_VERSION =
  /^(extensions|apps|batch|policy|autoscaling|[a-z.]+\.k8s\.io)\/v\d+(alpha|beta)\d+$/;

/** Kinds that are the same in whatever version they are named. */
const UNVERSIONED: ReadonlySet<string> = new Set([
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
  "APIVersions",
  "Status",
]);

/**
 * Why a value cannot be read as the kind it names: there is no such kind, or it does not fit. What is
 * named wrongly is said before what is expected instead.
 */
export function namedKindProblem(value: JsonValue, named: NamedKind): string | undefined {
  const { kind, apiVersion } = named;
  if (apiVersion.split("/").length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const version = UNVERSIONED.has(kind) ? "v1" : apiVersion;
  const schema = findSchemaOfKind({ ...parseApiVersion(version), kind });
  if (schema === undefined)
    return FORMER_VERSION.test(apiVersion) ? undefined : unregistered(named);
  try {
    readObject(schema, value);
    return undefined;
  } catch (error) {
    if (error instanceof ObjectDecodeError) return error.message;
    throw error;
  }
}

/** What is said of one kind where another one is expected. */
export function unknownConversion(named: NamedKind, expected: NamedKind): string {
  const version = named.apiVersion.slice(named.apiVersion.indexOf("/") + 1);
  const { group } = parseApiVersion(expected.apiVersion);
  const to = internalType({ group, kind: expected.kind });
  return `converting (${version}.${named.kind}) to (${to}): unknown conversion`;
}

/** How Go calls the type that all versions of a kind are converted to. */
function internalType({ group, kind }: { group: string; kind: string }): string {
  const home = group === "" || group === "events.k8s.io" ? "core" : group.split(".", 1)[0];
  return `${home}.${kind}`;
}

function textOf(value: JsonObject, field: string): string {
  const text = ownKey(value, field) ?? "";
  if (typeof text === "string") return text;
  throw new NoKindError(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeOf(text)} into Go struct field .${field} of type string`,
  );
}

/** A body does not say what it is; the message is Go's. */
export class NoKindError extends Error {
  override readonly name: string = "NoKindError";
  readonly code = "no-kind";
}
