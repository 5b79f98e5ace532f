import { inSlices } from "@homeostat/cel";
import {
  ApiError,
  FieldError,
  FieldPath,
  JsonError,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  parseApiVersion,
} from "@homeostat/object-model";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import type { ReadObject } from "../codec/read-object.ts";
import { strictDecodingErrors } from "../codec/strict-errors.ts";
import { convert } from "../conversion/convert.ts";
import { isCustomCodec } from "../custom-resources/custom-codec.ts";
import { ProtobufError } from "../protobuf/protobuf-error.ts";
import type { ObjectCodec } from "../registry/object-codec.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import {
  type NamedKind,
  NoKindError,
  namedKind,
  namedKindProblem,
  unknownConversion,
} from "./body-kind.ts";
import type { DecodedBody, RequestBody } from "./request-body.ts";
import type { FieldValidation } from "./write-options.ts";
import { YamlError } from "./yaml-error.ts";

export interface Draft {
  /** In the version that is kept, with defaults. */
  readonly object: KubernetesObject;
  readonly warnings: readonly string[];
}

/** What a kind of body is: the kind of the resource, or that of a subresource. */
export interface BodyKind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly codec: ObjectCodec;
  /** Taken as if they were `apiVersion`. */
  readonly otherVersions?: readonly string[];
}

/** The object in a body: decoded, checked against its kind, converted and with defaults. */
export async function decodeDraft(
  body: RequestBody,
  served: ServedResource,
  validation: FieldValidation,
): Promise<Draft> {
  const expected = {
    kind: served.definition.kind,
    apiVersion: served.apiVersion,
    codec: served.codec,
  };
  const { object, warnings } = await decodeBody(body, expected, validation);
  if (body.isLarge) await body.breathe();
  const { codec } = served;
  if (body.isLarge && isCustomCodec(codec)) {
    await inSlices(codec.applyDefaultsInSteps(object), () => body.breathe());
  } else codec.applyDefaults(object);
  body.isMeantAs(() => served.codec.print(object));
  return { object: finishDraft(object, served, { defaults: false }), warnings };
}

/** Defaults, then the version that is kept. */
export function finishDraft(
  object: JsonObject,
  served: ServedResource,
  { defaults = true }: { readonly defaults?: boolean } = {},
): KubernetesObject {
  if (defaults) served.codec.applyDefaults(object);
  const draft = object as KubernetesObject;
  draft.metadata ??= {};
  return served.converts ? convert(draft, served.stored.apiVersion) : draft;
}

/** A body of any kind. */
export async function decodeBody(
  body: RequestBody,
  expected: BodyKind,
  validation: FieldValidation,
): Promise<{ object: JsonObject; warnings: readonly string[] }> {
  const decoding = decodeValue(body, expected);
  const decoded = decoding instanceof Promise ? await decoding : decoding;
  if (body.isLarge) await body.breathe();
  const type = checkType(decoded.value, { expected, body, validation });
  let read: ReadObject;
  try {
    const reading =
      decoded.typed === true
        ? { object: decoded.value as JsonObject, unknownFields: [] }
        : readWith(expected.codec, decoded.value, body);
    read = reading instanceof Promise ? await reading : reading;
  } catch (error) {
    if (!(error instanceof ObjectDecodeError)) throw error;
    throw cannotHandle(type, expected, error.message);
  }
  const { problems: inText = [] } = decoded;
  const inObject = strictProblems(read.unknownFields, decoded.duplicates, {
    codec: expected.codec,
    body,
  });
  const problems = [...inText, ...inObject];
  if (problems.length > 0 && validation === "Strict") {
    const all = inText.length === 0 ? inObject : [unmarshalErrors(inText), ...inObject];
    throw cannotHandle(type, expected, `strict decoding error: ${all.join(", ")}`);
  }
  read.object["kind"] = expected.kind;
  read.object["apiVersion"] = expected.apiVersion;
  return { object: read.object, warnings: validation === "Ignore" ? [] : problems };
}

/** What is strange in a YAML text, in one message. */
function unmarshalErrors(problems: readonly string[]): string {
  return `yaml: unmarshal errors:${problems.map((problem) => `\n  ${problem}`).join("")}`;
}

/** A large custom resource, which nobody else has, in slices. */
function readWith(
  codec: ObjectCodec,
  value: JsonValue,
  body: RequestBody,
): ReadObject | Promise<ReadObject> {
  return body.isLarge && isCustomCodec(codec)
    ? inSlices(codec.takeInSteps(value), () => body.breathe())
    : codec.read(value);
}

/** What strict validation refuses. Of objects of no type, duplicates are known first. */
function strictProblems(
  unknownFields: readonly string[],
  duplicates: readonly string[],
  { codec: { schema }, body }: { codec: ObjectCodec; body: RequestBody },
): string[] {
  if (schema !== undefined) {
    return strictDecodingErrors({
      unknownFields,
      duplicates,
      body: { schema, text: body.bytes },
    });
  }
  return [
    ...strictDecodingErrors({ unknownFields: [], duplicates }),
    ...strictDecodingErrors({ unknownFields, duplicates: [] }),
  ];
}

function decodeValue(body: RequestBody, expected: BodyKind): DecodedBody | Promise<DecodedBody> {
  const refuse = (error: unknown): never => {
    throw undecodable(error, { body, expected });
  };
  try {
    const decoding = body.decodeObject(expected.codec.schema && expected);
    return decoding instanceof Promise ? decoding.catch(refuse) : decoding;
  } catch (error) {
    return refuse(error);
  }
}

