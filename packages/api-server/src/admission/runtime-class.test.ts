import type { Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { type AskedPlane, openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

async function withClass(more: object): Promise<AskedPlane> {
  const plane = await openPlane();
  const made = { metadata: { name: "r" }, handler: "h", ...more };
  await plane.ask("POST", "/apis/node.k8s.io/v1/runtimeclasses", made);
  return plane;
}

const OVERHEAD = { overhead: { podFixed: { cpu: "250m" } } };

test("a pod takes over what its class costs, and may have said the same", async () => {
  await using plane = await withClass(OVERHEAD);
  const made = (await plane.ask("POST", PODS, pod("a", { runtimeClassName: "r" }))) as Pod;
  expect(made.spec?.overhead).toEqual({ cpu: "250m" });
  const same = pod("b", { runtimeClassName: "r", overhead: { cpu: "0.25" } });
  expect((await plane.ask("POST", PODS, same)).code).toBeUndefined();
  const other = pod("c", { runtimeClassName: "r", overhead: { cpu: "1" } });
  expect(await plane.ask("POST", PODS, other)).toMatchObject({
    code: 403,
    message:
      "pods \"c\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  });
});

test("a pod goes where its class can run", async () => {
  await using plane = await withClass({
    scheduling: { nodeSelector: { kind: "a" }, tolerations: [{ key: "k", operator: "Exists" }] },
  });
  const given = pod("a", { runtimeClassName: "r", nodeSelector: { disk: "ssd" } });
  const { spec } = (await plane.ask("POST", PODS, given)) as Pod;
  expect(spec?.nodeSelector).toEqual({ disk: "ssd", kind: "a" });
  expect(spec?.tolerations).toContainEqual({ key: "k", operator: "Exists" });
  const elsewhere = pod("b", { runtimeClassName: "r", nodeSelector: { kind: "b" } });
  expect(await plane.ask("POST", PODS, elsewhere)).toMatchObject({
    message:
      'pods "b" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[kind] = a; pod.spec.nodeSelector[kind] = b',
  });
});

test("a class that is not there, and an overhead of no class, are refused", async () => {
  await using plane = await openPlane();
  expect(await plane.ask("POST", PODS, pod("a", { runtimeClassName: "x" }))).toMatchObject({
    message: 'pods "a" is forbidden: pod rejected: RuntimeClass "x" not found',
  });
  expect(await plane.ask("POST", PODS, pod("a", { overhead: { cpu: "1" } }))).toMatchObject({
    message:
      'pods "a" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  });
});
