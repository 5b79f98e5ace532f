import type { Node } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { openPlane } from "./fixtures/asked-plane.ts";

const TAINT = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

test("a new node gets no pods until it is ready; the taint can be taken off", async () => {
  await using plane = await openPlane();
  const made = (await plane.ask("POST", "/api/v1/nodes", { metadata: { name: "a" } })) as Node;
  expect(made.spec?.taints).toEqual([TAINT]);
  const ready = (await plane.ask("PUT", "/api/v1/nodes/a", { ...made, spec: {} })) as Node;
  expect(ready.spec?.taints).toBeUndefined();
});

test("a taint that is there already is not doubled", async () => {
  await using plane = await openPlane();
  const given = { metadata: { name: "a" }, spec: { taints: [{ ...TAINT, value: "v" }] } };
  const made = (await plane.ask("POST", "/api/v1/nodes", given)) as Node;
  expect(made.spec?.taints).toEqual([{ ...TAINT, value: "v" }]);
});
