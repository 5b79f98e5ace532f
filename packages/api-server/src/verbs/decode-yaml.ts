import { ApiError, type JsonValue } from "@homeostat/object-model";
import { parseDocument, visit } from "yaml";
import type { DecodedBody } from "./request-body.ts";

const MAX_NODES = 500_000;

/**
 * A YAML body. Aliases are refused: no client writes them, and they make small texts huge. Loaded
 * with its library when the first YAML comes.
 */
export function decodeYaml(bytes: Uint8Array): DecodedBody {
  const document = parseDocument(Buffer.from(bytes).toString("utf8"), {
    version: "1.1",
    schema: "yaml-1.1",
    merge: false,
    intAsBigInt: true,
    uniqueKeys: false,
    maxAliasCount: 0,
  } as Parameters<typeof parseDocument>[1]);
  const [error] = document.errors;
  if (error !== undefined) throw ApiError.badRequest(`error converting YAML to JSON: yaml: ${error.message}`);
  let nodes = 0;
  visit(document, {
    Node: () => {
      nodes += 1;
      if (nodes > MAX_NODES) throw ApiError.badRequest(`the YAML body has more than ${MAX_NODES} nodes`);
    },
    Alias: () => {
      throw ApiError.badRequest("aliases are not accepted in YAML bodies");
    },
  });
  return { value: plain(document.toJS({ mapAsMap: true })), duplicates: [] };
}

/** Maps become objects with own keys, integers numbers where they fit. */
function plain(value: unknown): JsonValue {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, member]) => [String(key), plain(member)]));
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return (value ?? null) as JsonValue;
}
