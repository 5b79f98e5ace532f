import { expect, test } from "vitest";
import { Query } from "../http/query.ts";
import { readWriteOptions } from "./write-options.ts";

test("nothing given is a real write that warns", () => {
  expect(readWriteOptions(Query.empty, "CreateOptions")).toEqual({
    dryRun: false,
    fieldValidation: "Warn",
    givenFieldValidation: "",
    fieldManager: "",
  });
});

test.for(["Ignore", "Warn", "Strict"] as const)("field validation %s", (fieldValidation) => {
  expect(readWriteOptions(Query.of({ fieldValidation }), "PatchOptions").fieldValidation).toBe(
    fieldValidation,
  );
});

test("dry run is for all stages or refused", () => {
  expect(readWriteOptions(Query.of({ dryRun: ["All", "All"] }), "CreateOptions").dryRun).toBe(true);
  for (const dryRun of ["", "all", "constructor"]) {
    expect(() => readWriteOptions(Query.of({ dryRun }), "UpdateOptions")).toThrow(
      /^UpdateOptions\.meta\.k8s\.io "" is invalid: dryRun: Unsupported value: .*: supported values: "All"$/,
    );
  }
});

test("an unknown field validation is refused with what there is", () => {
  expect(() => readWriteOptions(Query.of({ fieldValidation: "strict" }), "CreateOptions")).toThrow(
    'fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
  );
});

test("a manager may have 128 characters, all of them printable", () => {
  const manager = "é".repeat(64);
  expect(readWriteOptions(Query.of({ fieldManager: manager }), "CreateOptions").fieldManager).toBe(
    manager,
  );
  expect(() =>
    readWriteOptions(Query.of({ fieldManager: "x".repeat(129) }), "CreateOptions"),
  ).toThrow("Too long");
  expect(() => readWriteOptions(Query.of({ fieldManager: "a\u0007b" }), "CreateOptions")).toThrow(
    "invalid character U+0007 (at position 1)",
  );
});
