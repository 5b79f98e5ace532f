import { expect, test } from "vitest";
import { EtcdPeer } from "./etcd-peer.ts";

test.skipIf(EtcdPeer.missingAssets().length > 0)(
  "a real etcd takes every load, and keeps what it acknowledged over a restart",
  { timeout: 120_000 },
  async () => {
    await using etcd = await EtcdPeer.start({ durable: true });
    const writes = await etcd.cas({ keys: 500, inFlight: 16, writes: 400, preload: true });
    expect(writes).toMatchObject({ writes: 400, conflicts: 0, errors: 0, oracle: "ok" });
    expect(writes.p99us).toBeGreaterThanOrEqual(writes.p50us);
    expect(writes.serverCpuSeconds).toBeGreaterThan(0);
    const watched = await etcd.watch({ keys: 500, watchers: 5, connections: 2, events: 100 });
    expect(watched).toMatchObject({ deliveries: 500, oracle: "ok" });
    expect(await etcd.restart()).toBeGreaterThan(0);
    await etcd.verify({ keys: 500 });
    await expect(etcd.verify({ keys: 501 })).rejects.toThrow(/0500 is missing/);
  },
);

test.skipIf(EtcdPeer.missingAssets().length > 0)(
  "two writers on the same keys are found out",
  { timeout: 120_000 },
  async () => {
    await using etcd = await EtcdPeer.start({ durable: false });
    await etcd.preload({ keys: 10 });
    const load = { keys: 10, inFlight: 10, writes: 3000 };
    const both = await Promise.allSettled([etcd.cas(load), etcd.cas(load)]);
    const reasons = both.flatMap((each) =>
      each.status === "rejected" ? [String(each.reason)] : [],
    );
    expect(reasons.join("\n")).toMatch(/refused at its own revision|acknowledged was/);
  },
);
