import type { Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

const added = (key: string): object => ({
  key: `node.kubernetes.io/${key}`,
  operator: "Exists",
  effect: "NoExecute",
  tolerationSeconds: 300,
});

test.for([
  ["nothing", [], [added("not-ready"), added("unreachable")]],
  ["everything", [{ operator: "Exists" }], [{ operator: "Exists" }]],
  [
    "one of them",
    [{ key: "node.kubernetes.io/not-ready", operator: "Exists" }],
    [{ key: "node.kubernetes.io/not-ready", operator: "Exists" }, added("unreachable")],
  ],
  [
    "another effect",
    [{ operator: "Exists", effect: "NoSchedule" }],
    [{ operator: "Exists", effect: "NoSchedule" }, added("not-ready"), added("unreachable")],
  ],
] as const)("a pod that tolerates %s", async ([, tolerations, expected]) => {
  await using plane = await openPlane();
  const { spec } = (await plane.ask("POST", PODS, pod("a", { tolerations }))) as Pod;
  expect(spec?.tolerations).toEqual(expected);
});

test("an update cannot leave them out", async () => {
  await using plane = await openPlane();
  const made = (await plane.ask("POST", PODS, pod("a"))) as Pod;
  const { tolerations: _, ...spec } = made.spec!;
  const updated = (await plane.ask("PUT", `${PODS}/a`, { ...made, spec })) as Pod;
  expect(updated.spec?.tolerations).toHaveLength(2);
});
