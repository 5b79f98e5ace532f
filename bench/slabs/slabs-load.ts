// One side of the slab experiment: `node slabs-load.ts slabs|buffers SECONDS` prints one JSON line.
// "slabs" is the memory store as it is; "buffers" is a plain map with one Buffer per value, without
// revisions or history: what the store would be at its simplest.
import { openMemoryStore } from "@homeostat/store";
import { LoopDelay } from "../harness/loop-delay.ts";
import { processUsage } from "../harness/process-usage.ts";

export interface SlabsOutcome {
  readonly valueMiB: number;
  readonly loadedMiB: number;
  readonly settledMiB: number;
  readonly peakMiB: number;
  readonly updates: number;
  readonly cpuUsPerUpdate: number;
  readonly loopDelayP99: number;
  readonly loopDelayMax: number;
  readonly scanMilliseconds: number;
}

interface Values {
  put(key: string, value: Buffer): Promise<unknown>;
  get(key: string): Uint8Array;
}

const count = 200_000;
const updatesPerSecond = 5_000;
const mebibyte = 1024 * 1024;

function slabs(): Values {
  const store = openMemoryStore({ compaction: { maxBytes: 16 * mebibyte, maxEvents: 100_000 } });
  return {
    put: (key, value) =>
      store.get(key) === undefined ? store.create(key, value) : store.update(key, value),
    get: (key) => store.get(key)!.value,
  };
}

function buffers(): Values {
  const values = new Map<string, Buffer>();
  return {
    put: (key, value) =>
      Promise.resolve(values.set(key, Buffer.from(new Uint8Array(value).buffer))),
    get: (key) => values.get(key)!,
  };
}

const values = process.argv[2] === "slabs" ? slabs() : buffers();
const seconds = Number(process.argv[3]);
const samples = [Buffer.alloc(1_500, 1), Buffer.alloc(4_500, 2)];
const keys = Array.from(
  { length: count },
  (_, index) => `/registry/pods/namespace-${index % 100}/pod-${index}`,
);
let state = 2026;
/** xorshift32: the load must not be the cost. */
function random(bound: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % bound;
}

const empty = resident();
for (let from = 0; from < count; from += 1000) {
  await Promise.all(
    keys.slice(from, from + 1000).map((key, index) => values.put(key, sampleOf(from + index))),
  );
}
const loaded = resident();
const delay = new LoopDelay();
const before = processUsage(process.pid).cpuSeconds;
const start = performance.now();
let updates = 0;
for (let now = start; now < start + seconds * 1000; now = performance.now()) {
  const due = Math.min(((now - start) / 1000) * updatesPerSecond, updates + 1000);
  const writes: Promise<unknown>[] = [];
  for (; updates < due; updates += 1) {
    const index = random(count);
    const sample = sampleOf(index);
    sample.writeUInt32LE(updates, 0);
    writes.push(values.put(keys[index]!, sample));
  }
  await Promise.all(writes);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
const cpu = processUsage(process.pid).cpuSeconds - before;
const loopDelay = delay.stop();
const settled = resident();
const scanStart = performance.now();
let sum = 0;
for (const key of keys) {
  const value = values.get(key);
  sum += value[0]! + value[value.length - 1]!;
}
const scanMilliseconds = performance.now() - scanStart;
if (sum === 0) throw new Error("the values are gone");

console.log(
  JSON.stringify({
    valueMiB: (samples.reduce((total, sample) => total + sample.length, 0) * count) / 2 / mebibyte,
    loadedMiB: (loaded - empty) / mebibyte,
    settledMiB: (settled - empty) / mebibyte,
    peakMiB: (processUsage(process.pid).peakBytes - empty) / mebibyte,
    updates,
    cpuUsPerUpdate: (cpu / updates) * 1e6,
    loopDelayP99: loopDelay.p99Milliseconds,
    loopDelayMax: loopDelay.maxMilliseconds,
    scanMilliseconds,
  } satisfies SlabsOutcome),
);
process.exit(0);

function sampleOf(index: number): Buffer {
  return samples[index % 2]!;
}

function resident(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  return processUsage(process.pid).residentBytes;
}
