import { eventOf, type KeyVersion } from "./key-version.ts";
import type { Keyspace } from "./keyspace.ts";
import type { StoreEvent, WatchBatch, WatchOptions } from "./store.ts";
import { RevisionAheadError, RevisionCompactedError, type StoreError } from "./store-error.ts";
import { StoreWatch } from "./store-watch.ts";

/** Watchers of one prefix hear the same batches. */
interface Audience {
  readonly prefix: string;
  readonly watchers: Set<StoreWatch>;
  readonly observers: Set<(event: StoreEvent) => void>;
  /** Events of the commit that is being published. */
  events: StoreEvent[];
}

/** How many changes a replay looks at before it hands over what it has. */
const replayChunk = 1024;

/**
 * Who hears of a commit. Watchers are grouped by prefix; a commit makes one batch per group, shared
 * by all its watchers, so that a thousand watchers cost a thousand wake-ups but one array.
 *
 * A watcher that starts in the past replays history in chunks, each read when the consumer asks for
 * it; with the chunk that reaches the present it joins its group in the same turn, so that no commit
 * can fall between.
 */
export class WatchHub {
  readonly #keyspace: Keyspace;
  readonly #audiences = new Map<string, Audience>();
  /** The distinct lengths of the prefixes, so that a key finds its groups by so many lookups. */
  #prefixLengths: number[] = [];
  readonly #watches = new Set<StoreWatch>();

  constructor(keyspace: Keyspace) {
    this.#keyspace = keyspace;
  }

  get watchers(): number {
    return this.#watches.size;
  }

  watch(options: WatchOptions): StoreWatch {
    const { prefix, after = this.#keyspace.revision, bufferSize = 1024, signal } = options;
    if (!(Number.isSafeInteger(bufferSize) && bufferSize >= 1)) {
      throw new RangeError(`bufferSize must be a whole number of at least 1, got ${bufferSize}`);
    }
    const watch: StoreWatch = new StoreWatch({
      after,
      bufferSize,
      signal,
      replay: (revision) => this.#replay(watch, prefix, revision),
      onEnd: () => this.#leave(watch, prefix),
    });
    this.#watches.add(watch);
    if (after === this.#keyspace.revision) this.#join(watch, prefix);
    if (signal?.aborted) watch.close();
    return watch;
  }

  /** Tells every watcher of a commit. */
  publish(versions: readonly KeyVersion[]): void {
    if (this.#audiences.size === 0) return;
    const addressed = new Set<Audience>();
    for (const version of versions) {
      let event: StoreEvent | undefined;
      for (const length of this.#prefixLengths) {
        if (length > version.key.length) break;
        const audience = this.#audiences.get(version.key.slice(0, length));
        if (audience === undefined) continue;
        event ??= eventOf(version);
        for (const observer of audience.observers) observer(event);
        if (audience.watchers.size === 0) continue;
        audience.events.push(event);
        addressed.add(audience);
      }
    }
    const { revision } = this.#keyspace;
    for (const audience of addressed) {
      const batch: WatchBatch = { events: audience.events, revision };
      audience.events = [];
      for (const watcher of audience.watchers) watcher.deliver(batch);
    }
  }

  observe(prefix: string, observer: (event: StoreEvent) => void): () => void {
    this.#audienceOf(prefix).observers.add(observer);
    return () => {
      this.#audiences.get(prefix)?.observers.delete(observer);
      this.#removeIfEmpty(prefix);
    };
  }

  /** Ends the watches whose undelivered events refer to states that compaction has forgotten. */
  endCompacted(): void {
    const { compactRevision } = this.#keyspace;
    for (const watch of this.#watches) {
      if (watch.isBehind(compactRevision)) {
        watch.end(new RevisionCompactedError(watch.lastRevision, compactRevision));
      }
    }
  }

  endAll(error: StoreError): void {
    for (const watch of this.#watches) watch.end(error);
  }

  /** The next chunk of history, or undefined when the watch has reached the present and is live. */
  #replay(watch: StoreWatch, prefix: string, after: number): WatchBatch | undefined {
    const { revision, compactRevision, history } = this.#keyspace;
    if (after > revision) throw new RevisionAheadError(after, revision);
    if (after < compactRevision) throw new RevisionCompactedError(after, compactRevision);
    const events: StoreEvent[] = [];
    let reached = revision;
    let seen = 0;
    let last = after;
    history.visitAfter(after, (version) => {
      if (seen >= replayChunk && version.revision !== last) {
        reached = last;
        return false;
      }
      seen += 1;
      last = version.revision;
      if (version.key.startsWith(prefix)) events.push(eventOf(version));
      return true;
    });
    if (reached === revision) this.#join(watch, prefix);
    return events.length > 0 || reached !== revision ? { events, revision: reached } : undefined;
  }

  #join(watch: StoreWatch, prefix: string): void {
    this.#audienceOf(prefix).watchers.add(watch);
    watch.goLive(this.#keyspace);
  }

  #audienceOf(prefix: string): Audience {
    let audience = this.#audiences.get(prefix);
    if (audience === undefined) {
      audience = { prefix, watchers: new Set(), observers: new Set(), events: [] };
      this.#audiences.set(prefix, audience);
      this.#countPrefixLengths();
    }
    return audience;
  }

  #leave(watch: StoreWatch, prefix: string): void {
    this.#watches.delete(watch);
    this.#audiences.get(prefix)?.watchers.delete(watch);
    this.#removeIfEmpty(prefix);
  }

  #removeIfEmpty(prefix: string): void {
    const audience = this.#audiences.get(prefix);
    if (audience?.watchers.size !== 0 || audience.observers.size !== 0) return;
    this.#audiences.delete(prefix);
    this.#countPrefixLengths();
  }

  #countPrefixLengths(): void {
    const lengths = new Set([...this.#audiences.keys()].map((prefix) => prefix.length));
    this.#prefixLengths = [...lengths].sort((a, b) => a - b);
  }
}