/** What the client is told of a body that could not be read; any other error as it is. */
function undecodable(
  error: unknown,
  { body, expected }: { body: RequestBody; expected: BodyKind },
): unknown {
  if (error instanceof ProtobufError) return malformed(error, { body, expected });
  if (error instanceof YamlError) return unrecognized(body, expected, error.message);
  if (!(error instanceof JsonError)) return error;
  const why = `couldn't get version/kind; json parse error: ${error.reason}`;
  return unrecognized(body, expected, why);
}

function malformed(
  { type, message }: ProtobufError,
  { body, expected }: { body: RequestBody; expected: BodyKind },
): ApiError {
  if (type === undefined) return unrecognized(body, expected, message);
  const version = type.apiVersion.slice(type.apiVersion.indexOf("/") + 1);
  return cannotHandle({ kind: type.kind, version }, expected, message);
}

interface BodyType {
  readonly kind: string;
  readonly version: string;
}

interface Expectation {
  readonly expected: BodyKind;
  readonly body: RequestBody;
  readonly validation: FieldValidation;
}

/** The type the body names, or is taken to be; refuses another one. */
function checkType(value: JsonValue, expectation: Expectation): BodyType {
  const { expected, body } = expectation;
  const named = kindOf(value, expectation);
  if (expected.codec.schema === undefined) return checkUntyped(named, value, expectation);
  const kind = named?.kind || expected.kind;
  const apiVersion = versionOrExpected(named?.apiVersion ?? "", expected);
  if (apiVersion.endsWith("/") && !apiVersion.slice(0, -1).includes("/")) {
    const text = Buffer.from(body.bytes).toString();
    const why = `Object 'apiVersion' is missing in '${text}'`;
    throw cannotHandle({ kind, version: "" }, expected, why);
  }
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const fits = apiVersion === expected.apiVersion || expected.otherVersions?.includes(apiVersion);
  if (kind === expected.kind && fits === true) return { kind, version };
  const type = { kind, version };
  const problem = namedKindProblem(value, { kind, apiVersion });
  if (version.includes("/")) throw unrecognized(body, expected, problem!);
  if (problem !== undefined) throw cannotHandle(type, expected, problem);
  if (kind === expected.kind) throw otherVersion(apiVersion, expected);
  throw cannotHandle(type, expected, unknownConversion({ kind, apiVersion }, expected));
}

/** What a body names, where it leaves the version out of its own group or says nothing. */
function versionOrExpected(apiVersion: string, expected: BodyKind): string {
  const { group } = parseApiVersion(expected.apiVersion);
  return apiVersion === "" || apiVersion === `${group}/` ? expected.apiVersion : apiVersion;
}

/** Objects of no type have to say what they are; another kind than the resource's is invalid. */
function checkUntyped(
  named: NamedKind | undefined,
  value: JsonValue,
  { expected, body, validation }: Expectation,
): BodyType {
  if (!named?.kind) {
    const why = `Object 'Kind' is missing in '${Buffer.from(body.bytes).toString()}'`;
    if (validation !== "Ignore") throw unrecognized(body, expected, why);
    // Who reads without looking closely takes it for the expected kind first.
    const { version } = parseApiVersion(named?.apiVersion || expected.apiVersion);
    throw cannotHandle({ kind: expected.kind, version }, expected, why);
  }
  const { kind, apiVersion } = named;
  if ((value as JsonObject)["apiVersion"] === null) {
    const why = ".apiVersion accessor error: <nil> is of the type <nil>, expected string";
    throw cannotHandle({ kind, version: "" }, expected, why);
  }
  if (apiVersion !== expected.apiVersion) throw otherVersion(apiVersion, expected);
  if (kind !== expected.kind) {
    const { group } = parseApiVersion(expected.apiVersion);
    const metadata = (value as KubernetesObject).metadata ?? {};
    const why = FieldError.invalid(FieldPath.of("kind"), kind, `must be ${expected.kind}`);
    throw ApiError.invalid({ group, kind }, metadata.name ?? "", [why]);
  }
  return { kind, version: apiVersion.slice(apiVersion.indexOf("/") + 1) };
}

function otherVersion(apiVersion: string, expected: BodyKind): ApiError {
  return ApiError.badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
  );
}

function kindOf(
  value: JsonValue,
  { expected, body }: Pick<Expectation, "body" | "expected">,
): NamedKind | undefined {
  try {
    return namedKind(value);
  } catch (error) {
    if (!(error instanceof NoKindError)) throw error;
    throw unrecognized(body, expected, error.message);
  }
}

function cannotHandle(type: BodyType, expected: BodyKind, why: string): ApiError {
  return ApiError.badRequest(
    `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${expected.kind}: ${why}`,
  );
}

const SUMMARY = 30;

function unrecognized(body: RequestBody, expected: BodyKind, why: string): ApiError {
  const shown = summaryOf(Buffer.from(body.bytes));
  return ApiError.badRequest(
    `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${shown})`,
  );
}

/** The beginning of a body: as text where it could be JSON, else in hex. */
function summaryOf(bytes: Buffer): string {
  if (bytes.length === 0) return "<empty>";
  const begin = bytes.subarray(0, SUMMARY).toString(bytes[0] === 0x7b ? "utf8" : "hex");
  return bytes.length > SUMMARY ? `${begin} ...` : begin;
}
