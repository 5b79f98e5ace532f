import type { Toleration } from "@homeostat/object-model/core-v1";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mergeTolerations } from "./merge-tolerations.ts";

test.for<[Toleration[], Toleration[], Toleration[]]>([
  [
    [{ key: "a", operator: "Equal", value: "x" }],
    [{ key: "a", operator: "Exists" }],
    [{ key: "a", operator: "Exists" }],
  ],
  [
    [{ operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
    [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 9 }],
    [
      { operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 },
      { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 9 },
    ],
  ],
])("%j and %j", ([first, second, merged]) => {
  expect(mergeTolerations(first, second)).toEqual(merged);
});

const tolerations: fc.Arbitrary<Toleration[]> = fc.array(
  fc.record(
    {
      key: fc.constantFrom("a", "b"),
      operator: fc.constantFrom("Exists", "Equal"),
      value: fc.constantFrom("x", "y"),
      effect: fc.constantFrom("NoSchedule", "NoExecute"),
    },
    { requiredKeys: ["operator"] },
  ),
);

test("nothing is invented, and merging again changes nothing", () => {
  fc.assert(
    fc.property(tolerations, tolerations, (first, second) => {
      const merged = mergeTolerations(first, second);
      for (const each of merged) expect([...first, ...second]).toContainEqual(each);
      expect(mergeTolerations(merged, merged)).toEqual(merged);
    }),
  );
});
