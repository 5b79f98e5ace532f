/** What a caller passed is not what the option takes: a mistake in the program, never retryable. */
export class InvalidOptionError extends Error {
  readonly code = "INVALID_OPTION";
  override readonly name = "InvalidOptionError";

  /** The option or argument, as the caller writes it. */
  readonly option: string;
  /** What was passed. */
  readonly got: unknown;
  /** What would have been right, in words. */
  readonly expected: string;

  constructor({ option, got, expected }: { option: string; got: unknown; expected: string }) {
    super(`${option}: expected ${expected}, got ${describe(got)}`);
    this.option = option;
    this.got = got;
    this.expected = expected;
  }
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
