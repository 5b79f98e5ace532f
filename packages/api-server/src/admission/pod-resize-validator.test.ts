import type { Node } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { type AskedPlane, openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

async function withNode(labels: object = {}): Promise<AskedPlane> {
  const plane = await openPlane();
  const node = (await plane.ask("POST", "/api/v1/nodes", {
    metadata: { name: "n", labels },
  })) as Node;
  const status = { allocatable: { cpu: "2", memory: "1Gi" } };
  await plane.ask("PUT", "/api/v1/nodes/n/status", { ...node, status });
  return plane;
}

const asking = (cpu: string, memory = "1Mi"): object => ({
  containers: [{ name: "c", image: "i", resources: { requests: { cpu, memory } } }],
});
const resized = (cpu: string, memory = "1Mi"): object => ({ spec: asking(cpu, memory) });

test("a pod grows as far as its node is large", async () => {
  await using plane = await withNode();
  await plane.ask("POST", PODS, pod("a", { ...asking("1"), nodeName: "n" }));
  expect(await plane.ask("PATCH", `${PODS}/a/resize`, resized("2500m", "2Gi"))).toMatchObject({
    code: 403,
    message:
      'pods "a" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 2500, allocatable: 2000; memory, requested: 2147483648, allocatable: 1073741824',
    details: { causes: [{ reason: "NodeCapacity" }] },
  });
  expect((await plane.ask("PATCH", `${PODS}/a/resize`, resized("2"))).code).toBeUndefined();
});

test("a node that is not there, or not of Linux, resizes nothing", async () => {
  await using plane = await withNode({ "kubernetes.io/os": "windows" });
  await plane.ask("POST", PODS, pod("a", { ...asking("1"), nodeName: "n" }));
  expect(await plane.ask("PATCH", `${PODS}/a/resize`, resized("2"))).toMatchObject({
    message:
      'pods "a" is forbidden: pod resize is only supported on linux nodes, node "n" is "windows"',
    details: { causes: [{ reason: "UnsupportedPlatform" }] },
  });
  await plane.ask("POST", PODS, pod("b", { ...asking("1"), nodeName: "x" }));
  expect(await plane.ask("PATCH", `${PODS}/b/resize`, resized("2"))).toMatchObject({
    message: 'pods "b" is forbidden: node "x" not found',
  });
});

test("what is on no node yet, and what does not change, is not looked at", async () => {
  await using plane = await openPlane();
  await plane.ask("POST", PODS, pod("a", asking("1")));
  expect((await plane.ask("PATCH", `${PODS}/a/resize`, resized("9"))).code).toBeUndefined();
  await plane.ask("POST", PODS, pod("b", { ...asking("1"), nodeName: "x" }));
  expect((await plane.ask("PATCH", `${PODS}/b/resize`, resized("1"))).code).toBeUndefined();
});
