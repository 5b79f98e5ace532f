import { ManualClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { bytes, drive, heard, openFor, type StoreBackend, show } from "./store-backend.ts";

/** Keys with a time to live, on a manual clock. */
export function expirySuite(backend: StoreBackend): void {
  test("a key is deleted when its time to live is over, with a revision and an event", async () => {
    const clock = new ManualClock({ startAt: 1_000_000 });
    const store = openFor(backend, { clock });
    const watch = store.watch({ prefix: "" });
    await drive(clock, store.create("a", bytes("1"), { timeToLive: 5_000 }));
    expect(store.get("a")?.expiresAt).toBe(1_005_000);
    await clock.advance(4_999);
    expect(show(store.get("a"))).toBe("a@1=1");
    expect(await drive(clock, heard(watch))).toEqual(["added a@1=1 was nothing"]);
    const next = watch.next();
    await clock.advance(1);
    expect((await drive(clock, next)).value?.revision).toBe(2);
    expect(store.get("a")).toBeUndefined();
    expect(store.get("a", { revision: 1 })).toMatchObject({ expiresAt: 1_005_000 });
    expect(await drive(clock, heard(store.watch({ prefix: "", after: 1 })))).toEqual([
      "deleted a@2 was a@1=1",
    ]);
  });

  test("keys expire in the order of their times, not of their writes", async () => {
    const clock = new ManualClock();
    const store = openFor(backend, { clock });
    const lives = { a: 300, b: 100, c: 200, d: 100 };
    for (const [key, timeToLive] of Object.entries(lives)) {
      await drive(clock, store.create(key, bytes("x"), { timeToLive }));
    }
    const watch = store.watch({ prefix: "" });
    const deleted: string[] = [];
    while (deleted.length < 4) {
      const next = watch.next();
      await clock.advance(100);
      const batch = await drive(clock, next);
      deleted.push(...(batch.value?.events ?? []).map(({ key }) => key).sort());
    }
    expect(deleted).toEqual(["b", "d", "c", "a"]);
  });

  test("each write sets the time to live anew, and none takes it away", async () => {
    const clock = new ManualClock({ startAt: 0 });
    const store = openFor(backend, { clock });
    await drive(clock, store.create("longer", bytes("1"), { timeToLive: 100 }));
    await drive(clock, store.create("kept", bytes("1"), { timeToLive: 100 }));
    await drive(clock, store.create("shorter", bytes("1"), { timeToLive: 1_000 }));
    await clock.advance(50);
    await drive(clock, store.update("longer", bytes("2"), { timeToLive: 100 }));
    await drive(clock, store.update("kept", bytes("2")));
    await drive(clock, store.update("shorter", bytes("2"), { timeToLive: 10 }));
    expect(store.get("longer")?.expiresAt).toBe(150);
    expect(store.get("kept")?.expiresAt).toBeUndefined();
    await expired(clock, () => clock.advance(60), { store, key: "shorter" });
    expect(show(store.get("longer"))).toBe("longer@4=2");
    await expired(clock, () => clock.advance(40), { store, key: "longer" });
    await clock.advance("1h");
    expect(show(store.get("kept"))).toBe("kept@5=2");
    expect(store.revision).toBe(8);
  });

  test("a new time to live is a change even where the bytes are equal", async () => {
    const clock = new ManualClock({ startAt: 0 });
    const store = openFor(backend, { clock });
    await drive(clock, store.create("a", bytes("1")));
    const given = await drive(clock, store.update("a", bytes("1"), { timeToLive: 100 }));
    expect(given).toMatchObject({ outcome: "updated", revision: 2 });
    const renewed = await drive(clock, store.update("a", bytes("1"), { timeToLive: 100 }));
    expect(renewed).toMatchObject({ outcome: "updated", revision: 3 });
    const taken = await drive(clock, store.update("a", bytes("1")));
    expect(taken).toMatchObject({ outcome: "updated", revision: 4 });
    expect(await drive(clock, store.update("a", bytes("1")))).toMatchObject({
      outcome: "unchanged",
      revision: 4,
    });
  });

  test("a key deleted and made again does not die of its former life", async () => {
    const clock = new ManualClock();
    const store = openFor(backend, { clock });
    await drive(clock, store.create("a", bytes("1"), { timeToLive: 100 }));
    await drive(clock, store.delete("a"));
    await drive(clock, store.create("a", bytes("2")));
    await clock.advance("1h");
    expect(show(store.get("a"))).toBe("a@3=2");
  });

  test("a transaction gives keys a time to live", async () => {
    const clock = new ManualClock({ startAt: 0 });
    const store = openFor(backend, { clock });
    await drive(
      clock,
      store.transaction([
        { type: "create", key: "a", value: bytes("1"), timeToLive: 10 },
        { type: "create", key: "b", value: bytes("1") },
      ]),
    );
    expect([store.get("a")?.expiresAt, store.get("b")?.expiresAt]).toEqual([10, undefined]);
    await expired(clock, () => clock.advance(10), { store, key: "a" });
    expect(show(store.get("b"))).toBe("b@1=1");
  });

  test("a wall clock that steps back lets keys live longer, one that steps on ends them soon", async () => {
    const clock = new ManualClock({ startAt: 1_000_000 });
    const store = openFor(backend, { clock });
    await drive(clock, store.create("a", bytes("1"), { timeToLive: 600_000 }));
    clock.step(-300_000);
    await clock.advance(600_000);
    expect(show(store.get("a"))).toBe("a@1=1");
    clock.step(300_000);
    await expired(clock, () => clock.advance(60_000), { store, key: "a" });
  });

  test("thousands of keys that expire together are all deleted", async () => {
    const clock = new ManualClock();
    const store = openFor(backend, { clock });
    const keys = Array.from({ length: 2_500 }, (_, index) => `k${index}`);
    await drive(
      clock,
      Promise.all(keys.map((key) => store.create(key, bytes("x"), { timeToLive: 1_000 }))),
    );
    const watch = store.watch({ prefix: "", bufferSize: 10_000 });
    await clock.advance(1_000);
    let deleted = 0;
    while (deleted < 2_500) {
      deleted += (await drive(clock, watch.next())).value?.events.length ?? 0;
    }
    expect([deleted, store.statistics().keys, store.revision]).toEqual([2_500, 0, 5_000]);
  });
}

/** Moves the clock as told and waits for the key's deletion to be committed. */
async function expired(
  clock: ManualClock,
  move: () => Promise<void>,
  { store, key }: { store: ReturnType<StoreBackend["open"]>; key: string },
): Promise<void> {
  const watch = store.watch({ prefix: key });
  const next = watch.next();
  await move();
  const { value } = await drive(clock, next);
  expect(value?.events.map(({ type }) => type)).toEqual(["deleted"]);
  expect(store.get(key)).toBeUndefined();
  watch.close();
}
