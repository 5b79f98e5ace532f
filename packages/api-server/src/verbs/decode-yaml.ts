import { ApiError, type JsonValue } from "@homeostat/object-model";
import { isScalar, LineCounter, parseDocument, type Tags, visit } from "yaml";
import type { DecodedBody } from "./request-body.ts";

const MAX_NODES = 500_000;

/**
 * A YAML body. Aliases are refused: no client writes them, and they make small texts huge. Loaded
 * with its library when the first YAML comes.
 */
export function decodeYaml(bytes: Uint8Array): DecodedBody {
  const lines = new LineCounter();
  const document = parseDocument(Buffer.from(bytes).toString("utf8"), {
    lineCounter: lines,
    version: "1.1",
    schema: "yaml-1.1",
    customTags: (tags: Tags) => tags.filter(isKnownToGo),
    merge: false,
    intAsBigInt: true,
    uniqueKeys: false,
    maxAliasCount: 0,
  } as Parameters<typeof parseDocument>[1]);
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    throw new YamlError(`yaml: line ${line}: ${error.message.split("\n", 1)[0]}`);
  }
  const problems: string[] = [];
  let nodes = 0;
  visit(document, {
    Node: () => {
      nodes += 1;
      if (nodes > MAX_NODES) throw ApiError.badRequest(`the YAML body has more than ${MAX_NODES} nodes`);
    },
    Map: (_, map) => {
      const keys = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        const { line } = lines.linePos(key.range?.[0] ?? 0);
        if (keys.has(name)) problems.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
        keys.add(name);
      }
    },
    Alias: () => {
      throw ApiError.badRequest("aliases are not accepted in YAML bodies");
    },
  });
  return { value: plain(document.toJS({ mapAsMap: true })), duplicates: [], problems };
}

/** The body is no YAML; the message says where. */
export class YamlError extends Error {
  override readonly name: string = "YamlError";
  readonly code = "yaml-syntax";
}

/** Go leaves times and numbers to base 60 as the text they are. */
function isKnownToGo(tag: Tags[number]): boolean {
  if (typeof tag === "string") return true;
  return tag.tag !== "tag:yaml.org,2002:timestamp" && tag.format !== "TIME";
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
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return (value ?? null) as JsonValue;
}
