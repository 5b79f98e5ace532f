import { JsonSizeError } from "./json-error.ts";
import { MAX_JSON_BYTES } from "./json-limits.ts";
import { printJson } from "./json-printer.ts";
import { countPlainKeys } from "./plain-json.ts";

/**
 * Writes a value as compact JSON: what `JSON.stringify` writes, with bigints as the integers they
 * are. Members that are undefined are left out. Throws JsonEncodeError, with the path, for what JSON
 * cannot say: a number that is not finite, a value that contains itself, undefined in a list.
 *
 * There is no limit of depth: what decodeJson accepts can be written again, on any stack.
 */
export function encodeJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value) as string | undefined;
  } catch (error) {
    if (isTooLong(error)) throw new JsonSizeError(MAX_JSON_BYTES, undefined);
    // A bigint, a cycle, or the end of the stack: the printer can tell them apart.
    return printJson(value);
  }
  if (text === undefined || (hasUnexplainedNull(text) && countPlainKeys(value) < 0)) {
    return printJson(value);
  }
  return text;
}

/** The same as UTF-8. */
export function encodeJsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(encodeJson(value));
}

/**
 * Whether a null in the text may stand for NaN, an infinity, or undefined in a list: native JSON
 * writes null for them. Times that are not set explain themselves: Kubernetes writes them into every
 * Pod, and the walk that tells null from NaN would cost a quarter of the time. So NaN under one of
 * their two keys is written as not set; anywhere else it is found.
 */
function hasUnexplainedNull(text: string): boolean {
  // The native search looks for the first letter, and there are half as many u's as n's.
  for (let at = text.indexOf("ull"); at >= 0; at = text.indexOf("ull", at + 3)) {
    if (text.charCodeAt(at - 1) === 0x6e && !isUnsetTime(text, at)) return true;
  }
  return false;
}

/** Whether the null whose u is at `at` belongs to one of the keys that hold a time. */
function isUnsetTime(text: string, at: number): boolean {
  // Six letters in their places are enough to know `"lastProbeTime":null`; five of them per Pod make
  // comparing all letters noticeable.
  return text.charCodeAt(at - 4) === 0x65
    ? text.charCodeAt(at - 3) === 0x22 &&
        text.charCodeAt(at - 7) === 0x54 &&
        text.charCodeAt(at - 12) === 0x50 &&
        text.charCodeAt(at - 16) === 0x6c &&
        text.charCodeAt(at - 17) === 0x22
    : text.startsWith(UNSET_CREATION, at + 3 - UNSET_CREATION.length);
}

const UNSET_CREATION = '"creationTimestamp":null';

function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("string length");
}
