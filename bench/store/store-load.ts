// One load on one of our stores, in a process of its own: `node store-load.ts '<JSON of a StoreLoad>'`
// prints one JSON line. The load and the store share the process, so its CPU time holds both.
import { strict as assert } from "node:assert";
import { openMemoryStore, openSqliteStore, type Store } from "@homeostat/store";
import { LoopDelay, type LoopDelayResult } from "../harness/loop-delay.ts";
import { processUsage } from "../harness/process-usage.ts";

export type StoreLoad = {
  readonly backend: "sqlite" | "memory";
  /** The data directory of the SQLite backend. */
  readonly directory?: string;
  readonly keys: number;
  readonly valueSize: number;
} & (
  | { readonly type: "cas"; readonly inFlight: number; readonly seconds: number }
  | {
      readonly type: "watch";
      readonly watchers: number;
      readonly events: number;
      readonly inFlight: number;
    }
  | { readonly type: "memory" }
  | { readonly type: "preload" }
  | { readonly type: "reopen" }
);

export interface CasOutcome extends LoopDelayResult {
  readonly perSecond: number;
  readonly p50us: number;
  readonly p99us: number;
  readonly cpuUsPerWrite: number;
  readonly commitMode: string;
}

export interface WatchOutcome {
  readonly deliveries: number;
  readonly perSecond: number;
  readonly cpuUsPerDelivery: number;
}

export interface MemoryOutcome {
  readonly bytesPerKey: number;
}

export interface ReopenOutcome {
  readonly openMilliseconds: number;
  readonly keys: number;
}

const prefix = "/registry/configmaps/";

function open(load: StoreLoad): Store {
  if (load.backend === "memory") return openMemoryStore();
  return openSqliteStore({ directory: load.directory! });
}

function keyNames(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `${prefix}namespace-${index % 100}/object-${index}`,
  );
}

/** Creates every key; answers the revision of each. */
async function preload(
  store: Store,
  load: StoreLoad,
): Promise<{ keys: string[]; revisions: Float64Array }> {
  const keys = keyNames(load.keys);
  const revisions = new Float64Array(load.keys);
  const value = Buffer.alloc(load.valueSize, "x");
  for (let from = 0; from < keys.length; from += 1000) {
    const chunk = keys.slice(from, from + 1000);
    const results = await Promise.all(chunk.map((key) => store.create(key, value)));
    results.forEach((result, index) => {
      assert.equal(result.outcome, "created");
      revisions[from + index] = result.outcome === "created" ? result.revision : 0;
    });
  }
  return { keys, revisions };
}

async function cas(load: Extract<StoreLoad, { type: "cas" }>): Promise<CasOutcome> {
  let store = open(load);
  const { keys, revisions } = await preload(store, load);
  const written = new Uint32Array(load.keys);
  const latencies = new Float64Array(20_000_000);
  let count = 0;
  let mark = 0;
  // Each writer owns the keys that are its number modulo the writers, and goes through them in turn.
  const writer = async (number: number, until: number): Promise<void> => {
    const value = Buffer.alloc(load.valueSize, "x");
    let at = number;
    for (let start = performance.now(); start < until; ) {
      count += 1;
      mark += 1;
      value.writeUInt32LE(mark, 0);
      written[at] = mark;
      const result = await store.update(keys[at]!, value, { expectedRevision: revisions[at]! });
      if (result.outcome !== "updated") throw new Error(`${keys[at]} was ${result.outcome}`);
      revisions[at] = result.revision;
      at += load.inFlight;
      if (at >= load.keys) at = number;
      const end = performance.now();
      latencies[count - 1] = end - start;
      start = end;
    }
  };
  const writers = (seconds: number): Promise<unknown> => {
    const until = performance.now() + seconds * 1000;
    return Promise.all(Array.from({ length: load.inFlight }, (_, number) => writer(number, until)));
  };
  await writers(Math.min(1, load.seconds / 4));
  count = 0;
  const delay = new LoopDelay();
  const before = processUsage(process.pid).cpuSeconds;
  const start = performance.now();
  await writers(load.seconds);
  const seconds = (performance.now() - start) / 1000;
  const cpu = processUsage(process.pid).cpuSeconds - before;
  const loopDelay = delay.stop();
  const { commitMode } = store.statistics();
  const sorted = latencies.subarray(0, count).sort();
  const outcome = {
    perSecond: count / seconds,
    p50us: sorted[count >> 1]! * 1000,
    p99us: sorted[Math.floor(count * 0.99)]! * 1000,
    cpuUsPerWrite: (cpu / count) * 1e6,
    commitMode,
    ...loopDelay,
  };
  // The oracle: every acknowledged write is there, for SQLite after opening the directory again.
  if (load.backend === "sqlite") {
    await store.close();
    store = open(load);
  }
  for (const [index, key] of keys.entries()) {
    const found = store.get(key);
    assert.equal(found?.revision, revisions[index]);
    const bytes = Buffer.from(found!.value);
    if (written[index]! > 0) assert.equal(bytes.readUInt32LE(0), written[index]);
  }
  await store.close();
  return outcome;
}

