import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SeededRandom } from "@homeostat/concurrency";
import { buildShim } from "../shim/preload-shim.ts";
import { VolatileDisk } from "../shim/volatile-disk.ts";
import type { PartResult, TortureContext } from "../torture-part.ts";
import { CheckerProcess, checkReopened } from "./checker-process.ts";
import { Oracle } from "./oracle.ts";
import type { Plant } from "./plant.ts";
import {
  applyTo,
  dataDirectory,
  type LifeRecord,
  ReportReader,
  recordedWatchers,
  recordLives,
} from "./recorded-lives.ts";
import type { Violation } from "./violation.ts";

export interface PowerLossOptions {
  readonly images: number;
  readonly maxTime?: number | undefined;
  readonly plant?: Plant | undefined;
}

/** How many images are made of one trace. */
const imagesPerTrace = 25;

/**
 * Writers run with the preload shim, which records what they do to the disk and what they say. From
 * the recording the disk is rebuilt as after a power loss at many moments (`volatile-disk.ts`), and
 * the store opened on it: what was acknowledged before that moment must be there.
 */
export async function torturePowerLoss(
  context: TortureContext,
  options: PowerLossOptions,
): Promise<PartResult> {
  const shim = await buildShim();
  const run = new PowerLoss(context, { ...options, shim });
  return run.run();
}

class PowerLoss {
  readonly #context: TortureContext;
  readonly #options: PowerLossOptions & { shim: string };
  readonly #random: SeededRandom;
  readonly #checker: CheckerProcess;
  readonly #violations: Violation[] = [];
  #images = 0;
  #damaged = 0;
  #traces = 0;
  #writes = 0;
  #syncs = 0;
  /** Pages that checkpoints moved, and how often a write-ahead log began or started over. */
  #databaseWrites = 0;
  #logStarts = 0;
  #acknowledgements = 0;

  constructor(context: TortureContext, options: PowerLossOptions & { shim: string }) {
    this.#context = context;
    this.#options = options;
    this.#random = context.random.fork("power loss");
    this.#checker = new CheckerProcess(context.workspace);
  }

  async run(): Promise<PartResult> {
    const { images, maxTime = Number.POSITIVE_INFINITY } = this.#options;
    const deadline = performance.now() + maxTime;
    while (this.#images < images && performance.now() < deadline && this.#violations.length === 0) {
      this.#traces += 1;
      const random = this.#random.fork(this.#traces);
      const { shim, plant } = this.#options;
      const records = await recordLives({ context: this.#context, random, shim, plant });
      await this.#cut(records, Math.min(imagesPerTrace, images - this.#images), random);
    }
    this.#checker.stop();
    return this.#result();
  }

  /** Loses power at `count` moments of a recording. */
  async #cut(records: readonly LifeRecord[], count: number, random: SeededRandom): Promise<void> {
    const disk = new VolatileDisk();
    const oracle = new Oracle(recordedWatchers());
    const cuts = chooseCuts(records, count, random);
    const reader = new ReportReader();
    for (const [index, record] of records.entries()) {
      applyTo(disk, record);
      for (const report of reader.read(record)) this.#violations.push(...oracle.hear(report));
      for (let cut = cuts.get(index) ?? 0; cut > 0; cut -= 1) {
        await this.#open(
          disk.afterPowerLoss(random),
          oracle,
          `record ${index} of ${records.length}`,
        );
      }
    }
    this.#acknowledgements += oracle.acknowledgements;
    this.#count(records);
  }

  #count(records: readonly LifeRecord[]): void {
    const logs = new Set<number>();
    const databases = new Set<number>();
    for (const record of records) {
      if (record.kind === "sync-end") this.#syncs += 1;
      if (record.kind === "create" && record.path.endsWith(".db-wal")) logs.add(record.inode);
      if (record.kind === "create" && record.path.endsWith("store.db")) databases.add(record.inode);
      if (record.kind !== "write") continue;
      this.#writes += 1;
      if (databases.has(record.inode)) this.#databaseWrites += 1;
      if (logs.has(record.inode) && record.offset === 0) this.#logStarts += 1;
    }
  }

  /** Opens the store on what the power loss left. */
  async #open(image: Map<string, Buffer>, oracle: Oracle, where: string): Promise<void> {
    const root = this.#context.workspace.newDirectory("image", "memory");
    for (const [path, bytes] of image) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
    }
    this.#images += 1;
    const found = await this.#judge(join(root, dataDirectory), oracle);
    this.#violations.push(
      ...found.map(({ kind, detail }) => ({
        kind,
        detail: `power lost in trace ${this.#traces} at ${where}: ${detail} [image ${root}]`,
      })),
    );
    if (found.length > 0) this.#damaged += 1;
    // The first bad image stays for those who say --keep.
    if (this.#damaged !== 1 || found.length === 0) rmSync(root, { recursive: true });
    this.#context.progress(
      `${this.#images} of ${this.#options.images} images from ${this.#traces} traces, ${this.#violations.length} violations`,
    );
  }

  async #judge(directory: string, oracle: Oracle): Promise<Violation[]> {
    const answer = await this.#checker.check(directory);
    if ("kind" in answer) return [answer];
    if (answer.type === "failed") {
      const detail = `${answer.at} failed: ${answer.name} ${answer.code}: ${answer.message}`;
      return [{ kind: "did-not-open", detail }];
    }
    const violations = oracle.check(answer.found);
    return violations.length > 0 ? violations : checkReopened(answer);
  }

  #result(): PartResult {
    return {
      name: "power loss",
      facts: [
        ["images", `${this.#images} from ${this.#traces} recorded runs`],
        ["images with violations", String(this.#damaged)],
        ["recorded", `${this.#writes} writes to files, ${this.#syncs} syncs`],
        ["checkpoints", `${this.#databaseWrites} pages, ${this.#logStarts} write-ahead logs begun`],
        ["acknowledged writes", String(this.#acknowledgements)],
      ],
      violations: this.#violations,
    };
  }
}

/**
 * A third of them anywhere, a third right after something was said, when the most is promised, and
 * a third between the start of a process and its first commit.
 */
function chooseCuts(
  records: readonly LifeRecord[],
  count: number,
  random: SeededRandom,
): Map<number, number> {
  const anywhere = [...records.keys()];
  const said = anywhere.filter((index) => records[index]?.kind === "report");
  const places = [anywhere, said, startsIn(records)];
  const cuts = new Map<number, number>();
  for (let made = 0; made < count; made += 1) {
    const choices = places[made % places.length] ?? anywhere;
    const cut = choices[random.below(choices.length)] ?? records.length - 1;
    cuts.set(cut, (cuts.get(cut) ?? 0) + 1);
  }
  return cuts;
}

/** The records of each process up to the first sync after it began to speak. */
function startsIn(records: readonly LifeRecord[]): number[] {
  let state: "starting" | "speaking" | "started" = "starting";
  const found: number[] = [];
  for (const [index, { kind }] of records.entries()) {
    if (kind === "process-ended") state = "starting";
    else if (state === "starting" && kind === "report") state = "speaking";
    else if (state === "speaking" && kind === "sync-end") state = "started";
    if (state !== "started") found.push(index);
  }
  return found;
}
