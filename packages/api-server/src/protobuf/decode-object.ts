import {
  findSchemaOfKind,
  type JsonObject,
  type ObjectSchema,
  parseApiVersion,
} from "@homeostat/object-model";
import { decodeMessage } from "./decode-message.ts";
import { type Envelope, readEnvelope } from "./envelope.ts";
import { type ObjectType, ProtobufError } from "./protobuf-error.ts";
import { wirePlanOf } from "./wire-plan.ts";
import { WireReader } from "./wire-reader.ts";

/**
 * The object in an envelope: the tree that reading its JSON into the Go struct would give, with
 * kind and version in front. Where the envelope does not say what it holds it is `expected`; of a
 * kind that does not exist there is nothing but the kind. Throws ProtobufError.
 */
export function decodeObject(bytes: Uint8Array, expected: ObjectType): JsonObject {
  const envelope = readEnvelope(bytes);
  const type = typeOf(envelope, expected);
  const target: JsonObject = { kind: type.kind, apiVersion: type.apiVersion };
  // A version that is gone looks as the one that is there.
  const schema =
    schemaOfType(type) ?? (type.kind === expected.kind ? schemaOfType(expected) : undefined);
  if (schema === undefined) return target;
  try {
    return decodeMessage(wirePlanOf(schema), new WireReader(envelope.raw), target);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw new ProtobufError(error.message, { cause: error, type });
  }
}

function schemaOfType({ apiVersion, kind }: ObjectType): ObjectSchema | undefined {
  return findSchemaOfKind({ ...parseApiVersion(apiVersion), kind });
}

/** A version that is none at all counts as not said. */
function typeOf({ apiVersion, kind }: Envelope, expected: ObjectType): ObjectType {
  const said = apiVersion !== "" && apiVersion.split("/").length <= 2;
  return {
    apiVersion: said ? apiVersion : expected.apiVersion,
    kind: kind === "" ? expected.kind : kind,
  };
}
