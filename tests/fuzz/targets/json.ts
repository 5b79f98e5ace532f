import { isUtf8 } from "node:buffer";
import {
  decodeJson,
  encodeJson,
  encodeJsonBytes,
  equalJson,
  JsonError,
  type JsonValue,
} from "@homeostat/object-model";
import { asJson, objectFixtures } from "../fixture-corpus.ts";
import { decode, encode, type FuzzTarget, requireLaw } from "../fuzz-target.ts";
import { madeUpJson } from "../made-up-json.ts";

/**
 * What is read is what JSON.parse reads, exactly; what is written is read back the same. Of ill-formed
 * UTF-8 only the second holds: a replacement character stands for each byte, as in Go.
 */
export async function openJson(): Promise<FuzzTarget> {
  return {
    corpus: asJson([...objectFixtures(), [1, -0.5, "a", null, { a: [true] }], 1e300, "text"]),
    words: [
      '"',
      "\\u",
      "\\ud800",
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      "null",
      "1e5",
      "-0",
      '"a":',
      '"__proto__":',
      "\ufeff",
    ],
    generate: (random) => encode(encodeJson(madeUpJson(random, 6))),
    run(input) {
      const text = decode(input);
      const expected = parsed(text);
      const value = attempt(input);
      if (value === undefined) return;
      requireLaw(expected !== undefined, "decodeJson takes what is no JSON");
      const written = encodeJson(value.value);
      requireLaw(
        equalJson(decodeJson(written), value.value),
        "encode then decode is another value",
      );
      requireLaw(encodeJson(decodeJson(written)) === written, "encoding again gives another text");
      requireLaw(decode(encodeJsonBytes(value.value)) === written, "bytes and text differ");
      if (!isUtf8(input)) return;
      const same = sameWithoutDigits(JSON.parse(written), expected!.value);
      requireLaw(same, "JSON.parse reads another value");
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function attempt(input: Uint8Array): { readonly value: JsonValue } | undefined {
  try {
    return { value: decodeJson(input) };
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Long integers lose digits in JSON.parse on both sides alike; lone surrogates are written replaced. */
function sameWithoutDigits(got: unknown, expected: unknown): boolean {
  return toWellFormed(got) === toWellFormed(expected);
}

function toWellFormed(value: unknown): string {
  return JSON.stringify(sortedEntries(value));
}

/** Objects as lists of entries, so that no key is special. */
function sortedEntries(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(sortedEntries);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    key.toWellFormed(),
    sortedEntries(member),
  ]);
  return { entries };
}
