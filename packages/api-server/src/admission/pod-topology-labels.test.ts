import { expect, test } from "vitest";
import { type AskedPlane, openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

const PLACE = { "topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r" };

async function withNode(): Promise<AskedPlane> {
  const plane = await openPlane();
  const labels = { ...PLACE, "topology.kubernetes.io/rack": "k", a: "b" };
  await plane.ask("POST", "/api/v1/nodes", { metadata: { name: "n", labels } });
  return plane;
}

test("a pod that is made on a node says where that is, whatever it said before", async () => {
  await using plane = await withNode();
  const given = { labels: { "topology.kubernetes.io/zone": "mine", c: "d" } };
  const { metadata } = await plane.ask("POST", PODS, pod("a", { nodeName: "n" }, given));
  expect(metadata?.labels).toEqual({ ...PLACE, c: "d" });
});

test("so does a pod that is bound to it", async () => {
  await using plane = await withNode();
  await plane.ask("POST", PODS, pod("a"));
  await plane.ask("POST", `${PODS}/a/binding`, {
    metadata: { name: "a" },
    target: { kind: "Node", name: "n" },
  });
  expect((await plane.ask("GET", `${PODS}/a`)).metadata?.labels).toEqual(PLACE);
});

test("a node that is not there labels nothing", async () => {
  await using plane = await openPlane();
  const { metadata } = await plane.ask("POST", PODS, pod("a", { nodeName: "x" }));
  expect(metadata?.labels).toBeUndefined();
});
