/**
 * What is wrong with one field of an object, in the words of Kubernetes' validation. A list of
 * these becomes the causes and the message of an Invalid (422) answer; see `ApiError.invalid`.
 */

import type { FieldPath } from "./field-path.ts";
import { encodeJson } from "./json/encode-json.ts";
import { goQuote } from "./json/go-quote.ts";

/** The kinds of field error (they are the `reason` of a status cause) and their titles. */
const TITLES = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTooFew: "Too few",
  FieldValueTooShort: "Too short",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
} as const;

export type FieldErrorType = keyof typeof TITLES;

interface FieldErrorParts {
  readonly type: FieldErrorType;
  readonly path: FieldPath | undefined;
  /** Left out where the message does not show the value. */
  readonly value?: unknown;
  readonly detail?: string;
}

export class FieldError {
  readonly type: FieldErrorType;
  /** The path as text; `<nil>` for an error that belongs to no field. */
  readonly field: string;
  /** The message without the field: the `message` of a status cause. */
  readonly body: string;

  private constructor(parts: FieldErrorParts) {
    this.type = parts.type;
    this.field = parts.path?.toString() ?? "<nil>";
    const value = "value" in parts ? `: ${printBadValue(parts.value)}` : "";
    const detail = parts.detail ? `: ${parts.detail}` : "";
    this.body = TITLES[parts.type] + value + detail;
  }

  /** The value has the right type and is malformed or out of bounds. */
  static invalid(path: FieldPath | undefined, value: unknown, detail: string): FieldError {
    return new FieldError({ type: "FieldValueInvalid", path, value, detail });
  }

  /** The same where the message does not show the value: it is too much, or there is none. */
  static invalidUnshown(path: FieldPath | undefined, detail: string): FieldError {
    return new FieldError({ type: "FieldValueInvalid", path, detail });
  }

  /** The value has the wrong type. */
  static typeInvalid(path: FieldPath, value: unknown, detail: string): FieldError {
    return new FieldError({ type: "FieldValueTypeInvalid", path, value, detail });
  }

  /** Missing or empty. */
  static required(path: FieldPath, detail = ""): FieldError {
    return new FieldError({ type: "FieldValueRequired", path, detail });
  }

  static duplicate(path: FieldPath, value: unknown, detail = ""): FieldError {
    return new FieldError({ type: "FieldValueDuplicate", path, value, detail });
  }

  /** Refers to something that does not exist. */
  static notFound(path: FieldPath, value: unknown, detail = ""): FieldError {
    return new FieldError({ type: "FieldValueNotFound", path, value, detail });
  }

  /** None of the values that are known; they are listed in the order given. */
  static notSupported(path: FieldPath, value: unknown, known: readonly string[]): FieldError {
    const detail = known.length > 0 ? `supported values: ${known.map(goQuote).join(", ")}` : "";
    return new FieldError({ type: "FieldValueNotSupported", path, value, detail });
  }

  /** Well formed, and not allowed here. */
  static forbidden(path: FieldPath, detail: string): FieldError {
    return new FieldError({ type: "FieldValueForbidden", path, detail });
  }

  /** More than `max` bytes; the value is not shown. */
  static tooLong(path: FieldPath, max: number): FieldError {
    const detail = `may not be more than ${count(max, "byte")}`;
    return new FieldError({ type: "FieldValueTooLong", path, detail });
  }

  static tooLongCharacters(path: FieldPath, max: number): FieldError {
    const detail = `may not be more than ${count(max, "character")}`;
    return new FieldError({ type: "FieldValueTooLong", path, detail });
  }

  static tooShort(path: FieldPath, min: number): FieldError {
    const detail = `must be at least ${count(min, "character")}`;
    return new FieldError({ type: "FieldValueTooShort", path, detail });
  }

  /** A list of `actual` items where `max` are allowed. */
  static tooMany(path: FieldPath, actual: number, max: number): FieldError {
    const detail = `must have at most ${count(max, "item")}`;
    return new FieldError({ type: "FieldValueTooMany", path, value: actual, detail });
  }

  static tooFew(path: FieldPath, actual: number, min: number): FieldError {
    const detail = `must have at least ${count(min, "item")}`;
    return new FieldError({ type: "FieldValueTooFew", path, value: actual, detail });
  }

  /** Not the user's fault. */
  static internal(path: FieldPath, cause: Error): FieldError {
    return new FieldError({ type: "InternalError", path, detail: cause.message });
  }

  toString(): string {
    return `${this.field}: ${this.body}`;
  }
}

/** Several errors as one text: each once, in brackets when there are more than one. */
export function printFieldErrors(errors: readonly FieldError[]): string {
  const distinct = [...new Set(errors.map(String))];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(", ")}]`;
}

function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

/**
 * A value as Go prints it in these messages: text quoted, simple values plain, everything else as
 * JSON with its keys in the order the value has them.
 */
function printBadValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return goQuote(value);
    case "number":
      return printNumber(value);
    case "boolean":
    case "bigint":
      return String(value);
    default:
      return encodeJson(value ?? null).replace(HTML, escapeUnit);
  }
}

/** Go's JSON escapes what a browser could take for markup. */
const HTML = /[<>&\u2028\u2029]/g;

function escapeUnit(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const INT64_MAX = 2 ** 63;

/** Integers are int64 to Kubernetes and print whole; other numbers print as Go's `%v` of a float. */
function printNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < INT64_MAX) return BigInt(value).toString();
  const [mantissa = "", exponentText = ""] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  const digits = String(Math.abs(exponent)).padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
}
