import { expect, test } from "vitest";
import { httpDate } from "./http-date.ts";

test("a date is written as HTTP has it", () => {
  expect(httpDate(0)).toBe("Thu, 01 Jan 1970 00:00:00 GMT");
  expect(httpDate(1_794_807_572_999)).toBe("Mon, 16 Nov 2026 05:39:32 GMT");
  expect(httpDate(951_782_400_000, "UTC")).toBe("Tue, 29 Feb 2000 00:00:00 UTC");
});
