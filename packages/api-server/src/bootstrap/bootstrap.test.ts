import { ManualClock, seededRandom } from "@homeostat/concurrency";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { AdmissionChain } from "../admission/admission-chain.ts";
import type { Plane } from "../registry/plane.ts";
import { PlaneReader } from "../registry/plane-reader.ts";
import { ResourceTable } from "../registry/resource-table.ts";
import { httpsWebhookClient } from "../webhooks/https-webhook-client.ts";
import { bootstrap } from "./bootstrap.ts";

function openPlane(range = "10.0.0.0/24"): { plane: Plane; clock: ManualClock } {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const settings = {
    serviceClusterIpRange: range,
    serviceNodePortRange: [30_000, 32_767] as const,
  };
  return {
    plane: {
      store,
      clock,
      random: seededRandom(1),
      table: new ResourceTable(),
      settings,
      webhooks: httpsWebhookClient,
      admission: new AdmissionChain(),
    },
    clock,
  };
}

test("an empty store gets what a new cluster has, in one commit", async () => {
  const { plane, clock } = openPlane();
  await clock.runUntil(bootstrap(plane));
  expect(plane.store.revision).toBe(1);
  const reader = new PlaneReader(plane);
  const names = [...reader.list({ group: "", resource: "namespaces" })].map(
    ({ metadata }) => metadata!.name,
  );
  expect(names).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
  const service = reader.get({ group: "", resource: "services" }, "kubernetes", "default");
  expect(service).toMatchObject({ spec: { clusterIP: "10.0.0.1", ports: [{ port: 443 }] } });
});

test("what is there already stays as it is, and what is missing comes back", async () => {
  const { plane, clock } = openPlane();
  await clock.runUntil(bootstrap(plane));
  const uidOf = (name: string): string | undefined =>
    new PlaneReader(plane).get({ group: "", resource: "namespaces" }, name)?.metadata?.uid;
  const before = uidOf("default");
  await clock.runUntil(bootstrap(plane));
  expect(plane.store.revision).toBe(1);
  await clock.runUntil(plane.store.delete("/registry/namespaces/kube-public"));
  await clock.runUntil(bootstrap(plane));
  expect(uidOf("default")).toBe(before);
  expect(uidOf("kube-public")).toBeDefined();
});

test("two planes share no object: what one is given changes nothing for the other", async () => {
  const one = openPlane();
  const two = openPlane("10.9.0.0/16");
  await one.clock.runUntil(bootstrap(one.plane));
  await two.clock.runUntil(bootstrap(two.plane));
  const addresses = [one, two].map(({ plane }) =>
    [...new PlaneReader(plane).list({ group: "networking.k8s.io", resource: "ipaddresses" })].map(
      ({ metadata }) => metadata!.name,
    ),
  );
  expect(addresses).toEqual([["10.0.0.1"], ["10.9.0.1"]]);
});

test("the address range of services is ready since the plane was made", async () => {
  const { plane, clock } = openPlane();
  await clock.runUntil(bootstrap(plane));
  const range = new PlaneReader(plane).get(
    { group: "networking.k8s.io", resource: "servicecidrs" },
    "kubernetes",
  );
  const lastTransitionTime = range!.metadata!.creationTimestamp;
  expect(lastTransitionTime).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(range).toMatchObject({ status: { conditions: [{ type: "Ready", lastTransitionTime }] } });
});
