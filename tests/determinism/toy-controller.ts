import { Backoff, type Clock, Deferred, type SeededRandom, sleep } from "@homeostat/concurrency";
import { RevisionCompactedError, type Store, WatchOverflowError } from "@homeostat/store";

/** What a toy controller may touch: this and nothing else. */
export interface ToyWorld {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly signal: AbortSignal;
  /** Adds a line to the timeline. */
  readonly log: (line: string) => void;
}

export interface Reconciler {
  readonly name: string;
  /** Brings one application closer to what is wanted; "again" when something was in the way. */
  reconcile(app: string, world: ToyWorld): Promise<"done" | "again">;
}

/** A key's second part names the application it belongs to: `pod/shop/0`. */
function appOf(key: string): string {
  return key.split("/")[1]!;
}

/** Watches everything, remembers which applications were touched, reconciles them one by one. */
export class ToyController {
  readonly #reconciler: Reconciler;
  readonly #world: ToyWorld;
  readonly #dirty = new Set<string>();
  readonly #backoffs = new Map<string, Backoff>();
  #wake = new Deferred();
  #isBusy = false;

  constructor(reconciler: Reconciler, world: ToyWorld) {
    this.#reconciler = reconciler;
    this.#world = { ...world, random: world.random.fork(reconciler.name) };
  }

  /** Nothing is left to do, as far as this controller knows. */
  get isIdle(): boolean {
    return this.#dirty.size === 0 && !this.#isBusy;
  }

  /** Until the signal aborts. */
  async run(): Promise<void> {
    await Promise.all([this.#follow(), this.#work()]);
  }

  async #follow(): Promise<void> {
    const { store, clock, random, signal, log } = this.#world;
    while (!signal.aborted) {
      const { items, revision } = store.list({ prefix: "" });
      for (const { key } of items) this.#touch(appOf(key));
      try {
        const watch = store.watch({ prefix: "", after: revision, bufferSize: 6, signal });
        for await (const batch of watch) {
          for (const { key } of batch.events) this.#touch(appOf(key));
          await sleep(clock, random.below(30));
        }
      } catch (error) {
        const isCut =
          error instanceof WatchOverflowError || error instanceof RevisionCompactedError;
        if (!isCut) throw error;
        log(`${this.#reconciler.name} lists anew: ${error.code}`);
      }
    }
  }

  async #work(): Promise<void> {
    const { clock, random, signal, log } = this.#world;
    signal.addEventListener("abort", () => this.#wake.resolve(), { once: true });
    while (!signal.aborted) {
      const [app] = this.#dirty;
      if (app === undefined) {
        this.#wake = new Deferred();
        await this.#wake.promise;
        continue;
      }
      this.#dirty.delete(app);
      this.#isBusy = true;
      await sleep(clock, 1 + random.below(20));
      const outcome = await this.#reconciler.reconcile(app, this.#world);
      log(`${this.#reconciler.name} ${app} ${outcome}`);
      if (outcome === "again") this.#later(app);
      else this.#backoffs.delete(app);
      this.#isBusy = false;
    }
  }

  #touch(app: string): void {
    this.#dirty.add(app);
    this.#wake.resolve();
  }

  #later(app: string): void {
    const { clock, random } = this.#world;
    let backoff = this.#backoffs.get(app);
    if (backoff === undefined) {
      backoff = new Backoff({ initial: 5, max: 200, jitter: 0.5, random });
      this.#backoffs.set(app, backoff);
    }
    clock.setTimer(backoff.next(), () => this.#touch(app));
  }
}
