import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareResourceVersions,
  isResourceVersion,
  ResourceVersionError,
} from "./resource-version.ts";

test("resource versions compare as integers of any size", () => {
  const version = fc.bigInt({ min: 1n, max: 10n ** 60n });
  fc.assert(
    fc.property(version, version, (a, b) => {
      const expected = a < b ? -1 : a > b ? 1 : 0;
      expect(compareResourceVersions(`${a}`, `${b}`)).toBe(expected);
    }),
  );
});

test.each(["", "0", "01", "-1", "+1", "1.0", "1e3", " 1", "1\n", "abc", "\u0661"])(
  "%j is not a resource version",
  (text) => {
    expect(isResourceVersion(text)).toBe(false);
    const error = new ResourceVersionError(text);
    expect(error.message).toBe(`resource version is not well formed: ${text}`);
    expect(() => compareResourceVersions(text, "1")).toThrow(error);
    expect(() => compareResourceVersions("1", text)).toThrow(error);
  },
);

test("equal versions are equal, and well formed", () => {
  expect(compareResourceVersions("42", "42")).toBe(0);
  expect(isResourceVersion("9".repeat(100))).toBe(true);
});
