import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "@homeostat/concurrency";
import { buildShim } from "../shim/preload-shim.ts";
import type { PartResult, TortureContext } from "../torture-part.ts";
import { type DiskSpace, LimitedSpace, MountedSpace } from "./disk-space.ts";
import { Oracle } from "./oracle.ts";
import type { Report } from "./report.ts";
import type { Violation } from "./violation.ts";
import { WatcherRecord } from "./watcher-record.ts";
import { WriterProcess } from "./writer-process.ts";

export interface FullDiskOptions {
  /** How many disks are filled. */
  readonly disks: number;
  readonly maxTime?: number | undefined;
}

/**
 * Writers on disks of a few hundred KiB to some MiB: the store has to say that the disk is full and
 * acknowledge nothing it has not kept; it serves reads meanwhile, and goes on when there is space
 * again. Then it ends while the disk is full, and what was acknowledged is there afterwards.
 */
export async function tortureFullDisk(
  context: TortureContext,
  options: FullDiskOptions,
): Promise<PartResult> {
  const shim = await buildShim();
  const random = context.random.fork("full disk");
  const totals = {
    fills: 0,
    failures: 0,
    acknowledgements: 0,
    refusals: 0,
    reopened: 0,
    mounted: 0,
  };
  const violations: Violation[] = [];
  const deadline = performance.now() + (options.maxTime ?? Number.POSITIVE_INFINITY);
  let disk = 0;
  while (disk < options.disks && performance.now() < deadline && violations.length === 0) {
    disk += 1;
    const luck = random.fork(disk);
    using space = makeSpace({ context, shim, random: luck, disk });
    const filling = new Filling({ context, space, random: luck, disk });
    violations.push(...(await filling.run()));
    totals.fills += filling.fills;
    totals.failures += filling.failures;
    totals.reopened += filling.openedWhileFull ? 1 : 0;
    totals.acknowledgements += filling.acknowledgements;
    totals.refusals += space.refusals() ?? 0;
    totals.mounted += space.name === "tmpfs" ? 1 : 0;
    context.progress(
      `${disk} of ${options.disks} disks, filled ${totals.fills} times, ${violations.length} violations`,
    );
  }
  return {
    name: "full disk",
    facts: [
      ["disks", `${disk} (${disk - totals.mounted} by the shim, ${totals.mounted} mounted)`],
      ["filled up", `${totals.fills} times, ${totals.refusals} system calls refused by the shim`],
      ["writes told disk-full", String(totals.failures)],
      ["acknowledged writes", String(totals.acknowledgements)],
      ["opened while full", `${totals.reopened} of ${disk}`],
    ],
    violations,
  };
}

function makeSpace(options: {
  context: TortureContext;
  shim: string;
  random: SeededRandom;
  disk: number;
}): DiskSpace {
  const { random, context } = options;
  // A new store takes about 130 KiB; some disks are full with the first few writes.
  const bytes = 4096 * (random.below(3) === 0 ? 30 + random.below(40) : 60 + random.below(1000));
  const directory = context.workspace.newDirectory("disk");
  const mounted = options.disk % 4 === 0 ? MountedSpace.mount(directory, bytes) : undefined;
  if (mounted !== undefined) context.workspace.atEnd(() => mounted[Symbol.dispose]());
  return mounted ?? new LimitedSpace({ directory, shim: options.shim, bytes });
}

/** The story of one disk. */
class Filling {
  readonly #context: TortureContext;
  readonly #space: DiskSpace;
  readonly #random: SeededRandom;
  readonly #disk: number;
  readonly #watcher = new WatcherRecord({ name: "everything", prefix: "", isSlow: false });
  readonly #oracle: Oracle;
  readonly #violations: Violation[] = [];
  #incarnation = 0;
  #writer: WriterProcess | undefined;
  fills = 0;
  failures = 0;
  openedWhileFull = false;

  constructor(options: {
    context: TortureContext;
    space: DiskSpace;
    random: SeededRandom;
    disk: number;
  }) {
    this.#context = options.context;
    this.#space = options.space;
    this.#random = options.random;
    this.#disk = options.disk;
    this.#oracle = new Oracle([this.#watcher]);
  }

