import { expect, test } from "vitest";
import { managerName } from "./manager-name.ts";

test("a manager is who the request says, else the beginning of the client's name", () => {
  expect(managerName("me", "kubectl/v1")).toBe("me");
  expect(managerName("", "kubectl/v1.36 (linux)")).toBe("kubectl");
  expect(managerName("", "")).toBe("");
});

test("a client's name loses what cannot be read, and what is too long", () => {
  expect(managerName("", "a\tb\u0000c/1")).toBe("abc");
  expect(managerName("", `${"x".repeat(127)}é/1`)).toBe("x".repeat(127));
  expect(managerName("", "x".repeat(200))).toBe("x".repeat(128));
});
