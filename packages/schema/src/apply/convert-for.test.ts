import { expect, test } from "vitest";
import { convertFor } from "./convert-for.ts";
import type { MergeContext, VersionedValue } from "./managers.ts";
import { MergeValueError } from "./merge-value-error.ts";

const object = { apiVersion: "v2", value: { c: "1" } } as unknown as VersionedValue;
const wanted = { apiVersion: "v1", failure: "failed to convert new object" };

function contextOf(convert: MergeContext["convert"]): MergeContext {
  return { convert, filter: (set) => set };
}

test("what does not fit its type in the other version is refused with what failed", () => {
  const problem = { path: ".c", detail: "field not declared in schema" };
  const context = contextOf(() => {
    throw new MergeValueError([problem]);
  });
  expect(() => convertFor(context, object, wanted)).toThrow(
    "failed to convert new object: .c: field not declared in schema",
  );
});

test("what fits, and a version that is gone, come as they are", () => {
  expect(
    convertFor(
      contextOf((given) => given),
      object,
      wanted,
    ),
  ).toBe(object);
  expect(
    convertFor(
      contextOf(() => undefined),
      object,
      wanted,
    ),
  ).toBeUndefined();
});
