import { ApiError, type JsonValue } from "@homeostat/object-model";
import {
  Composer,
  type Document,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  type Tags,
  visit,
} from "yaml";
import { sortKeys } from "../codec/sort-keys.ts";
import type { DecodedBody } from "./request-body.ts";
import { YamlError } from "./yaml-error.ts";

/** A file of some ten thousand lines. Larger bodies have to come as JSON, which is read natively. */
const MAX_LEXEMES = 60_000;
/** Brackets in brackets, as many as Go reads. */
const MAX_DEPTH = 10_000;
/** How many are read before others get their turn. */
const STEP = 1_000;

const OPTIONS = {
  version: "1.1",
  schema: "yaml-1.1",
  customTags: (tags: Tags) => tags.filter(isKnownToGo),
  merge: false,
  intAsBigInt: true,
  uniqueKeys: false,
} satisfies ConstructorParameters<typeof Composer>[0];

/**
 * A YAML body. Aliases are refused: no client writes them, and they make small texts huge. Reading is
 * slow, so it is done in steps. Loaded with its library when the first YAML comes.
 */
export async function decodeYaml(
  bytes: Uint8Array,
  breathe: () => Promise<void>,
): Promise<DecodedBody> {
  const lines = new LineCounter();
  const document = await readDocument(Buffer.from(bytes).toString("utf8"), { lines, breathe });
  if (document === undefined) return { value: null, duplicates: [] };
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    throw new YamlError(`yaml: line ${line}: ${error.message.split("\n", 1)[0]}`);
  }
  const problems = problemsIn(document, lines);
  // As Go has them, which is how findings in them are told.
  return { value: sortKeys(plain(valueOf(document))), duplicates: [], problems };
}

function valueOf(document: Document): unknown {
  try {
    return document.toJS({ mapAsMap: true });
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("Merge sources")) throw error;
    throw new YamlError("yaml: map merge requires map or sequence of maps as the value");
  }
}

/** The first document of the text. */
async function readDocument(
  text: string,
  { lines, breathe }: { lines: LineCounter; breathe: () => Promise<void> },
): Promise<Document | undefined> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: Parameters<Composer["compose"]>[0] extends Iterable<infer T> ? T[] : never = [];
  let count = 0;
  let depth = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === "[" || lexeme === "{") depth += 1;
    else if (lexeme === "]" || lexeme === "}") depth -= 1;
    if (depth > MAX_DEPTH) throw new YamlError(`yaml: exceeded max depth of ${MAX_DEPTH}`);
    tokens.push(...parser.next(lexeme));
    count += 1;
    if (count > MAX_LEXEMES) {
      throw ApiError.requestEntityTooLarge(
        `a YAML body may have ${MAX_LEXEMES} tokens; send it as JSON`,
      );
    }
    if (count % STEP === 0) await breathe();
  }
  tokens.push(...parser.end());
  const [document] = new Composer(OPTIONS).compose(tokens, false, text.length);
  return document;
}

/** What strict validation refuses; aliases are refused at once. */
function problemsIn(document: Document, lines: LineCounter): string[] {
  const problems: string[] = [];
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        const { line } = lines.linePos(key.range?.[0] ?? 0);
        if (keys.has(name))
          problems.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
        keys.add(name);
      }
    },
    Alias: () => {
      throw ApiError.badRequest("aliases are not accepted in YAML bodies");
    },
  });
  return problems;
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
