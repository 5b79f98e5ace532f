import * as fc from "fast-check";
import { expect, test } from "vitest";
import { volumePathWarnings } from "./volume-path-warnings.ts";

function warningsOf(paths: readonly string[]): readonly string[] {
  const items = paths.map((path, at) => ({ key: `k${at}`, path }));
  return volumePathWarnings([{ name: "v", configMap: { name: "c", items } }]);
}

function overlap(one: string, two: string): string {
  return `volume "v" (ConfigMap "c"): overlapping paths: "${one}" with "${two}"`;
}

test("a path is told with every earlier one that it is, contains or lies in", () => {
  expect(warningsOf(["a/b", "ab", "a", "a/b/c/", "a/b", "", "/"])).toEqual([
    overlap("a", "a/b"),
    overlap("a/b/c", "a/b"),
    overlap("a/b/c", "a"),
    overlap("a/b", "a/b"),
    overlap("a/b", "a"),
    overlap("a/b", "a/b/c"),
  ]);
});

test("the same pairs as by comparing each with each", () => {
  const segment = fc.constantFrom("a", "b", "", "__proto__");
  const path = fc.array(segment, { maxLength: 4 }).map((segments) => segments.join("/"));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
      const trimmed = paths.map((each) => each.replace(/\/+$/, ""));
      const pairs = trimmed.flatMap((one, at) =>
        trimmed
          .slice(0, at)
          .filter(
            (two) =>
              one !== "" &&
              two !== "" &&
              (`${one}/`.startsWith(`${two}/`) || `${two}/`.startsWith(`${one}/`)),
          )
          .map((two) => overlap(one, two)),
      );
      expect(warningsOf(paths)).toEqual(pairs);
    }),
  );
});

test("of very many overlaps the first are told", () => {
  const warnings = warningsOf(Array.from({ length: 5_000 }, () => "same"));
  expect(warnings).toHaveLength(256);
  expect(new Set(warnings)).toEqual(new Set([overlap("same", "same")]));
});
