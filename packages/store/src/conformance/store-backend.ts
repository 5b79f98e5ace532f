/**
 * What the suite needs of a backend, and the few words its tests are written in. Nothing here
 * sleeps: tests wait for answers, for events, or for a batch of progress.
 */
import { type Clock, type ManualClock, realClock } from "@homeostat/concurrency";
import { onTestFinished } from "vitest";
import type { CompactionPolicy } from "../compaction-policy.ts";
import type { KeyValue, Store, StoreEvent, Watch } from "../store.ts";

export interface StoreBackend {
  readonly name: string;
  /** A new, empty store. The backend removes what it leaves behind when the test is over. */
  open(options: BackendOptions): Store;
}

export interface BackendOptions {
  readonly clock: Clock;
  readonly compaction: CompactionPolicy;
}

/** History is kept whole: compaction is what the test asks for, and nothing else. */
export const keepAll: CompactionPolicy = { maxAge: 0 };

/** A new store that is closed when the test is over. */
export function openFor(backend: StoreBackend, options: Partial<BackendOptions> = {}): Store {
  const store = backend.open({ clock: realClock, compaction: keepAll, ...options });
  onTestFinished(() => store.close());
  return store;
}

export function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

/** `key@revision=value`, or "nothing". */
export function show(state: KeyValue | undefined): string {
  if (state === undefined) return "nothing";
  return `${state.key}@${state.revision}=${Buffer.from(state.value).toString()}`;
}

/** `added key@revision=value was key@revision=value`. */
export function showEvent(event: StoreEvent): string {
  const { type, key, revision, current, previous } = event;
  const state = current === undefined ? `${key}@${revision}` : show(current);
  return `${type} ${state} was ${show(previous)}`;
}

/** Everything the watch has to tell up to now, as text. The watch must be live or able to replay. */
export async function heard(watch: Watch): Promise<string[]> {
  return (await heardBatches(watch)).flat();
}

/** As {@link heard}, batch by batch. */
export async function heardBatches(watch: Watch): Promise<string[][]> {
  const batches: string[][] = [];
  watch.requestProgress();
  for (;;) {
    const { value, done } = await watch.next();
    if (done || value.events.length === 0) return batches;
    batches.push(value.events.map(showEvent));
  }
}

/** Lets `turns` turns of the real loop pass. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise<void>((resolve) => realClock.endOfTurn(resolve));
  }
}

/** Runs the manual clock, and real input and output beside it, until the promise settles. */
export async function drive<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  const state = { isSettled: false };
  const settled = (): void => void (state.isSettled = true);
  promise.then(settled, settled);
  while (!state.isSettled) {
    await clock.settle();
    await turns(1);
  }
  return promise;
}
