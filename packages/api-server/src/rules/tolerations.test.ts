import type { Toleration } from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import { expect, test } from "vitest";
import { tolerationsRule } from "./tolerations.ts";

test.each<[Toleration, readonly string[]]>([
  [{ operator: "Exists" }, []],
  [
    {},
    [
      '.operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
  ],
  [
    { key: "a", operator: "Exists", value: "x" },
    [".operator: Invalid value: \"x\": value must be empty when `operator` is 'Exists'"],
  ],
  [
    { key: "a", operator: "Nope" },
    ['.operator: Unsupported value: "Nope": supported values: "Equal", "Exists"'],
  ],
  [
    { key: "a", operator: "Gt", value: "5" },
    ['.operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"'],
  ],
  [
    { key: "a", effect: "NoSchedule", tolerationSeconds: 0 },
    [
      ".effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when `tolerationSeconds` is set",
    ],
  ],
  [
    { key: "a", effect: "Nope" },
    [
      '.effect: Unsupported value: "Nope": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
])("%j", (toleration, expected) => {
  const place = Place.root(undefined).child("tolerations");
  tolerationsRule([toleration], place);
  expect(place.errors.map(String)).toEqual(expected.map((problem) => `tolerations[0]${problem}`));
});
