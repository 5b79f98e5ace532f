/**
 * The program that is tortured: opens a store, tells what it found, then writes and watches as hard
 * as it can until it is killed or told to close. Orders come in on standard input, reports go out on
 * descriptor 3.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type SeededRandom, seededRandom } from "@homeostat/concurrency";
import {
  openSqliteStore,
  RevisionCompactedError,
  type Store,
  StoreClosedError,
  StoreError,
  WatchOverflowError,
} from "@homeostat/store";
import { acknowledgeBeforeCommit } from "./early-acknowledgement.ts";
import { hashOf, observe, seenEvent } from "./observe.ts";
import type { IssuedOperation, Report, WatcherOrder, WriterOrder } from "./report.ts";
import { type Step, Workload } from "./workload.ts";

const reportDescriptor = 3;

function report(message: Report): void {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  let sent = 0;
  while (sent < line.length) {
    try {
      sent += writeSync(reportDescriptor, line, sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

class Writer {
  readonly #order: WriterOrder;
  readonly #store: Store;
  readonly #random: SeededRandom;
  #issued = 0;
  #isStopped = false;
  /** The writers' loops; they stop for an observation and start again. */
  #loops: Promise<void>[] = [];

  constructor(order: WriterOrder, store: Store) {
    this.#order = order;
    this.#store = order.plant === "ack-before-commit" ? acknowledgeBeforeCommit(store) : store;
    this.#random = seededRandom(`${order.seed} writer`);
  }

  watch(): void {
    for (const watcher of this.#order.watchers) void this.#watch(watcher);
  }

  start(): void {
    this.#isStopped = false;
    this.#loops = Array.from({ length: this.#order.writers }, (_, number) => this.#run(number));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
  }

  async #run(number: number): Promise<void> {
    const random = this.#random.fork(number).fork(this.#issued);
    const workload = new Workload({ store: this.#store, random, profile: this.#order.profile });
    while (!this.#isStopped) {
      this.#issued += 1;
      const id = `${this.#order.incarnation}.${this.#issued}`;
      try {
        await this.#take(id, workload.next(id));
        // Callers have other things to do: without a pause early answers would starve the commits.
        await nextTurn();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        report({ type: "failed", id, code: error.code, message: error.message });
        if (error instanceof StoreClosedError) return;
        await sleep(5);
      }
    }
  }

  async #take(id: string, step: Step): Promise<void> {
    if (step.kind === "compact") {
      await this.#store.compact(step.revision);
      report({ type: "compacted", revision: step.revision });
      return;
    }
    const operations = step.kind === "write" ? [step.operation] : step.operations;
    report({ type: "issued", id, operations: operations.map(issuedOf) });
    const result = await this.#send(step);
    const used =
      result.outcome === "refused" || result.outcome === "unchanged" ? 0 : result.revision;
    report({ type: "answered", id, outcome: result.outcome, revision: used });
  }

  #send(step: Exclude<Step, { kind: "compact" }>) {
    if (step.kind === "transaction") return this.#store.transaction(step.operations);
    const { operation } = step;
    switch (operation.type) {
      case "create":
        return this.#store.create(operation.key, operation.value);
      case "update":
        return this.#store.update(operation.key, operation.value, operation);
      case "delete":
        return this.#store.delete(operation.key, operation);
      case "check":
        return this.#store.transaction([operation]);
    }
  }

  async #watch(order: WatcherOrder): Promise<void> {
    const watcher = order.name;
    let { after } = order;
    for (;;) {
      try {
        const bufferSize = order.isSlow ? 64 : 10_000;
        for await (const batch of this.#store.watch({ prefix: order.prefix, after, bufferSize })) {
          const events = batch.events.map(seenEvent);
          report({ type: "watched", watcher, events, revision: batch.revision });
          after = batch.revision;
          if (order.isSlow) await sleep(4);
        }
      } catch (error) {
        if (error instanceof WatchOverflowError) {
          after = error.lastRevision;
          report({ type: "rewatched", watcher, reason: "overflow", revision: after });
        } else if (error instanceof RevisionCompactedError) {
          after = this.#store.revision;
          report({ type: "rewatched", watcher, reason: "compacted", revision: after });
        } else if (error instanceof StoreClosedError) return;
        else throw error;
      }
    }
  }
}

function issuedOf(operation: Parameters<Store["transaction"]>[0][number]): IssuedOperation {
  const { type, key } = operation;
  const hash = type === "create" || type === "update" ? { hash: hashOf(operation.value) } : {};
  const expected =
    type === "create" || operation.expectedRevision === undefined
      ? {}
      : { expectedRevision: operation.expectedRevision };
  return { type, key, ...hash, ...expected };
}

function open(order: WriterOrder): Store | undefined {
  try {
    return openSqliteStore({
      directory: order.directory,
      commitMode: order.commitMode,
      compaction: { maxEvents: 1_500, maxBytes: 6 * 1024 * 1024, maxAge: "10s" },
    });
  } catch (error) {
    const { code = "none", message } = error as { code?: string; message: string };
    report({ type: "open-failed", code: `${(error as Error).name} ${code}`, message });
    return undefined;
  }
}

async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) return;
  const order = JSON.parse(first.value) as WriterOrder;
  const store = open(order);
  if (store === undefined) return;
  const writer = new Writer(order, store);
  report({ type: "opened", found: await observe(store) });
  writer.watch();
  writer.start();
  for await (const command of lines) {
    if (command === "observe") {
      await writer.stop();
      report({ type: "observed", found: await observe(store) });
      writer.start();
    } else if (command === "close") {
      report({ type: "closing" });
      await store.close();
      report({ type: "closed" });
      return;
    }
  }
}

await main();
process.exit(0);
