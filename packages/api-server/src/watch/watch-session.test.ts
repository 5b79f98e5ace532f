import { type Clock, ManualClock, seededRandom } from "@homeostat/concurrency";
import { FieldSelector, type JsonObject, LabelSelector } from "@homeostat/object-model";
import { type KeyValue, openMemoryStore, type Store } from "@homeostat/store";
import { expect, test } from "vitest";
import { encodeFor } from "../registry/companion-commit.ts";
import { ResourceTable } from "../registry/resource-table.ts";
import { Selection } from "../registry/selection.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import { ChangeCache, WatchSession, type WatchSessionOptions } from "./watch-session.ts";

interface Bench {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly plane: WatchSessionOptions["plane"];
  readonly served: ServedResource;
  readonly sessions: Set<WatchSession>;
  put(name: string, labels?: Record<string, string>): Promise<number>;
  remove(name: string): Promise<number>;
  open(options?: Partial<WatchSessionOptions>): WatchSession;
  list(): readonly KeyValue[];
}

function openBench(): Bench {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock, compaction: { maxAge: 0 } });
  const table = new ResourceTable();
  const plane = { store, clock, random: seededRandom(1) };
  const served = table.find("", "v1", "configmaps")!;
  const { stored } = served;
  const sessions = new Set<WatchSession>();
  const key = (name: string): string => objectKeyIn(stored, "default", name);
  return {
    clock,
    store,
    plane,
    served,
    sessions,
    async put(name, labels = {}) {
      const metadata = {
        name,
        namespace: "default",
        uid: name,
        labels,
        annotations: { at: String(store.revision) },
      };
      const value = encodeFor(stored, { metadata });
      const known = store.get(key(name)) !== undefined;
      const write = known ? store.update(key(name), value) : store.create(key(name), value);
      await clock.runUntil(write);
      return store.revision;
    },
    async remove(name) {
      await clock.runUntil(store.delete(key(name)));
      return store.revision;
    },
    open: (options = {}) =>
      new WatchSession({
        plane,
        served,
        prefix: stored.prefix,
        selection: new Selection(stored, {
          labels: LabelSelector.everything,
          fields: FieldSelector.everything,
        }),
        initial: undefined,
        after: store.revision,
        markInitialEnd: false,
        bookmarks: false,
        timeoutSeconds: undefined,
        signal: undefined,
        changes: new ChangeCache(),
        sessions,
        ...options,
      }),
    list: () => store.list({ prefix: stored.prefix }).items,
  };
}

/** The lines told so far as `TYPE name@version`, and whether the session is over. */
async function read(
  bench: Bench,
  session: WatchSession,
): Promise<{ told: string[]; over: boolean }> {
  const told: string[] = [];
  for (;;) {
    let over = false;
    const lines = session.next().then((next) => {
      over = next === undefined;
      for (const { frame } of next ?? []) {
        const { name = "", resourceVersion = "" } = frame.object.metadata ?? {};
        told.push(`${frame.type} ${name}@${resourceVersion}`);
      }
    });
    const before = told.length;
    await bench.clock.settle();
    if (over) return { told, over };
    if (told.length === before) {
      // Still waiting: give the session an end so that its promise settles, then stop looking.
      void lines;
      return { told, over: false };
    }
  }
}

test("the state at the start is told as ADDED and then what happened after it, nothing twice", async () => {
  const bench = openBench();
  await bench.put("a");
  await bench.put("b");
  const session = bench.open({ initial: bench.list(), after: bench.store.revision });
  await bench.put("c");
  await bench.put("a");
  await bench.remove("b");
  const { told } = await read(bench, session);
  expect(told).toEqual(["ADDED a@1", "ADDED b@2", "ADDED c@3", "MODIFIED a@4", "DELETED b@5"]);
});

test("the end of the initial state is a bookmark at the version of the list, even when it is empty", async () => {
  const bench = openBench();
  const session = bench.open({ initial: [], after: 0, markInitialEnd: true, bookmarks: true });
  const lines = (await session.next())!;
  expect(lines.map(({ frame }) => frame)).toEqual([
    {
      type: "BOOKMARK",
      object: expect.objectContaining({
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: expect.objectContaining({
          resourceVersion: "0",
          annotations: { "k8s.io/initial-events-end": "true" },
        }) as JsonObject,
      }) as JsonObject,
    },
  ]);
});

test("bookmarks come every minute with the store's version, also when this kind did not change", async () => {
  const bench = openBench();
  const session = bench.open({ bookmarks: true });
  const first = session.next();
  await bench.clock.runUntil(bench.store.create("/elsewhere", new Uint8Array(1)));
  await bench.clock.advance(59_999);
  const told: string[] = [];
  void first.then((lines) => told.push(lines![0]!.frame.object.metadata!.resourceVersion!));
  await bench.clock.settle();
  expect(told).toEqual([]);
  await bench.clock.advance(1);
  expect(told).toEqual(["1"]);
  const second = session.next();
  await bench.clock.advance(60_000);
  expect((await second)![0]!.frame.type).toBe("BOOKMARK");
});

test("a bookmark comes shortly before a watch ends", async () => {
  const bench = openBench();
  const session = bench.open({ bookmarks: true, timeoutSeconds: 10 });
  const line = session.next();
  await bench.clock.advance(8_000);
  expect((await line)![0]!.frame.type).toBe("BOOKMARK");
  const end = session.next();
  await bench.clock.advance(2_000);
  expect(await end).toBeUndefined();
});

