import { assert, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { blockYaml } from "./block-yaml.ts";

test("lists and maps have a line for each value", () => {
  const fields = [{ fieldPath: "spec.color" }, { fieldPath: "spec.size" }];
  expect(blockYaml(fields)).toBe("- fieldPath: spec.color\n- fieldPath: spec.size\n");
  const kinds = [{ group: "", kind: "Pod", version: "v1" }];
  expect(blockYaml(kinds)).toBe('- group: ""\n  kind: Pod\n  version: v1\n');
  const nested = { a: { b: [1, "2", [true, "true"]], c: {}, d: [] } };
  expect(blockYaml(nested)).toBe(
    'a:\n    b:\n        - 1\n        - "2"\n        - - true\n          - "true"\n    c: {}\n    d: []\n',
  );
});

test("texts are quoted where YAML would read something else", () => {
  expect(["atomic", "a b", "null", "1", "", "* x", "a: b", "it's", "a\nb"].map(blockYaml)).toEqual([
    "atomic\n",
    "a b\n",
    '"null"\n',
    '"1"\n',
    '""\n',
    "'* x'\n",
    "'a: b'\n",
    "it's\n",
    '"a\\nb"\n',
  ]);
});

test("any value is read back as it was", () => {
  assert(
    property(jsonValue(), (value) => {
      const text = JSON.stringify(value).replaceAll("\\u0000", " ");
      const given: unknown = JSON.parse(text);
      expect(parse(blockYaml(given as never), { version: "1.1", schema: "core" })).toEqual(given);
    }),
  );
});
