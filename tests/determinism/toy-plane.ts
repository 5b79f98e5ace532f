import { createHash } from "node:crypto";
import { ManualClock, type SeededRandom, seededRandom, sleep } from "@homeostat/concurrency";
import { openMemoryStore, type Store, type StoreEvent } from "@homeostat/store";
import { type Reconciler, ToyController, type ToyWorld } from "./toy-controller.ts";
import { replicas, starter, status, textOf } from "./toy-reconcilers.ts";

export interface Timeline {
  /** Of every line: each event of the store and each act of a controller, with its time. */
  readonly hash: string;
  readonly lines: number;
  /** Everything is as the user wants it, and stayed so. */
  readonly isConverged: boolean;
  readonly stateAtEnd: readonly string[];
}

const apps = ["shop", "blog", "__proto__"];

/**
 * A whole plane in miniature: the memory store, three controllers and a user, on a manual clock and
 * one seed. Runs until it has converged, and 8 seconds more.
 */
export async function runToyPlane(
  seed: number,
  reconcilers: readonly Reconciler[] = [replicas, starter, status],
): Promise<Timeline> {
  const clock = new ManualClock();
  const random = seededRandom(seed);
  const store = openMemoryStore({ clock, compaction: { maxAge: "2s", maxEvents: 40 } });
  const hash = createHash("sha256");
  let lines = 0;
  const log = (line: string): void => {
    lines += 1;
    hash.update(`${clock.monotonic()} ${line}\n`);
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const world: ToyWorld = { store, clock, random, signal, log };
  const controllers = reconcilers.map((each) => new ToyController(each, world));
  const user = new ToyUser(world, random.fork("user"));
  let failure: Error | undefined;
  const running = Promise.all([
    record(store, world),
    user.run(),
    ...controllers.map((controller) => controller.run()),
  ]).catch((error: unknown) => {
    failure = error as Error;
  });
  const isSettled = (): boolean =>
    user.isDone && controllers.every(({ isIdle }) => isIdle) && isAsWanted(store);
  await clock.runUntil(() => failure !== undefined || isSettled(), { maxTime: "10m" });
  if (failure === undefined) await clock.advance("8s");
  const stateAtEnd = store.list({ prefix: "" }).items.map((each) => `${each.key}=${textOf(each)}`);
  const isConverged = isSettled();
  stopping.abort();
  await clock.runUntil(running);
  await clock.runUntil(store.close());
  if (failure !== undefined) throw failure;
  return { hash: hash.digest("hex"), lines, isConverged, stateAtEnd };
}

/** Writes every event of the store into the timeline. */
async function record(store: Store, { signal, log }: ToyWorld): Promise<void> {
  const describe = ({ type, key, revision, current }: StoreEvent): string =>
    `${type} ${key}@${revision} ${current === undefined ? "" : textOf(current)}`;
  for await (const batch of store.watch({ prefix: "", after: 0, bufferSize: 10_000, signal })) {
    log(batch.events.map(describe).join(", "));
  }
}

/** Makes, scales and removes applications at random moments. */
class ToyUser {
  readonly #world: ToyWorld;
  readonly #random: SeededRandom;
  isDone = false;

  constructor(world: ToyWorld, random: SeededRandom) {
    this.#world = world;
    this.#random = random;
  }

  async run(): Promise<void> {
    const { store, clock } = this.#world;
    for (let change = 3 + this.#random.below(3); change > 0; change -= 1) {
      await sleep(clock, this.#random.below(120));
      const key = `app/${apps[this.#random.below(apps.length)]}`;
      const wanted = Buffer.from(String(this.#random.below(4)));
      if (store.get(key) === undefined) await store.create(key, wanted);
      else if (this.#random.below(3) === 0) await store.delete(key);
      else await store.update(key, wanted);
    }
    this.isDone = true;
  }
}

/** What the user wants is what there is. */
function isAsWanted(store: Store): boolean {
  return apps.every((app) => {
    const wanted = store.get(`app/${app}`);
    const pods = store.list({ prefix: `pod/${app}/` }).items;
    const told = store.get(`status/${app}`);
    if (wanted === undefined) return pods.length === 0 && told === undefined;
    const isRunning = pods.every((pod) => textOf(pod) === "running");
    const isTold = told !== undefined && textOf(told) === textOf(wanted);
    return isRunning && isTold && pods.length === Number(textOf(wanted));
  });
}
