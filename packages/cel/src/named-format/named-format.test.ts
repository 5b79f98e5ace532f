import { expect, test } from "vitest";
import { NAMED_FORMATS } from "./named-format.ts";

test.each([
  ["dns1123Label", "a-b", true],
  ["dns1123Label", "a.b", false],
  ["dns1123LabelPrefix", "ab-", true],
  ["dns1123LabelPrefix", "é-", false],
  ["dns1123SubdomainPrefix", "a.b-", true],
  ["qualifiedName", "example.com/Name", true],
  ["labelValue", "", true],
  ["uri", "/path", true],
  ["uri", "path", false],
  ["uuid", "123E4567E89B12D3A456426614174000", true],
  ["byte", "aGVsbG8=", true],
  ["byte", "", false],
  ["byte", "a===", false],
  ["date", "2000-02-29", true],
  ["date", "1900-02-29", false],
  ["datetime", "2021-01-01t00:00:00.5+01:00", true],
  ["datetime", "2021-01-01T24:00:00Z", false],
])("%s of %j: %j", (name, text, isValid) => {
  expect(NAMED_FORMATS.get(name)?.check(text).length === 0).toBe(isValid);
});
