import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "@homeostat/concurrency";
import type { PartResult, TortureContext } from "../torture-part.ts";
import { Oracle } from "./oracle.ts";
import type { Plant } from "./plant.ts";
import type { Report, WriterOrder } from "./report.ts";
import type { Violation } from "./violation.ts";
import { WatcherRecord } from "./watcher-record.ts";
import { WriterProcess, warmUp } from "./writer-process.ts";

export interface KillTortureOptions {
  readonly kills: number;
  /** Stop after this many milliseconds although kills are left. */
  readonly maxTime?: number | undefined;
  readonly plant?: Plant | undefined;
}

/** When a writer is killed: "making" a new store, or one with a past; "closed" means not at all. */
type Moment = "making" | "opening" | "writing" | "closing" | "closed";

/** Long runs begin with so much data that log cleaning goes on in every life. */
const filling = { kills: 20, bytes: 40 * 1024 * 1024, patience: 15_000 };

/**
 * Writers on one data directory, one after the other, each killed with SIGKILL at a random moment.
 * The next one tells what it found; the oracle, which heard all the others, judges it.
 */
export function tortureByKills(
  context: TortureContext,
  options: KillTortureOptions,
): Promise<PartResult> {
  return new KillTorture(context, options).run();
}

class KillTorture {
  readonly #context: TortureContext;
  readonly #options: KillTortureOptions;
  readonly #random: SeededRandom;
  readonly #directory: string;
  readonly #watchers = [
    new WatcherRecord({ name: "everything", prefix: "", isSlow: false }),
    new WatcherRecord({ name: "pods of a namespace", prefix: "pods/namespace-1/", isSlow: true }),
  ];
  readonly #oracle = new Oracle(this.#watchers);
  readonly #violations: Violation[] = [];
  readonly #moments = { making: 0, opening: 0, writing: 0, closing: 0, closed: 0 };
  readonly #modes = { loop: 0, worker: 0, auto: 0 };
  #checkpoints = 0;
  #longestLog = 0;
  #incarnation = 0;
  /** How the writer before ended, for the report of what its successor found. */
  #before = "nothing before";

  constructor(context: TortureContext, options: KillTortureOptions) {
    this.#context = context;
    this.#options = options;
    this.#random = context.random.fork("kills");
    this.#directory = context.workspace.newDirectory("kills");
  }

  async run(): Promise<PartResult> {
    const { kills, maxTime = Number.POSITIVE_INFINITY } = this.#options;
    await warmUp(this.#context.workspace);
    if (kills >= filling.kills && this.#options.plant === undefined) await this.#fill();
    const deadline = performance.now() + maxTime;
    let next = this.#spawn();
    while (this.#kills < kills && performance.now() < deadline && this.#isFine()) {
      const writer = next;
      next = this.#spawn();
      const moment = this.#chooseMoment();
      if (moment === "making") await this.#killNewborn(writer);
      else await this.#live(writer, moment);
      this.#context.progress(
        `${this.#kills} of ${kills} kills, ${this.#oracle.acknowledgements} writes acknowledged, ` +
          `${this.#violations.length} violations`,
      );
    }
    // The last kill is judged too; closing in peace must lose nothing either.
    if (this.#isFine()) await this.#live(next, "closed");
    next.kill();
    await next.ended;
    return this.#result();
  }

  get #kills(): number {
    const { making, opening, writing, closing } = this.#moments;
    return making + opening + writing + closing;
  }

  #isFine(): boolean {
    return this.#violations.length === 0;
  }

  #spawn(): WriterProcess {
    const { workspace } = this.#context;
    return new WriterProcess({ workspace, plant: this.#options.plant });
  }

  #chooseMoment(): Moment {
    const chance = this.#random.below(100);
    if (chance < 4) return "making";
    if (chance < 12) return "opening";
    if (chance < 22) return "closing";
    return chance < 24 ? "closed" : "writing";
  }

  async #fill(): Promise<void> {
    this.#context.progress("filling the store");
    const writer = this.#spawn();
    const order = this.#order(this.#random.fork("filling"));
    writer.start({ ...order, profile: "large", writers: 24 }, (report) => this.#hear(report));
    const deadline = performance.now() + filling.patience;
    const isSmall = (): boolean =>
      this.#bytesOf("store.db") + this.#bytesOf("store.db-wal") < filling.bytes;
    while (isSmall() && performance.now() < deadline) await sleep(20);
    writer.tell("close");
    await writer.ended;
  }

  /** A store that was killed while it was made has promised nothing, but must open. */
  async #killNewborn(writer: WriterProcess): Promise<void> {
    const directory = this.#context.workspace.newDirectory("newborn");
    const oracle = new Oracle();
    const order = { ...this.#order(this.#random), directory, watchers: [], incarnation: 0 };
    const hear = (report: Report): void => {
      for (const { kind, detail } of oracle.hear(report))
        this.#violations.push({ kind, detail: `killed while it was made: ${detail}` });
    };
    writer.start(order, hear);
    await sleep(this.#random.float() * 25);
    writer.kill();
    await writer.ended;
    this.#moments.making += 1;
    const next = this.#spawn();
    next.start({ ...order, incarnation: 1 }, hear);
    const report = await next.next("answered");
    if (report === undefined && !next.hasEnded) this.#hung();
    next.kill();
    await next.ended;
  }

  #hung(): void {
    const detail = `after ${this.#before}: the next writer neither opened the store nor ended`;
    this.#violations.push({ kind: "hung", detail });
  }

  /** One life of a writer. */
  async #live(writer: WriterProcess, moment: Moment): Promise<void> {
    this.#incarnation += 1;
    const random = this.#random.fork(this.#incarnation);
    const order = this.#order(random);
    const before = this.#databaseStamp();
    // Mostly once it writes; a worker thread takes its time to start.
    const begun = writer.next(random.below(6) === 0 ? "opened" : "answered");
    writer.start(order, (report) => this.#hear(report));
    if (moment === "opening") await sleep(random.float() * 30);
    else {
      const report = await begun;
      if (report === undefined && !writer.hasEnded) this.#hung();
      await sleep(random.float() * (order.profile === "large" ? 150 : 80));
    }
    await this.#end(writer, moment, random.float() * 8);
    this.#moments[moment] += 1;
    this.#modes[order.commitMode] += 1;
    if (this.#databaseStamp() !== before) this.#checkpoints += 1;
    this.#longestLog = Math.max(this.#longestLog, this.#bytesOf("store.db-wal"));
    this.#before = `writer ${this.#incarnation}, commits "${order.commitMode}", ended ${moment}`;
  }

  async #end(writer: WriterProcess, moment: Moment, delay: number): Promise<void> {
    if (moment === "closing" || moment === "closed") {
      const closing = writer.next("closing");
      writer.tell("close");
      await closing;
      if (moment === "closing") await sleep(delay);
    }
    if (moment !== "closed") writer.kill();
    const { code, signal, errorOutput } = await writer.ended;
    if (signal === "SIGKILL" || code === 0) return;
    const detail = `writer ${this.#incarnation} ended by itself (${signal ?? code}): ${errorOutput}`;
    this.#violations.push({ kind: "died", detail });
  }

  #order(random: SeededRandom): WriterOrder {
    const modes = ["loop", "worker", "auto"] as const;
    return {
      directory: this.#directory,
      seed: `${this.#context.seed} kills ${this.#incarnation}`,
      incarnation: this.#incarnation,
      commitMode: modes[random.below(modes.length)] ?? "auto",
      profile: random.below(4) === 0 ? "large" : "small",
      writers: 1 + random.below(64),
      watchers: this.#watchers.map((watcher) => watcher.resume()),
      plant: this.#options.plant,
    };
  }

  #hear(report: Report): void {
    // After the first violation nobody knows what to expect.
    if (!this.#isFine()) return;
    for (const { kind, detail } of this.#oracle.hear(report))
      this.#violations.push({ kind, detail: `after ${this.#before}: ${detail}` });
  }

  /** Changes when a checkpoint has written to the database. */
  #databaseStamp(): string {
    const found = statSync(join(this.#directory, "store.db"), { throwIfNoEntry: false });
    return `${found?.size ?? 0} ${found?.mtimeMs ?? 0}`;
  }

  #bytesOf(name: string): number {
    return statSync(join(this.#directory, name), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Rows that log cleaning has taken from the head of the log. */
  #cleanedRows(): number {
    using db = new DatabaseSync(join(this.#directory, "store.db"), { readOnly: true });
    return Number(db.prepare("SELECT head FROM meta").get()?.["head"] ?? 1) - 1;
  }

  #result(): PartResult {
    const { making, opening, writing, closing, closed } = this.#moments;
    const { loop, worker, auto } = this.#modes;
    const resumed = this.#watchers.reduce((sum, { resumptions }) => sum + resumptions, 0);
    return {
      name: "kills",
      facts: [
        [
          "kills",
          `${this.#kills}: ${making} making the store, ${opening} opening it, ${writing} writing, ${closing} closing`,
        ],
        ["closed in peace", String(closed)],
        ["commits", `${loop} lives on the loop, ${worker} in the worker, ${auto} auto`],
        ["acknowledged writes", String(this.#oracle.acknowledgements)],
        ["lives with a checkpoint", String(this.#checkpoints)],
        ["longest write-ahead log", `${(this.#longestLog / 1024 / 1024).toFixed(1)} MiB`],
        ["log rows cleaned away", this.#isFine() ? String(this.#cleanedRows()) : "?"],
        ["watches resumed", String(resumed)],
      ],
      violations: this.#violations,
    };
  }
}
