import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "@homeostat/concurrency";
import { readTrace, type TraceRecord } from "../shim/trace.ts";
import { VolatileDisk } from "../shim/volatile-disk.ts";
import type { TortureContext } from "../torture-part.ts";
import type { Plant } from "./plant.ts";
import type { Report } from "./report.ts";
import { WatcherRecord } from "./watcher-record.ts";
import { WriterProcess } from "./writer-process.ts";

export interface RecordingOptions {
  readonly context: TortureContext;
  readonly random: SeededRandom;
  /** Path of the shim's library. */
  readonly shim: string;
  readonly plant: Plant | undefined;
}

export type LifeRecord = TraceRecord | { readonly kind: "process-ended" };

/** The data directory, below the traced root. */
export const dataDirectory = "data";

/** The data directory was there, and safe, before the first writer came. */
const sync = { id: 0, inode: 0, path: "", isDirectory: true, isDataOnly: false };
const madeBefore: readonly LifeRecord[] = [
  { kind: "mkdir", path: dataDirectory },
  { kind: "sync-begin", ...sync },
  { kind: "sync-end", ...sync },
];

/** Fresh records of the watchers that every recorded writer has. */
export function recordedWatchers(): WatcherRecord[] {
  return [new WatcherRecord({ name: "everything", prefix: "", isSlow: false })];
}

/**
 * Two or three writers, one after the other on one data directory, each killed or closed:
 * everything they did to the disk and said, in order.
 */
export async function recordLives(options: RecordingOptions): Promise<LifeRecord[]> {
  const { context, random } = options;
  const root = context.workspace.newDirectory("power");
  const records: LifeRecord[] = [];
  const disk = new VolatileDisk();
  // Mostly somebody else has made the data directory; the store can do it too.
  if (random.below(4) > 0) {
    mkdirSync(join(root, dataDirectory));
    records.push(...madeBefore);
    for (const record of madeBefore) applyTo(disk, record);
  }
  const watchers = recordedWatchers();
  const reader = new ReportReader();
  const lives = 2 + random.below(2);
  for (let life = 1; life <= lives; life += 1) {
    const trace = join(root, `../trace-${root.split("-").at(-1)}-${life}`);
    const isKilled = random.below(2) === 0;
    await live({ ...options, root, trace, life, isKilled, watchers });
    const fresh: LifeRecord[] = [...readTrace(trace), { kind: "process-ended" }];
    const reports = fresh.flatMap((record) => reader.read(record));
    for (const watcher of watchers) watcher.hearAll(reports);
    for (const record of fresh) applyTo(disk, record);
    // A kill may fall between a write and its record; what it did is seen on the disk then.
    const missed = isKilled ? missing(disk, root) : [];
    for (const record of missed) applyTo(disk, record);
    records.push(...fresh, ...missed);
    const rest = missing(disk, root);
    if (rest.length > 0) {
      const what = rest.map(({ kind }) => kind).join(", ");
      throw new Error(`the preload shim missed something that the writer did to the disk: ${what}`);
    }
  }
  return records;
}

/** Finds the reports in a recording; what a killed process did not finish is nothing. */
export class ReportReader {
  #rest = "";

  /** The reports that end with this record. */
  read(record: LifeRecord): Report[] {
    if (record.kind === "process-ended") this.#rest = "";
    if (record.kind !== "report") return [];
    const lines = (this.#rest + record.text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.map((line) => JSON.parse(line) as Report);
  }
}

export function applyTo(disk: VolatileDisk, record: LifeRecord): void {
  if (record.kind === "process-ended") disk.processEnded();
  else disk.apply(record);
}

async function live(
  options: RecordingOptions & {
    root: string;
    trace: string;
    life: number;
    isKilled: boolean;
    watchers: readonly WatcherRecord[];
  },
): Promise<void> {
  const { context, random, life, root } = options;
  const modes = ["loop", "worker", "auto"] as const;
  const profile = random.below(3) === 0 ? "large" : "small";
  const writer = new WriterProcess({
    workspace: context.workspace,
    plant: options.plant,
    shim: {
      LD_PRELOAD: options.shim,
      TORTURE_ROOT: root,
      TORTURE_TRACE: options.trace,
      TORTURE_REPORT_FD: "3",
    },
  });
  const begun = writer.next("answered");
  const failures: string[] = [];
  writer.start(
    {
      directory: join(root, dataDirectory),
      seed: `${context.seed} ${root.split("-").at(-1)} ${life}`,
      incarnation: life,
      commitMode: modes[random.below(modes.length)] ?? "auto",
      profile,
      writers: 1 + random.below(24),
      watchers: options.watchers.map((watcher) => watcher.resume()),
      plant: options.plant,
    },
    (report) => {
      if (report.type === "open-failed") failures.push(`${report.code}: ${report.message}`);
    },
  );
  await begun;
  await sleep(20 + random.float() * (profile === "large" ? 250 : 120));
  if (options.isKilled) writer.kill();
  else writer.tell("close");
  const end = await writer.ended;
  if (failures.length > 0)
    throw new Error(`a writer did not open its store: ${failures.join("; ")}`);
  if (end.signal !== "SIGKILL" && end.code !== 0)
    throw new Error(`a writer ended by itself (${end.signal ?? end.code}): ${end.errorOutput}`);
}

/** The writes that make the modelled disk what the real one is. */
function missing(disk: VolatileDisk, root: string): TraceRecord[] {
  const records: TraceRecord[] = [];
  const modelled = disk.current();
  for (const path of filesBelow(root)) {
    const actual = readFileSync(join(root, path));
    const known = modelled.get(path);
    modelled.delete(path);
    if (known?.equals(actual)) continue;
    const inode = disk.inodeOf(path) ?? -1 - records.length;
    if (known === undefined) records.push({ kind: "create", inode, path });
    records.push({ kind: "write", inode, offset: 0, data: actual });
    records.push({ kind: "truncate", inode, size: actual.length });
  }
  for (const path of modelled.keys()) records.push({ kind: "unlink", path });
  return records;
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