  get acknowledgements(): number {
    return this.#oracle.acknowledgements;
  }

  async run(): Promise<Violation[]> {
    this.#start();
    const rounds = 1 + this.#random.below(3);
    for (let round = 1; round <= rounds && this.#isFine(); round += 1) {
      if (!(await this.#until("failed", "the disk never became full"))) break;
      this.fills += 1;
      await this.#readWhileFull();
      if (round === rounds) break;
      this.#space.free(4096 * (20 + this.#random.below(500)));
      await this.#until("answered", "no write was acknowledged after space was freed");
    }
    await this.#end(this.#random.below(2) === 0);
    if (this.#isFine()) await this.#openWhileFull();
    if (this.#isFine()) await this.#openWithSpace();
    this.#writer?.kill();
    await this.#writer?.ended;
    return this.#violations.map(({ kind, detail }) => ({
      kind,
      detail: `disk ${this.#disk} (${this.#space.name}): ${detail}`,
    }));
  }

  #isFine(): boolean {
    return this.#violations.length === 0;
  }

  #start(): void {
    this.#incarnation += 1;
    const { workspace, seed } = this.#context;
    const modes = ["loop", "worker", "auto"] as const;
    this.#writer = new WriterProcess({ workspace, shim: this.#space.environment });
    this.#writer.start(
      {
        directory: this.#space.directory,
        seed: `${seed} disk ${this.#disk} ${this.#incarnation}`,
        incarnation: this.#incarnation,
        commitMode: modes[this.#random.below(modes.length)] ?? "auto",
        profile: this.#random.below(3) === 0 ? "large" : "small",
        writers: 1 + this.#random.below(16),
        watchers: [this.#watcher.resume()],
        plant: undefined,
      },
      (report) => this.#hear(report),
    );
  }

  #hear(report: Report): void {
    if (report.type === "open-failed") return;
    if (report.type === "failed" && report.code !== "store-closed") {
      this.failures += 1;
      if (report.code !== "store-disk-full" && this.#isFine()) {
        const detail = `a write on the full disk failed with ${report.code}: ${report.message}`;
        this.#violations.push({ kind: "unclear-error", detail });
      }
    }
    if (this.#isFine()) this.#violations.push(...this.#oracle.hear(report));
  }

  async #until(type: Report["type"], otherwise: string): Promise<boolean> {
    const writer = this.#writer!;
    if ((await writer.next(type)) !== undefined) return true;
    const end = writer.hasEnded ? await writer.ended : undefined;
    const how =
      end === undefined ? "" : `; the writer ended (${end.signal ?? end.code}) ${end.errorOutput}`;
    this.#violations.push({ kind: "did-not-recover", detail: `${otherwise}${how}` });
    return false;
  }

  async #readWhileFull(): Promise<void> {
    await sleep(this.#random.below(60));
    this.#writer?.tell("observe");
    await this.#until("observed", "the store could not be read while the disk was full");
  }

  async #end(isKilled: boolean): Promise<void> {
    if (isKilled) this.#writer?.kill();
    else this.#writer?.tell("close");
    const end = await this.#writer?.ended;
    if (end !== undefined && end.signal !== "SIGKILL" && end.code !== 0) {
      const detail = `the writer ended by itself (${end.signal ?? end.code}): ${end.errorOutput}`;
      this.#violations.push({ kind: "died", detail });
    }
  }

  /** It may open and show everything, or say clearly that it cannot. */
  async #openWhileFull(): Promise<void> {
    this.#start();
    const writer = this.#writer!;
    const answer = await Promise.race([writer.next("opened"), writer.next("open-failed")]);
    if (answer?.type === "opened") this.openedWhileFull = true;
    if (answer?.type === "open-failed" && !answer.code.includes("store-disk-full")) {
      const detail = `opening on a full disk failed with ${answer.code}: ${answer.message}`;
      this.#violations.push({ kind: "unclear-error", detail });
    }
    await this.#end(true);
  }

  async #openWithSpace(): Promise<void> {
    this.#space.free(64 * 1024 * 1024);
    this.#start();
    const opened = await this.#until("opened", "the store did not open after space was freed");
    if (opened) await this.#until("answered", "no write was acknowledged after space was freed");
    await this.#end(false);
  }
}
