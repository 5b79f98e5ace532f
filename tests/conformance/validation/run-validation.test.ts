import { expect, test } from "vitest";
import { chooseKinds, UnknownProbeError } from "./run-validation.ts";

test("kinds are chosen by name, and an unknown name is told with the known ones", () => {
  expect(chooseKinds(["jobs"]).map(({ name }) => name)).toEqual(["jobs"]);
  expect(chooseKinds([]).length).toBeGreaterThan(60);
  expect(() => chooseKinds(["job"])).toThrow(UnknownProbeError);
  expect(() => chooseKinds(["job"])).toThrow(
    /no kind "job" is probed; expected one of: bindings, /,
  );
});
