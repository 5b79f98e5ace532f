import { expect, test } from "vitest";
import type { Store } from "../store.ts";
import {
  bytes,
  heard,
  heardBatches,
  openFor,
  type StoreBackend,
  showEvent,
  turns,
} from "./store-backend.ts";

/** What a watcher hears: everything, once, in order, with the states before and after. */
export function watchSuite(backend: StoreBackend): void {
  test("a watch tells of added, modified and deleted keys, with the states before", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "" });
    await store.create("a", bytes("1"));
    await store.update("a", bytes("2"));
    await store.delete("a");
    await store.create("a", bytes("3"));
    expect(await heard(watch)).toEqual([
      "added a@1=1 was nothing",
      "modified a@2=2 was a@1=1",
      "deleted a@3 was a@2=2",
      "added a@4=3 was nothing",
    ]);
  });

  test("an observer hears of a change when the state has it and nobody else knows yet", async () => {
    const store = openFor(backend);
    const heardInCommit: string[] = [];
    const stop = store.observe("a/", (event) => {
      heardInCommit.push(`${showEvent(event)}, store at ${store.revision}`);
    });
    const written = Promise.all([
      store.create("a/1", bytes("1")),
      store.create("b/1", bytes("1")),
      store.create("a/2", bytes("2")),
    ]).then(() => heardInCommit.length);
    expect(heardInCommit).toEqual([]);
    expect(await written).toBe(2);
    await store.delete("a/1");
    stop();
    await store.delete("a/2");
    expect(heardInCommit).toEqual([
      "added a/1@1=1 was nothing, store at 3",
      "added a/2@3=2 was nothing, store at 3",
      "deleted a/1@4 was a/1@1=1, store at 4",
    ]);
  });

  test("events carry the whole states", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "" });
    await store.create("a", bytes("1"));
    await store.update("a", bytes("2"));
    await watch.next();
    const { value } = await watch.next();
    expect(value?.events[0]).toMatchObject({
      current: { key: "a", revision: 2, createRevision: 1, version: 2 },
      previous: { key: "a", revision: 1, createRevision: 1, version: 1 },
    });
    expect(value?.revision).toBe(2);
  });

  test("without a revision a watch starts now", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const watch = store.watch({ prefix: "" });
    expect(await heard(watch)).toEqual([]);
    await store.update("a", bytes("2"));
    expect(await heard(watch)).toEqual(["modified a@2=2 was a@1=1"]);
  });

  test("a write that was pending when the watch started is heard", async () => {
    const store = openFor(backend);
    const writing = store.create("a", bytes("1"));
    const watch = store.watch({ prefix: "" });
    await writing;
    expect(await heard(watch)).toEqual(["added a@1=1 was nothing"]);
  });

  test("a watch resumes after any kept revision", async () => {
    const store = openFor(backend);
    const all = await writeSome(store);
    for (let after = 0; after <= store.revision; after += 1) {
      expect(await heard(store.watch({ prefix: "", after }))).toEqual(all.slice(after));
    }
  });

  test("a list and a watch from its revision miss nothing and repeat nothing", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const pending = store.create("b", bytes("1"));
    const { revision, items } = store.list({ prefix: "" });
    await pending;
    await store.create("c", bytes("1"));
    const watch = store.watch({ prefix: "", after: revision });
    const keys = [...items.map(({ key }) => key), ...(await heard(watch))];
    expect(keys).toEqual(["a", "added b@2=1 was nothing", "added c@3=1 was nothing"]);
  });

  test("only keys that start with the prefix are heard, live and in replay", async () => {
    const store = openFor(backend);
    const prefixes = ["", "a", "a/", "a/b", "a/b/c", "b", "constructor"];
    const live = prefixes.map((prefix) => store.watch({ prefix }));
    const keys = ["a", "a/b", "a/b/c", "a/c", "ab", "b/a", "constructor", "cons"];
    for (const key of keys) await store.create(key, bytes("x"));
    const wanted = prefixes.map((prefix) => keys.filter((key) => key.startsWith(prefix)));
    const heardKeys = (watch: ReturnType<Store["watch"]>) =>
      heard(watch).then((events) => events.map((event) => /^added (.*)@/.exec(event)?.[1]));
    expect(await Promise.all(live.map(heardKeys))).toEqual(wanted);
    const replayed = prefixes.map((prefix) => heardKeys(store.watch({ prefix, after: 0 })));
    expect(await Promise.all(replayed)).toEqual(wanted);
  });

  test("replay and live join without gap or duplicate while writes go on", async () => {
    const store = openFor(backend);
    const write = async (from: number, count: number) => {
      const indexes = Array.from({ length: count }, (_, index) => from + index);
      await Promise.all(indexes.map((index) => store.create(`k${index}`, bytes("x"))));
    };
    await write(0, 3_000);
    const watch = store.watch({ prefix: "", after: 10 });
    const revisions: number[] = [];
    const complete: number[] = [];
    const reading = (async () => {
      for await (const batch of watch) {
        revisions.push(...batch.events.map(({ revision }) => revision));
        complete.push(batch.revision);
        await turns(1);
        if (batch.revision === 3_600) return;
      }
    })();
    for (let round = 0; round < 60; round += 1) {
      await write(3_000 + round * 10, 10);
    }
    await reading;
    expect(revisions).toEqual(Array.from({ length: 3_590 }, (_, index) => 11 + index));
    expect(complete).toEqual(complete.toSorted((a, b) => a - b));
  });

  test("every watcher hears the same, in the same order", async () => {
    const store = openFor(backend);
    const early = [store.watch({ prefix: "" }), store.watch({ prefix: "" })];
    const writers = Array.from({ length: 5 }, async (_, writer) => {
      for (let index = 0; index < 5; index += 1) {
        await store.create(`${writer}/${index}`, bytes("x"));
        await turns(writer);
      }
    });
    await turns(3);
    const late = [store.watch({ prefix: "", after: 0 }), store.watch({ prefix: "", after: 0 })];
    await Promise.all(writers);
    const [first, ...others] = await Promise.all([...early, ...late].map(heard));
    expect(first?.length).toBe(25);
    for (const other of others) expect(other).toEqual(first);
    for (let writer = 0; writer < 5; writer += 1) {
      const own = first?.filter((event) => event.startsWith(`added ${writer}/`));
      expect(own?.map((event) => event.slice(6, 9))).toEqual(
        [0, 1, 2, 3, 4].map((index) => `${writer}/${index}`),
      );
    }
  });

  test("a batch tells up to which revision it is complete", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "a" });
    await Promise.all([store.create("a1", bytes("x")), store.create("b1", bytes("x"))]);
    await store.create("b2", bytes("x"));
    await store.create("a2", bytes("x"));
    const first = await watch.next();
    const second = await watch.next();
    expect(first.value?.events.map(showEvent)).toEqual(["added a1@1=x was nothing"]);
    expect(first.value?.revision).toBe(2);
    expect(second.value?.revision).toBe(4);
    const resumed = store.watch({ prefix: "a", after: first.value?.revision });
    expect(await heard(resumed)).toEqual(["added a2@4=x was nothing"]);
  });

  test("progress tells the present revision to a watcher that nothing concerns", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "a" });
    watch.requestProgress();
    expect(await watch.next()).toEqual({ done: false, value: { events: [], revision: 0 } });
    await store.create("b", bytes("x"));
    const waiting = watch.next();
    watch.requestProgress();
    expect(await waiting).toEqual({ done: false, value: { events: [], revision: 1 } });
    const next = watch.next();
    await store.create("a", bytes("x"));
    expect((await next).value?.events.map(showEvent)).toEqual(["added a@2=x was nothing"]);
  });

  test("progress comes after what is buffered, and once", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "a" });
    await store.create("a1", bytes("x"));
    watch.requestProgress();
    watch.requestProgress();
    await store.create("a2", bytes("x"));
    await store.create("b", bytes("x"));
    expect(await heardBatches(watch)).toEqual([
      ["added a1@1=x was nothing"],
      ["added a2@2=x was nothing"],
    ]);
    const waiting = watch.next();
    await store.create("a3", bytes("x"));
    expect((await waiting).value?.events.map(showEvent)).toEqual(["added a3@4=x was nothing"]);
  });

  test("progress of a replaying watch comes after the replay", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.create("b", bytes("1"));
    const watch = store.watch({ prefix: "a", after: 0 });
    watch.requestProgress();
    expect((await watch.next()).value?.events.map(showEvent)).toEqual(["added a@1=1 was nothing"]);
    expect((await watch.next()).value).toEqual({ events: [], revision: 2 });
    const silent = store.watch({ prefix: "c", after: 0 });
    silent.requestProgress();
    expect((await silent.next()).value).toEqual({ events: [], revision: 2 });
  });

  test("state comes before events, and events before the writer's answer", async () => {
    const store = openFor(backend);
    const order: string[] = [];
    const watch = store.watch({ prefix: "" });
    const hearing = watch.next().then(() => {
      order.push(`event, the store holds ${store.get("a")?.revision}`);
    });
    await store.create("a", bytes("1")).then(() => order.push("answer"));
    await hearing;
    expect(order).toEqual(["event, the store holds 1", "answer"]);
  });
}

async function writeSome(store: Store): Promise<string[]> {
  const watch = store.watch({ prefix: "" });
  await store.create("a", bytes("1"));
  await store.create("b", bytes("1"));
  await store.update("a", bytes("2"));
  await store.delete("b");
  await store.create("b", bytes("2"));
  await store.update("b", bytes("3"));
  return heard(watch);
}
