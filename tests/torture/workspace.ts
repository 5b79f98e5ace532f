import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory, where there is one: what is only looked at needs no disk. */
const memory = "/dev/shm";
const enoughMemory = 512 * 1024 * 1024;

/** The files and processes of one torture run. Nothing of it is left when it is disposed. */
export class Workspace implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "homeostat-torture-"));
  readonly #inMemory = makeInMemory();
  readonly #children = new Set<ChildProcess>();
  readonly #cleanups = new Set<() => void>();
  readonly #keepsFiles: boolean;
  #directories = 0;

  constructor(options: { keepsFiles?: boolean } = {}) {
    this.#keepsFiles = options.keepsFiles ?? false;
  }

  get directory(): string {
    return this.#directory;
  }

  /** All places where it has files. */
  get directories(): string[] {
    return [this.#directory, this.#inMemory].filter((directory) => directory !== undefined);
  }

  /** A new, empty directory on the disk of TMPDIR, or in memory if there is enough. */
  newDirectory(name: string, place: "disk" | "memory" = "disk"): string {
    this.#directories += 1;
    const parent = place === "memory" ? (this.#inMemory ?? this.#directory) : this.#directory;
    const directory = join(parent, `${name}-${this.#directories}`);
    mkdirSync(directory);
    return directory;
  }

  /** Takes care that the process does not outlive the run. */
  adopt<T extends ChildProcess>(child: T): T {
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return child;
  }

  /** Called before the files go, however the run ends. */
  atEnd(cleanup: () => void): void {
    this.#cleanups.add(cleanup);
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill("SIGKILL");
    for (const cleanup of this.#cleanups) cleanup();
    if (this.#keepsFiles) return;
    // A killed child may live a moment longer and make files.
    const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 };
    for (const directory of this.directories) rmSync(directory, options);
  }
}

function makeInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < enoughMemory) return undefined;
    return mkdtempSync(join(memory, "homeostat-torture-"));
  } catch {
    return undefined;
  }
}
