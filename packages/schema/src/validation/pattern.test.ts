import { expect, test } from "vitest";
import { Pattern } from "./pattern.ts";

test("a pattern may match anywhere unless it says where", () => {
  expect(new Pattern("b+").matches("abbc")).toBe(true);
  expect(new Pattern("^b+$").matches("abbc")).toBe(false);
});

test("a pattern that is none matches nothing and says why, as Go says it", () => {
  const pattern = new Pattern("a(b");
  expect(pattern.matches("ab")).toBe(false);
  expect(pattern.problem).toBe("error parsing regexp: missing closing ): `a(b`");
  expect(new Pattern("a\\").problem).toBe(
    "error parsing regexp: trailing backslash at end of expression: ``",
  );
  expect(new Pattern("ab").problem).toBeUndefined();
});
