import { DurationError, parseDuration } from "@homeostat/object-model";
import type { WorkSteps } from "../text/work-steps.ts";

/** Characters that are read in one go. */
const CHUNK = 8_192;
/** The last character of a unit with another term behind it: a text can be cut there. */
const END_OF_TERM = /[^0-9.](?=[0-9.])/g;
const LIMIT = 2n ** 63n;

/** As `parseDuration`, for long texts of many terms; undefined where that throws. */
export function* durationInSteps(text: string): WorkSteps<bigint | undefined> {
  const sign = text.startsWith("-") || text.startsWith("+") ? text[0]! : "";
  let total = 0n;
  let at = sign.length;
  // What is left at the end is longer than a chunk: a lone "0" is read as nothing but at its own.
  for (let end = cutAfter(text, at); end !== undefined; end = cutAfter(text, at)) {
    const part = durationOf(sign + text.slice(at, end));
    if (part === undefined) return undefined;
    total += part;
    at = end;
    yield;
  }
  const rest = durationOf(sign + text.slice(at));
  if (rest === undefined) return undefined;
  total += rest;
  return total >= LIMIT || total < -LIMIT ? undefined : total;
}

function cutAfter(text: string, from: number): number | undefined {
  if (text.length - from <= 2 * CHUNK) return undefined;
  END_OF_TERM.lastIndex = from + CHUNK;
  const found = END_OF_TERM.exec(text);
  if (found === null || text.length - found.index <= CHUNK) return undefined;
  return found.index + 1;
}

function durationOf(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}
