import { StoreLockedError } from "@homeostat/store";
import { expect, test } from "vitest";
import { explainError } from "./explain-error.ts";

test("a system's error about a port says which flag helps", () => {
  const refused = Object.assign(new Error("listen EACCES"), { code: "EACCES", port: 443 });
  expect(explainError(refused)).toBe(
    "no right to listen at port 443; choose one above 1023 with --port",
  );
  const denied = Object.assign(new Error("EACCES: permission denied, open 'x'"), {
    code: "EACCES",
  });
  expect(explainError(denied)).toBe("EACCES: permission denied, open 'x'");
});

test("an error that was foreseen is its own text, without a stack", () => {
  const error = new StoreLockedError("/data", "process 7 on host");
  expect(explainError(error)).toBe(error.message);
});

test("what nobody foresaw comes with its stack", () => {
  const bug = new TypeError("x is not a function");
  expect(explainError(bug)).toContain(bug.stack);
  const invalid = Object.assign(new TypeError("no"), { code: "ERR_INVALID_ARG_TYPE" });
  expect(explainError(invalid)).toContain("please report it");
  expect(explainError("text")).toBe("text");
});
