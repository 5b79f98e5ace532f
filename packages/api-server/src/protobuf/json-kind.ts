import {
  decodeJson,
  findSchema,
  findSchemaOfKind,
  type KubernetesObject,
  type ObjectSchema,
  parseApiVersion,
} from "@homeostat/object-model";
import { type ObjectType, ProtobufError } from "./protobuf-error.ts";

/** A kind that has messages. */
export interface JsonKind {
  readonly type: ObjectType;
  readonly schema: ObjectSchema;
}

const QUOTE = 0x22;

/** Around two members, their names and values. */
const QUOTES_OF_TWO = 8;

/** By the beginning of the JSON. There are no more than built-in kinds. */
const known = new Map<string, JsonKind>();

/**
 * The kind of an object, which mostly says so first. Throws ProtobufError for one that has no
 * messages.
 */
export function kindInJson(json: Uint8Array): JsonKind {
  const opening = firstTwoMembers(json);
  let kind = known.get(opening);
  if (kind === undefined) {
    const first = typeIn(`${opening}}`);
    kind = kindOfType(first ?? (decodeJson(json) as KubernetesObject));
    if (first !== undefined) known.set(opening, kind);
  }
  return kind;
}

/** `{"kind":"Pod","apiVersion":"v1"` */
function firstTwoMembers(json: Uint8Array): string {
  let at = 0;
  for (let quotes = 0; at < json.length && quotes < QUOTES_OF_TWO; at++) {
    if (json[at] === QUOTE) quotes++;
  }
  return Buffer.from(json.buffer, json.byteOffset, at).toString("latin1");
}

/** Undefined where the text does not hold the type and nothing else. */
function typeIn(text: string): ObjectType | undefined {
  try {
    const { apiVersion, kind, ...others } = JSON.parse(text) as KubernetesObject;
    if (apiVersion === undefined || kind === undefined) return undefined;
    return Object.keys(others).length === 0 ? { apiVersion, kind } : undefined;
  } catch {
    return undefined;
  }
}

/** Versions of lists of versions, of options and of metadata alone are all the same. */
export function kindOfType({ apiVersion = "", kind = "" }: Partial<ObjectType>): JsonKind {
  const type = { apiVersion, kind };
  const schema =
    findSchemaOfKind({ ...parseApiVersion(apiVersion), kind }) ?? findSchema(`meta.v1.${kind}`);
  if (schema !== undefined) return { type, schema };
  throw new ProtobufError(`a ${kind} of ${apiVersion} has no protobuf`, { type });
}
