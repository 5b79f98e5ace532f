import type { JsonValue } from "@homeostat/object-model";
import {
  canonicalizeQuantity,
  DurationError,
  parseDuration,
  parseMicroTime,
  parseTime,
  printDuration,
  printMicroTime,
  printTime,
  QuantityError,
  TimeError,
} from "@homeostat/object-model";
import { encodeBytes, readBase64 } from "./base64.ts";
import { ObjectDecodeError } from "./object-decode-error.ts";
import type { ReadPlace } from "./read-place.ts";

const INT32_LIMIT = 2 ** 31;
const INT64_LIMIT = 2n ** 63n;

/** Integers that differ from their neighbours as floats. */
const FLOAT_INTEGER_LIMIT = 2 ** 53;

/** Null stands for a value that was refused: the reading will end in an error. */
export function readInt32(value: JsonValue, place: ReadPlace, type?: string): JsonValue {
  if (typeof value === "number") {
    if (Number.isInteger(value) && value >= -INT32_LIMIT && value < INT32_LIMIT) return value | 0;
    place.addNumberMismatch(value, type);
  } else if (typeof value === "bigint") place.addNumberMismatch(value, type);
  else place.addMismatch(value, type);
  return null;
}

export function readInt64(value: JsonValue, place: ReadPlace): JsonValue {
  if (typeof value === "number") {
    // What is larger was not an int64, which the decoder would have given as a bigint.
    if (Number.isInteger(value) && Math.abs(value) <= FLOAT_INTEGER_LIMIT) return value + 0;
    place.addNumberMismatch(value);
  } else if (typeof value === "bigint") {
    if (value >= -INT64_LIMIT && value < INT64_LIMIT) return value;
    place.addNumberMismatch(value);
  } else place.addMismatch(value);
  return null;
}

export function readDouble(value: JsonValue, place: ReadPlace): JsonValue {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  place.addMismatch(value);
  return null;
}

export function readIntOrString(value: JsonValue, place: ReadPlace): JsonValue {
  if (typeof value === "string") return value;
  return place.readSelf(() => readInt32(value, place, "int32"));
}

export function readBytes(value: JsonValue, place: ReadPlace): JsonValue {
  if (typeof value === "string") {
    const bytes = readBase64(value);
    if (typeof bytes === "string") return bytes;
    place.add(`illegal base64 data at input byte ${bytes}`);
  } else if (Array.isArray(value)) return encodeBytes(readByteList(value, place));
  else place.addMismatch(value);
  return null;
}

/** To Go, bytes are a list of small numbers too. */
function readByteList(list: JsonValue[], place: ReadPlace): number[] {
  place.enter();
  const bytes = list.map((value, index) => {
    place.steps[place.depth - 1] = index;
    if (typeof value === "number" || typeof value === "bigint") {
      if (Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256)
        return Number(value);
      place.addNumberMismatch(value, "uint8");
    } else if (value !== null) place.addMismatch(value, "uint8");
    return 0;
  });
  place.leave();
  return bytes;
}

/** One to three digits, too few to be a multiple of the next unit. */
const CANONICAL_QUANTITY = /^[1-9][0-9]{0,2}(?:[mkMG]|[KMG]i)?$/;

export function readQuantity(value: JsonValue): JsonValue {
  if (typeof value === "string" && CANONICAL_QUANTITY.test(value)) return value;
  const text =
    typeof value === "string" || typeof value === "number" || typeof value === "bigint"
      ? value
      : JSON.stringify(value);
  return inGoWords(() => canonicalizeQuantity(text));
}

const CANONICAL_TIME =
  /^[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{6})?Z$/;

export function readTime(value: JsonValue, place: ReadPlace): JsonValue {
  if (typeof value !== "string") throw noText(value, place);
  if (value.length === 20 && CANONICAL_TIME.test(value)) return value;
  return inGoWords(() => printTime(parseTime(value)));
}

export function readMicroTime(value: JsonValue, place: ReadPlace): JsonValue {
  if (typeof value !== "string") throw noText(value, place);
  if (value.length === 27 && CANONICAL_TIME.test(value)) return value;
  return inGoWords(() => printMicroTime(parseMicroTime(value)));
}

export function readDuration(value: JsonValue, place: ReadPlace): JsonValue {
  if (typeof value !== "string") throw noText(value, place);
  return inGoWords(() => printDuration(parseDuration(value)));
}

/** Of a type that reads itself from a text. */
function noText(value: JsonValue, place: ReadPlace): ObjectDecodeError {
  return place.readSelf(() => place.mismatch(value, "string"));
}

/** The parsers' messages are Go's already. */
function inGoWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (
      error instanceof QuantityError ||
      error instanceof TimeError ||
      error instanceof DurationError
    ) {
      throw new ObjectDecodeError(error.message, { cause: error });
    }
    throw error;
  }
}
