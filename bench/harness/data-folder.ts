// Folders for the data of a benchmark, ours and the peer's on the same file system: under
// $HOMEOSTAT_BENCH_DATA, or the system's temporary folder where that is unset. A comparison of
// durable writes in a file system that lives in memory says nothing: fileSystemOf() tells.
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onExit } from "./exit-cleanup.ts";

/** A folder of its own, removed with all it holds when disposed, at the latest when the process ends. */
export class DataFolder implements AsyncDisposable {
  readonly path: string;
  readonly #forget: () => void;

  constructor(name: string) {
    this.path = mkdtempSync(join(dataRoot(), `homeostat-${name}-`));
    this.#forget = onExit(() => rmSync(this.path, removal));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, removal);
    this.#forget();
  }
}

export function dataRoot(): string {
  return resolve(process.env["HOMEOSTAT_BENCH_DATA"] || tmpdir());
}

export interface FileSystem {
  readonly name: string;
  /** Nothing written there survives the machine, and fsync costs nothing. */
  readonly inMemory: boolean;
}

export function fileSystemOf(path: string): FileSystem {
  const type = statfsSync(path).type;
  const name = fileSystemNames[type] ?? `0x${type.toString(16)}`;
  return { name, inMemory: name === "tmpfs" || name === "ramfs" };
}

const removal = { recursive: true, force: true, maxRetries: 3 } as const;

// The magic numbers of statfs(2).
const fileSystemNames: Readonly<Record<number, string>> = {
  [0xef53]: "ext4",
  [0x58465342]: "xfs",
  [0x9123683e]: "btrfs",
  [0x2fc12fc1]: "zfs",
  [0x794c7630]: "overlay",
  [0x01021994]: "tmpfs",
  [0x858458f6]: "ramfs",
};
