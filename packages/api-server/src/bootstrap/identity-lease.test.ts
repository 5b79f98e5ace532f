import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { KubernetesList, KubernetesObject } from "@homeostat/object-model";
import type { Lease } from "@homeostat/object-model/coordination-v1";
import { openMemoryStore, type Store } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const HERE = { address: "192.0.2.6", port: 7443, hostname: "here", clientAuthority: "pem" };

interface Bench {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly server: ApiServer;
  readonly leases: () => Promise<readonly Lease[]>;
  readonly create: (object: object) => Promise<void>;
}

async function start(
  clock = new ManualClock(),
  store = openMemoryStore({ clock }),
): Promise<Bench> {
  const server = await clock.runUntil(
    createApiServer({ store, clock, random: seededRandom(1), authorization: "AlwaysAllow" }),
  );
  const request = { path: LEASES, user: MASTER, want: "object" } as const;
  return {
    clock,
    store,
    server,
    leases: async () => {
      const answer = await clock.runUntil(server.door.send({ ...request, method: "GET" }));
      const { object } = answer as { object: KubernetesObject };
      return (object as KubernetesList<Lease>).items;
    },
    create: async (value) => {
      const body = { kind: "value", value } as const;
      const sent = server.door.send({ ...request, method: "POST", body });
      expect((await clock.runUntil(sent)).status).toBe(201);
    },
  };
}

test("the lease of a server is renewed every ten seconds, as by a client", async () => {
  const { clock, server, leases } = await start();
  await clock.runUntil(server.advertise(HERE));
  const [made] = await leases();
  await clock.advance(9_999);
  expect((await leases())[0]).toEqual(made);
  await clock.advance(1);
  const [renewed] = await leases();
  const { name, uid, labels, annotations, creationTimestamp } = made!.metadata;
  expect(renewed!.metadata).toMatchObject({ name, uid, labels, annotations, creationTimestamp });
  expect(name).toBe("apiserver-jrg4fkr2g6r64rmfj2l5vceg2a");
  expect(labels).toEqual({
    "apiserver.kubernetes.io/identity": "kube-apiserver",
    "kubernetes.io/hostname": "here",
  });
  expect(made!.spec!.renewTime).toBe("2026-01-01T00:00:00.000000Z");
  expect(renewed!.spec).toEqual({
    holderIdentity: expect.stringMatching(`^${name}_[0-9a-f-]{36}$`),
    leaseDurationSeconds: 3600,
    renewTime: "2026-01-01T00:00:10.000000Z",
  });
  const [before] = made!.metadata.managedFields!;
  expect(renewed!.metadata.managedFields).toEqual([{ ...before, time: "2026-01-01T00:00:10Z" }]);
  await clock.runUntil(server.close());
});

test("a lease that somebody deletes comes back, and is gone when the server is", async () => {
  const { clock, store, server, leases } = await start();
  await clock.runUntil(server.advertise(HERE));
  const [{ metadata }] = (await leases()) as [Lease];
  const path = `${LEASES}/${metadata.name}`;
  await clock.runUntil(server.door.send({ method: "DELETE", path, user: MASTER, want: "object" }));
  expect(await leases()).toEqual([]);
  await clock.advance(10_000);
  expect(await leases()).toMatchObject([{ metadata: { name: metadata.name } }]);
  await clock.runUntil(server.close());
  expect(await (await start(clock, store)).leases()).toEqual([]);
});

test("a server on the same host begins a lease of its own", async () => {
  const crashed = await start();
  const { clock, store } = crashed;
  await clock.runUntil(crashed.server.advertise(HERE));
  const [left] = await crashed.leases();
  const next = await start(clock, store);
  await clock.runUntil(next.server.advertise({ ...HERE, port: 7444 }));
  const [made, ...others] = await next.leases();
  expect(others).toEqual([]);
  expect(made!.metadata.name).toBe(left!.metadata.name);
  expect(made!.metadata.uid).not.toBe(left!.metadata.uid);
  expect(made!.metadata.annotations).toEqual({
    "kubernetes.io/peer-advertise-address": "192.0.2.6:7444",
  });
});

test("leases that servers have left behind are deleted when they have run out; others are nobody's business", async () => {
  const { clock, server, leases, create } = await start();
  await clock.runUntil(server.advertise(HERE));
  const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
  const ended = { renewTime: "2025-12-31T22:59:59.000000Z", leaseDurationSeconds: 3600 };
  const good = { ...ended, renewTime: "2025-12-31T23:30:00.000000Z" };
  await create({ metadata: { name: "ended", labels }, spec: ended });
  await create({ metadata: { name: "never", labels }, spec: {} });
  await create({ metadata: { name: "good", labels }, spec: good });
  await create({ metadata: { name: "of-others" }, spec: ended });
  const names = async () => (await leases()).map(({ metadata }) => metadata.name).slice(1);
  await clock.advance(10_000);
  expect(await names()).toEqual(["good", "of-others"]);
  await clock.advance(3_600_000);
  expect(await names()).toEqual(["of-others"]);
  await clock.runUntil(server.close());
});
