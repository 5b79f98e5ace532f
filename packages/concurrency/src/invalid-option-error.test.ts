import { expect, test } from "vitest";
import { InvalidOptionError } from "./invalid-option-error.ts";

test.each([
  ["5 s", '"5 s"'],
  [-1, "-1"],
  [10n, "10n"],
  [true, "true"],
  [undefined, "undefined"],
  [null, "null"],
  [[1], "an array"],
  [{ a: 1 }, "an object"],
  [() => {}, "a function"],
  [Symbol("s"), "a symbol"],
])("names option, expectation and value: %o", (got, printed) => {
  const error = new InvalidOptionError({ option: "timeout", got, expected: "milliseconds" });
  expect(error.message).toBe(`timeout: expected milliseconds, got ${printed}`);
  expect(error).toMatchObject({ code: "INVALID_OPTION", option: "timeout", got });
});
