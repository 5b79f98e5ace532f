import { expect, test } from "vitest";
import { knownOf, knownOutcomes, readKnownOutcomes, skipPattern } from "./known-outcomes.ts";

test("lines say what a test comes to and why", () => {
  const known = readKnownOutcomes(
    "# why\n\noutside  apiserver/apply  TestA  needs etcd\ndiffers auth TestB no CBOR\n",
  );
  expect([...known]).toEqual([
    ["apiserver/apply TestA", { sort: "outside", reason: "needs etcd" }],
    ["auth TestB", { sort: "differs", reason: "no CBOR" }],
  ]);
});

test("a line without a reason, of another sort or twice is an error", () => {
  expect(() => readKnownOutcomes("differs auth TestB")).toThrow('got "differs auth TestB"');
  expect(() => readKnownOutcomes("flaky auth TestB now and then")).toThrow("outside|differs");
  expect(() => readKnownOutcomes("differs a TestB x\noutside a TestB y")).toThrow(
    "a TestB is there twice",
  );
});

test("known parts of a test are left out of it", () => {
  const known = readKnownOutcomes(
    "differs a TestB/one/v1.2 x\ndiffers a TestB/two_(*) y\ndiffers a TestBB/one z\n",
  );
  expect(skipPattern(known, "a TestB")).toBe(
    String.raw`^TestB$/^one$/^v1\.2$|^TestB$/^two_\(.*\)$`,
  );
  expect(skipPattern(known, "a TestC")).toBe("");
  expect(knownOf(known, "a TestBB")?.reason).toBe("z");
  expect(knownOf(known, "a TestC")).toBe(undefined);
});

test("the list can be read", () => {
  expect(knownOutcomes().size).toBeGreaterThan(0);
});