test("a bookmark comes before the end also when the process stood still until both were due", async () => {
  const bench = openBench();
  const due: (() => void)[] = [];
  const clock: Clock = {
    now: () => bench.clock.now(),
    monotonic: () => bench.clock.monotonic(),
    endOfTurn: (task) => bench.clock.endOfTurn(task),
    setTimer: (delay, fire) => {
      due.push(fire);
      return bench.clock.setTimer(delay, () => undefined);
    },
  };
  const plane = { ...bench.plane, clock };
  const session = bench.open({ plane, bookmarks: true, timeoutSeconds: 10 });
  const line = session.next();
  const [end, bookmark] = due;
  bookmark!();
  end!();
  await bench.clock.settle();
  expect((await line)![0]!.frame.type).toBe("BOOKMARK");
  expect(await session.next()).toBeUndefined();
});

test("without bookmarks nothing is told while nothing happens", async () => {
  const bench = openBench();
  const session = bench.open();
  let told = false;
  void session.next().then(() => {
    told = true;
  });
  await bench.clock.advance(29 * 60_000);
  expect(told).toBe(false);
});

test("a watch without a limit ends by itself after half an hour to an hour", async () => {
  const bench = openBench();
  const end = bench.open().next();
  await bench.clock.advance(60 * 60_000);
  expect(await end).toBeUndefined();
  expect(bench.store.statistics().watchers).toBe(0);
});

test("the least time of a watch can be another, or none", async () => {
  const bench = openBench();
  const short = bench.open({ minSeconds: 7 }).next();
  const endless = bench.open({ minSeconds: 0 });
  await bench.clock.advance(14_000);
  expect(await short).toBeUndefined();
  await bench.clock.advance(100 * 60 * 60_000);
  expect(bench.store.statistics().watchers).toBe(1);
  endless.end();
});

test.for([
  ["a time limit", { timeoutSeconds: 1 }],
  ["less than no time", { timeoutSeconds: -1 }],
  ["the client", {}],
] as const)(
  "ended by %s, a session leaves no watcher, timer or entry behind",
  async ([, options]) => {
    const bench = openBench();
    const session = bench.open({ ...options, bookmarks: true });
    const end = session.next();
    await bench.clock.advance(1_000);
    session.end();
    session.end();
    expect(await end).toBeUndefined();
    expect(await session.next()).toBeUndefined();
    expect(bench.store.statistics().watchers).toBe(0);
    expect(bench.clock.pending).toBe(0);
    expect(bench.sessions.size).toBe(0);
  },
);

test("an abort ends a session that nobody reads", async () => {
  const bench = openBench();
  const controller = new AbortController();
  bench.open({ signal: controller.signal, bookmarks: true });
  expect(bench.sessions.size).toBe(1);
  controller.abort();
  expect(bench.sessions.size).toBe(0);
  expect(bench.store.statistics().watchers).toBe(0);
  expect(bench.clock.pending).toBe(0);
});

test("a signal that has aborted already ends the session at once", async () => {
  const bench = openBench();
  const session = bench.open({ signal: AbortSignal.abort() });
  expect(await session.next()).toBeUndefined();
  expect(bench.sessions.size).toBe(0);
  expect(bench.clock.pending).toBe(0);
});

test("lost history is told as one ERROR line of reason Expired, which is the last", async () => {
  const bench = openBench();
  for (const name of ["a", "b", "c"]) await bench.put(name);
  await bench.clock.runUntil(bench.store.compact(3));
  const session = bench.open({ after: 1 });
  const lines = (await session.next())!;
  expect(lines).toHaveLength(1);
  expect(lines[0]!.frame).toMatchObject({
    type: "ERROR",
    object: {
      kind: "Status",
      code: 410,
      reason: "Expired",
      message: "too old resource version: 1 (3)",
    },
  });
  expect(await session.next()).toBeUndefined();
  expect(bench.sessions.size).toBe(0);
});

test("a consumer that falls too far behind is cut without an error and without a gap before the cut", async () => {
  const bench = openBench();
  const session = bench.open();
  for (let index = 0; index < 1_100; index++) await bench.put(`n${index}`);
  const { told, over } = await read(bench, session);
  expect(over).toBe(true);
  expect(told).toEqual(told.map((_, index) => `ADDED n${index}@${index + 1}`));
  expect(bench.store.statistics().watchers).toBe(0);
});

test("the store's end ends a session without an error", async () => {
  const bench = openBench();
  const end = bench.open().next();
  await bench.clock.runUntil(bench.store.close());
  expect(await end).toBeUndefined();
  expect(bench.sessions.size).toBe(0);
});

test("a watch from a version to come tells only what is newer than it", async () => {
  const bench = openBench();
  const session = bench.open({ after: 2 });
  await bench.put("a");
  await bench.put("b");
  await bench.put("c");
  expect((await read(bench, session)).told).toEqual(["ADDED c@3"]);
});

test("a long initial state is told in parts, all of it before the first change", async () => {
  const bench = openBench();
  for (let index = 0; index < 1_201; index++) await bench.put(`n${index}`);
  const session = bench.open({ initial: bench.list() });
  await bench.put("n0");
  expect((await session.next())!.length).toBeLessThan(1_201);
  const { told } = await read(bench, session);
  expect(told.at(-1)).toBe("MODIFIED n0@1202");
  expect(told.filter((each) => each.startsWith("ADDED"))).toHaveLength(1_201 - 500);
});

test("watchers of one change share its line", async () => {
  const bench = openBench();
  const changes = new ChangeCache();
  const sessions = [bench.open({ changes }), bench.open({ changes })];
  await bench.put("a");
  const [one, two] = await Promise.all(sessions.map((session) => session.next()));
  expect(one![0]).toBe(two![0]);
  expect(one![0]!.bytes).toBe(two![0]!.bytes);
  expect(Object.isFrozen(one![0]!.frame.object.metadata)).toBe(true);
});