async function watch(load: Extract<StoreLoad, { type: "watch" }>): Promise<WatchOutcome> {
  await using store = open(load);
  const { keys, revisions } = await preload(store, load);
  const first = store.revision;
  const last = first + load.events;
  const watchers = Array.from({ length: load.watchers }, () =>
    store.watch({ prefix, bufferSize: load.events }),
  );
  const seen = Promise.all(
    watchers.map(async (each) => {
      let revision = first;
      for await (const batch of each) {
        for (const event of batch.events) {
          if (event.revision !== revision + 1)
            throw new Error(`${event.revision} after ${revision}`);
          revision = event.revision;
        }
        if (revision === last) return;
      }
    }),
  );
  const before = processUsage(process.pid).cpuSeconds;
  const start = performance.now();
  const value = Buffer.alloc(load.valueSize, "x");
  let sent = 0;
  const writer = async (number: number): Promise<void> => {
    let at = number;
    while (sent < load.events) {
      sent += 1;
      value.writeUInt32LE(sent, 0);
      const result = await store.update(keys[at]!, value, { expectedRevision: revisions[at]! });
      if (result.outcome !== "updated") throw new Error(`${keys[at]} was ${result.outcome}`);
      revisions[at] = result.revision;
      at = at + load.inFlight < load.keys ? at + load.inFlight : number;
    }
  };
  await Promise.all(Array.from({ length: load.inFlight }, (_, number) => writer(number)));
  await seen;
  const seconds = (performance.now() - start) / 1000;
  const cpu = processUsage(process.pid).cpuSeconds - before;
  const deliveries = load.events * load.watchers;
  return {
    deliveries,
    perSecond: deliveries / seconds,
    cpuUsPerDelivery: (cpu / deliveries) * 1e6,
  };
}

async function memory(load: StoreLoad): Promise<MemoryOutcome> {
  const store = open({ ...load });
  const before = settledMemory();
  await preload(store, load);
  // Forgets the history, as the store does by itself after five minutes.
  await store.compact(store.revision);
  const bytesPerKey = (settledMemory() - before) / load.keys;
  await store.close();
  return { bytesPerKey };
}

function settledMemory(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  return processUsage(process.pid).residentBytes;
}

function reopen(load: StoreLoad): ReopenOutcome {
  const start = performance.now();
  const store = open(load);
  const openMilliseconds = performance.now() - start;
  return { openMilliseconds, keys: store.statistics().keys };
}

const load = JSON.parse(process.argv[2]!) as StoreLoad;
switch (load.type) {
  case "cas":
    console.log(JSON.stringify(await cas(load)));
    break;
  case "watch":
    console.log(JSON.stringify(await watch(load)));
    break;
  case "memory":
    console.log(JSON.stringify(await memory(load)));
    break;
  case "preload": {
    const store = open(load);
    await preload(store, load);
    await store.close();
    console.log("{}");
    break;
  }
  case "reopen":
    console.log(JSON.stringify(reopen(load)));
    // Like a server that was killed: what is measured is done.
    process.exit(0);
}
