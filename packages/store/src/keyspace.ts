import { History } from "./history.ts";
import { KeyIndex } from "./key-index.ts";
import type { KeyVersion } from "./key-version.ts";
import { SlabHeap } from "./slab-heap.ts";
import type { KeyValue, ListOptions, ListPage } from "./store.ts";
import { RevisionAheadError, RevisionCompactedError } from "./store-error.ts";

/** What a log kept of a store. All bytes are in the keyspace's heap. */
export interface KeptState {
  readonly revision: number;
  readonly compactRevision: number;
  /** The state of every key that existed at `compactRevision`, in any order. */
  readonly states: Iterable<KeyVersion>;
  /** Every change after `compactRevision`, in revision order. */
  readonly changes: Iterable<KeyVersion>;
}

/**
 * The committed state: the newest version of every key, the older ones that history still needs,
 * and where their bytes are. Changes only by `apply`, `compact` and `load`.
 */
export class Keyspace {
  readonly heap: SlabHeap = new SlabHeap();
  readonly history: History = new History();
  /** Newest version of every key; a tombstone until compaction passes the deletion. */
  readonly #newest = new Map<string, KeyVersion>();
  readonly #index = new KeyIndex();
  #revision = 0;
  #compactRevision = 0;
  /** Keys whose newest version is a tombstone. */
  readonly #tombstones = new Set<string>();
  #keyUnits = 0;

  get revision(): number {
    return this.#revision;
  }

  get compactRevision(): number {
    return this.#compactRevision;
  }

  /** How many keys exist now. */
  get size(): number {
    return this.#newest.size - this.#tombstones.size;
  }

  /** Length of the keys of all kept versions together, each counted as often as it has versions. */
  get keyUnits(): number {
    return this.#keyUnits;
  }

  /** The newest version, a tombstone included. */
  newest(key: string): KeyVersion | undefined {
    return this.#newest.get(key);
  }

  get(key: string, revision?: number): KeyVersion | undefined {
    if (revision !== undefined) this.#mustBeReadable(revision);
    return this.#stateAt(key, revision ?? this.#revision);
  }

  list(options: ListOptions): ListPage {
    const { prefix, after, limit = Number.POSITIVE_INFINITY, revision = this.#revision } = options;
    this.#mustBeReadable(revision);
    if (!(limit >= 1)) throw new RangeError(`limit must be at least 1, got ${limit}`);
    const items: KeyValue[] = [];
    let next: string | undefined;
    this.#index.walk({ prefix, after }, (key) => {
      const version = this.#stateAt(key, revision);
      if (version === undefined) return true;
      if (items.length === limit) {
        next = items[limit - 1]!.key;
        return false;
      }
      items.push(version);
      return true;
    });
    const countAfter = (): number =>
      next === undefined ? 0 : this.#count({ prefix, after: next, revision });
    return {
      revision,
      items,
      next,
      get remaining() {
        return countAfter();
      },
    };
  }

  /** The newest versions that have a time to live. */
  *expiring(): Iterable<KeyVersion> {
    for (const version of this.#newest.values()) {
      if (version.expiresAt !== undefined) yield version;
    }
  }

  /** Makes versions current, in order. Their bytes are in the heap already. */
  apply(versions: readonly KeyVersion[]): void {
    for (const version of versions) this.#applyOne(version);
  }

  /** Fills an empty keyspace with what a log kept. */
  load(kept: KeptState): void {
    for (const version of kept.states) {
      this.#newest.set(version.key, version);
      this.#keyUnits += version.key.length;
    }
    for (const version of kept.changes) {
      this.#keyUnits += version.key.length;
      version.previous = this.#newest.get(version.key);
      this.#markIfDeleted(version);
      this.#newest.set(version.key, version);
      this.history.push(version);
    }
    this.#index.load([...this.#newest.keys()]);
    this.#revision = kept.revision;
    this.#compactRevision = kept.compactRevision;
    this.heap.compact(Number.POSITIVE_INFINITY);
  }

  /** Forgets what was before `revision`, which must not be ahead of the store. */
  compact(revision: number): void {
    if (revision <= this.#compactRevision) return;
    this.#compactRevision = revision;
    this.#forgetUpTo(revision);
  }

  /** Throws unless the state as of `revision` is known. */
  #mustBeReadable(revision: number): void {
    if (revision > this.#revision) throw new RevisionAheadError(revision, this.#revision);
    if (revision < this.#compactRevision) {
      throw new RevisionCompactedError(revision, this.#compactRevision);
    }
  }

  #markIfDeleted(version: KeyVersion): void {
    if (version.deleted) this.#tombstones.add(version.key);
    else this.#tombstones.delete(version.key);
  }

  /**
   * How many keys of a range existed at a revision. From the number of keys known now, less those
   * that are gone, and back over what changed since; by looking at each where that is less work.
   */
  #count(range: { prefix: string; after: string; revision: number }): number {
    this.#mustBeReadable(range.revision);
    const known = this.#index.count(range);
    const corrections = this.#tombstones.size + this.history.countAfter(range.revision);
    if (corrections > known) return this.#countOneByOne(range);
    const isInside = (key: string): boolean => key > range.after && key.startsWith(range.prefix);
    let count = known;
    for (const key of this.#tombstones) if (isInside(key)) count -= 1;
    const seen = new Set<string>();
    this.history.visitAfter(range.revision, ({ key }) => {
      if (!isInside(key) || seen.has(key)) return true;
      seen.add(key);
      if (!this.#tombstones.has(key)) count -= 1;
      if (this.#stateAt(key, range.revision) !== undefined) count += 1;
      return true;
    });
    return count;
  }

  #countOneByOne(range: { prefix: string; after: string; revision: number }): number {
    let count = 0;
    this.#index.walk(range, (key) => {
      if (this.#stateAt(key, range.revision) !== undefined) count += 1;
      return true;
    });
    return count;
  }

  #stateAt(key: string, revision: number): KeyVersion | undefined {
    let version = this.#newest.get(key);
    while (version !== undefined && version.revision > revision) version = version.previous;
    return version === undefined || version.deleted ? undefined : version;
  }

  #applyOne(version: KeyVersion): void {
    const previous = this.#newest.get(version.key);
    if (previous === undefined) this.#index.add(version.key);
    this.#markIfDeleted(version);
    version.previous = previous;
    this.#keyUnits += version.key.length;
    this.#newest.set(version.key, version);
    this.history.push(version);
    this.#revision = version.revision;
  }

  /** A change that is forgotten needs the state it replaced no longer. */
  #forgetUpTo(revision: number): void {
    for (;;) {
      const version = this.history.first();
      if (version === undefined || version.revision > revision) return;
      this.history.shift();
      if (version.previous !== undefined) {
        this.heap.release(version.previous);
        this.#keyUnits -= version.key.length;
        version.previous = undefined;
      }
      if (version.deleted && this.#newest.get(version.key) === version) {
        this.#newest.delete(version.key);
        this.#keyUnits -= version.key.length;
        this.#tombstones.delete(version.key);
        this.#index.remove(version.key);
      }
    }
  }
}
