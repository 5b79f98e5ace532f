import type { Operation, Store } from "../store.ts";
import { RevisionCompactedError, WatchOverflowError } from "../store-error.ts";
import type { OperationPlan, Script, Step, WatchPlan } from "./random-script.ts";
import { type RecordedRun, Recorder } from "./recorded-run.ts";

export interface ScriptOptions {
  readonly store: Store;
  readonly script: Script;
  /** Wall time, for times to live. */
  readonly now: () => number;
  /** Lets other clients run; 0 is no pause at all. */
  readonly pause: (length: number) => Promise<void>;
}

/** Runs a script to its end: all writes answered, every watcher told everything. */
export async function runScript(options: ScriptOptions): Promise<RecordedRun> {
  const runner = new ScriptRunner(options);
  return runner.run();
}

/** More than any script can make. */
const maxBatches = 10_000;

const witnessPlan: WatchPlan = {
  prefix: "",
  back: undefined,
  bufferSize: 1_000_000,
  pace: 0,
  asksProgress: false,
};

class ScriptRunner {
  readonly #options: ScriptOptions;
  readonly #recorder: Recorder;
  readonly #consumers: Promise<void>[] = [];
  readonly #requests = new Set<() => void>();
  /** running, then the watchers finish, then the witness, who hears everything. */
  #phase: "running" | "finishing" | "over" = "running";

  constructor(options: ScriptOptions) {
    this.#options = options;
    this.#recorder = new Recorder(options.store, { now: options.now });
  }

  async run(): Promise<RecordedRun> {
    const { script } = this.#options;
    const witness = this.#consume(witnessPlan, 0);
    await Promise.all(script.clients.map((steps) => this.#runClient(steps)));
    this.#enter("finishing");
    while (this.#consumers.length > 0) await this.#consumers.shift();
    this.#enter("over");
    await witness;
    return this.#recorder.run;
  }

  #enter(phase: "finishing" | "over"): void {
    this.#phase = phase;
    for (const request of this.#requests) request();
  }

  #isLast(plan: WatchPlan): boolean {
    return this.#phase === "over" || (this.#phase === "finishing" && plan !== witnessPlan);
  }

  async #runClient(steps: readonly Step[]): Promise<void> {
    const seen = new Map<string, number>();
    const unanswered: Promise<unknown>[] = [];
    for (const step of steps) {
      if (step.pause > 0) await this.#options.pause(step.pause);
      switch (step.type) {
        case "write":
        case "transaction": {
          const plans = step.type === "write" ? [step.plan] : step.plans;
          const operations = plans.map((plan) => this.#concrete(plan, seen));
          const alone = step.type === "write";
          const writing = this.#recorder.write(operations, { alone }).then((answer) => {
            if (answer.type !== "results") return;
            for (const { state } of answer.results) {
              if (state !== undefined) seen.set(state.key, state.revision);
            }
          });
          if (step.waits) await writing;
          else unanswered.push(writing);
          break;
        }
        case "get": {
          const state = this.#recorder.get(step.key, this.#revisionOf(step.back));
          if (state !== undefined) seen.set(state.key, state.revision);
          break;
        }
        case "list": {
          const { prefix, after, limit } = step;
          this.#recorder.list({ prefix, after, limit, revision: this.#revisionOf(step.back) });
          break;
        }
        case "compact":
          unanswered.push(this.#recorder.compact(this.#revisionOf(step.back) ?? 0));
          break;
        case "watch":
          this.#startWatch(step.plan);
          break;
      }
    }
    await Promise.all(unanswered);
  }

  /** So many revisions back from the present; negative is ahead. */
  #revisionOf(back: number | undefined): number | undefined {
    return back === undefined ? undefined : Math.max(0, this.#options.store.revision - back);
  }

  #concrete(plan: OperationPlan, seen: ReadonlyMap<string, number>): Operation {
    const { key } = plan;
    const expectedRevision = this.#expected(plan, seen);
    const fitting = this.#options.store.get(key) === undefined ? "create" : "update";
    const type = plan.type === "put" ? fitting : plan.type;
    if (type === "check") return { type, key, expectedRevision: expectedRevision ?? 0 };
    if (type === "delete") return { type, key, expectedRevision };
    const value = Buffer.from(plan.text);
    const timeToLive = plan.lives;
    if (type === "create") return { type, key, value, timeToLive };
    return { type, key, value, timeToLive, expectedRevision };
  }

  #expected({ key, expect }: OperationPlan, seen: ReadonlyMap<string, number>): number | undefined {
    if (expect === "any") return undefined;
    const present = expect === "seen" ? seen.get(key) : this.#recorder.get(key)?.revision;
    return expect === "wrong" ? Math.max(0, (present ?? 2) - 1) : present;
  }

  #startWatch(plan: WatchPlan): void {
    const after = this.#revisionOf(plan.back);
    this.#consumers.push(this.#consume(plan, after));
  }

  /** Follows a prefix to the end of the run, over as many watches as that takes. */
  async #consume(plan: WatchPlan, from: number | undefined): Promise<void> {
    let after = from;
    for (;;) {
      const error = await this.#consumeOne(plan, after);
      if (error === undefined) return;
      if (error instanceof WatchOverflowError) after = error.lastRevision;
      else if (error instanceof RevisionCompactedError) {
        after = this.#recorder.list({ prefix: plan.prefix });
      } else return;
    }
  }

  /** One watch, until it has told everything or ends with an error, which is returned. */
  async #consumeOne(plan: WatchPlan, after: number | undefined): Promise<unknown> {
    const { store, pause } = this.#options;
    const { prefix, bufferSize } = plan;
    const record = this.#recorder.watch({ prefix, bufferSize, after });
    await using watch = store.watch({ prefix, bufferSize, after });
    const request = (): void => watch.requestProgress();
    this.#requests.add(request);
    if (this.#isLast(plan) || plan.asksProgress) request();
    try {
      for await (const batch of watch) {
        this.#recorder.hear(record, batch);
        if (this.#isLast(plan)) {
          if (batch.revision >= store.revision) break;
          if (record.batches.length > maxBatches) throw new Error("the watch tells no end");
          request();
        } else if (plan.pace > 0) await pause(plan.pace);
      }
      this.#recorder.end(record, undefined);
      return undefined;
    } catch (error) {
      this.#recorder.end(record, error);
      return error;
    } finally {
      this.#requests.delete(request);
    }
  }
}
