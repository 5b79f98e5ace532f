import type { Random } from "@homeostat/concurrency";
import type { TraceRecord } from "./trace.ts";
import { type DataLoss, VolatileFile } from "./volatile-file.ts";

/**
 * A disk that loses power: takes a trace record by record, and tells what may be found afterwards.
 *
 * - What a completed sync covers is there: writes to that file which happened before it began.
 * - Other writes are kept, lost or torn, each by itself, so that a later one may be there and an
 *   earlier one not. A unit (512 bytes or 4 KiB) shows the file as it was at some moment since its
 *   last sync. A new length may be there without its data (zeros).
 * - Names (create, unlink, rename, mkdir) either follow POSIX to the letter: a name is safe when
 *   its directory was synced, syncing the file alone does not save it, and each name is on its own;
 *   or a journal: names are kept in order, and any fsync saves all earlier ones (ext4, XFS).
 *
 * This allows everything ext4 does with data=ordered, and more. A disk that lies about syncs, or
 * damages what was synced, is another matter (`--flip-bytes`).
 */
export class VolatileDisk {
  readonly #files = new Map<number, VolatileFile>();
  /** The names on the platter; undefined is a directory. */
  readonly #names = new Map<string, VolatileFile | undefined>();
  #pendingNames: NameChange[] = [];
  #changes = 0;
  /** Syncs that have begun. */
  #syncs = new Map<number, { file: VolatileFile | undefined; mark: number; changes: number }>();

  apply(record: TraceRecord): void {
    switch (record.kind) {
      case "create": {
        const file = new VolatileFile();
        this.#files.set(record.inode, file);
        this.#rename({ kind: "add", path: record.path, file });
        return;
      }
      case "write":
        this.#file(record.inode).change(record);
        return;
      case "truncate":
        this.#file(record.inode).change(record);
        return;
      case "unlink":
      case "rmdir":
        this.#rename({ kind: "remove", path: record.path });
        return;
      case "rename":
        this.#rename({ kind: "move", path: record.from, to: record.to });
        return;
      case "mkdir":
        this.#rename({ kind: "add", path: record.path, file: undefined });
        return;
      case "sync-begin": {
        const file = record.isDirectory ? undefined : this.#file(record.inode);
        this.#syncs.set(record.id, { file, mark: file?.mark ?? 0, changes: this.#changes });
        return;
      }
      case "sync-end":
        this.#synced(record);
        return;
      case "report":
        return;
    }
  }

  /** Syncs under way have no end, and the next process numbers its own from 1. */
  processEnded(): void {
    this.#syncs.clear();
  }

  /** The inode that a name stands for while the power is on. */
  inodeOf(path: string): number | undefined {
    const file = this.#namesAfter(this.#pendingNames).get(path);
    for (const [inode, each] of this.#files) if (each === file) return inode;
    return undefined;
  }

  /** What programs see while the power is on. */
  current(): Map<string, Buffer> {
    return contents(this.#namesAfter(this.#pendingNames), (file) => file.current());
  }

  /** What may be found after a power loss now. Directories without files are left out. */
  afterPowerLoss(random: Random): Map<string, Buffer> {
    const losses: readonly DataLoss[] = ["none-kept", "all-kept", "whole-writes", 512, 4096];
    const loss = losses[random.below(losses.length)] ?? "none-kept";
    const names = random.below(2) === 0 ? this.#journaled(random) : this.#independent(random);
    return contents(this.#namesAfter(names), (file) => file.survivor(loss, random));
  }

  #file(inode: number): VolatileFile {
    const file = this.#files.get(inode);
    if (file === undefined)
      throw new Error(`the trace has no creation of inode ${inode}: the shim missed it`);
    return file;
  }

  #rename(change: NewNameChange): void {
    this.#changes += 1;
    this.#pendingNames.push({ ...change, number: this.#changes, isJournaled: false });
  }

  #synced(record: Extract<TraceRecord, { kind: "sync-end" }>): void {
    const begun = this.#syncs.get(record.id);
    if (begun === undefined) throw new Error(`sync ${record.id} of ${record.path} never began`);
    this.#syncs.delete(record.id);
    begun.file?.synced(begun.mark);
    if (record.isDirectory) {
      const isSafe = (change: NameChange): boolean =>
        change.number <= begun.changes && parentOf(change.path) === record.path;
      for (const change of this.#pendingNames.filter(isSafe)) applyTo(this.#names, change);
      this.#pendingNames = this.#pendingNames.filter((change) => !isSafe(change));
    }
    if (record.isDataOnly) return;
    for (const change of this.#pendingNames) {
      if (change.number <= begun.changes) change.isJournaled = true;
    }
  }

  #journaled(random: Random): NameChange[] {
    const safe = this.#pendingNames.findLastIndex(({ isJournaled }) => isJournaled) + 1;
    const kept = safe + random.below(this.#pendingNames.length - safe + 1);
    return this.#pendingNames.slice(0, kept);
  }

  #independent(random: Random): NameChange[] {
    return this.#pendingNames.filter(() => random.below(2) === 0);
  }

  #namesAfter(changes: readonly NameChange[]): Map<string, VolatileFile | undefined> {
    const names = new Map(this.#names);
    for (const change of changes) applyTo(names, change);
    return names;
  }
}

type NewNameChange =
  | { readonly kind: "add"; readonly path: string; readonly file: VolatileFile | undefined }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string };

type NameChange = NewNameChange & { readonly number: number; isJournaled: boolean };

function applyTo(names: Map<string, VolatileFile | undefined>, change: NameChange): void {
  if (change.kind === "add") names.set(change.path, change.file);
  else if (change.kind === "remove") names.delete(change.path);
  else if (names.has(change.path)) {
    names.set(change.to, names.get(change.path));
    names.delete(change.path);
  }
}

/** The files whose directories exist. */
function contents(
  names: Map<string, VolatileFile | undefined>,
  bytesOf: (file: VolatileFile) => Buffer,
): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const [path, file] of names) {
    if (file !== undefined && hasParents(names, path)) found.set(path, bytesOf(file));
  }
  return found;
}

function hasParents(names: Map<string, VolatileFile | undefined>, path: string): boolean {
  const parent = parentOf(path);
  return parent === "" || (names.has(parent) && hasParents(names, parent));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}
