import { goQuoteByte } from "./go-quote.ts";

/** What the codec throws for bad input, and nothing else. */
export abstract class JsonError extends Error {
  abstract readonly code: string;
  /** What Kubernetes says of the same input, without the place: Status bodies carry it. */
  readonly reason: string;

  constructor(reason: string, place: string) {
    super(reason + place);
    this.reason = reason;
  }
}

/** Where in a text something was found. */
export interface JsonPosition {
  /** Index in the text, in UTF-16 units, from 0. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
}

/** A place in a text that was being read. */
interface JsonPlace {
  readonly text: string;
  readonly offset: number;
}

/** The text is not JSON. */
export class JsonSyntaxError extends JsonError {
  readonly code = "json-syntax";
  override readonly name = "JsonSyntaxError";
  readonly position: JsonPosition;

  /** `context` says what was being read, in Go's words. */
  constructor(place: JsonPlace, context: string) {
    const position = positionOf(place);
    // Go ends a text with a space: the end is unexpected only where a space would be in order.
    const character = place.offset < place.text.length ? characterAt(place) : "' '";
    super(
      place.offset < place.text.length || NO_SPACE_IN.test(context)
        ? `invalid character ${character} ${context}`
        : "unexpected end of JSON input",
      ` (${printPosition(position)})`,
    );
    this.position = position;
  }
}

const NO_SPACE_IN = /numeric literal$|escape|expecting/;

/** The text or value nests deeper than allowed. */
export class JsonDepthError extends JsonError {
  readonly code = "json-too-deep";
  override readonly name = "JsonDepthError";
  readonly limit: number;
  /** Where the first level too many opens; undefined for a value, which has no text. */
  readonly position: JsonPosition | undefined;

  constructor(limit: number, place?: JsonPlace) {
    const position = place && positionOf(place);
    super(
      place ? `invalid character ${characterAt(place)} exceeded max depth` : "exceeded max depth",
      ` of ${limit}${position ? ` (${printPosition(position)})` : ""}`,
    );
    this.limit = limit;
    this.position = position;
  }
}

/** The text has more bytes than allowed, or than a string can have. */
export class JsonSizeError extends JsonError {
  readonly code = "json-too-large";
  override readonly name = "JsonSizeError";
  readonly limit: number;

  /** `bytes` is undefined where the text was given up before its size was known. */
  constructor(limit: number, bytes: number | undefined) {
    super(
      `Request entity too large: limit is ${limit}`,
      bytes === undefined ? " bytes of JSON" : ` bytes of JSON, got ${bytes}`,
    );
    this.limit = limit;
  }
}

/** A number is beyond what a float64 reaches, such as `1e999`. */
export class JsonNumberError extends JsonError {
  readonly code = "json-number-range";
  override readonly name = "JsonNumberError";
  readonly position: JsonPosition;

  constructor(place: JsonPlace, token: string) {
    const position = positionOf(place);
    const shown = token.length > 1000 ? `${token.slice(0, 1000)}...` : token;
    super(
      `json: cannot unmarshal number ${shown} into Go value of type float64`,
      ` (${printPosition(position)})`,
    );
    this.position = position;
  }
}

/** The value is not JSON: a number that is not finite, a cycle, or something that is no data. */
export class JsonEncodeError extends JsonError {
  readonly code = "json-unsupported-value";
  override readonly name = "JsonEncodeError";
  /** `spec.containers[0]`; empty for the value itself. */
  readonly path: string;

  constructor(what: string, path: string) {
    super(`json: unsupported value: ${what}`, path === "" ? "" : ` at ${path}`);
    this.path = path;
  }
}

function characterAt({ text, offset }: JsonPlace): string {
  return goQuoteByte(String.fromCodePoint(text.codePointAt(offset) ?? 0));
}

function positionOf({ text, offset }: JsonPlace): JsonPosition {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { offset, line, column: offset - lineStart + 1 };
}

function printPosition({ line, column }: JsonPosition): string {
  return `line ${line}, column ${column}`;
}
