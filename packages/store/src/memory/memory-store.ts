import { type Clock, realClock } from "@homeostat/concurrency";
import type { CommitLog } from "../commit-log.ts";
import type { CompactionPolicy } from "../compaction-policy.ts";
import { Keyspace } from "../keyspace.ts";
import { RevisionedStore } from "../revisioned-store.ts";
import type { Store } from "../store.ts";

export interface MemoryStoreOptions {
  /** Default: the real clock. */
  readonly clock?: Clock;
  readonly compaction?: CompactionPolicy;
}

/** Durable for as long as the process lives: commits have nothing to wait for. */
const memoryLog: CommitLog = {
  mode: "memory",
  append: () => undefined,
  close: () => Promise.resolve(),
};

/** A store that lives and dies with the process: for tests, exploration and ephemeral planes. */
export function openMemoryStore(options: MemoryStoreOptions = {}): Store {
  return new RevisionedStore({
    clock: options.clock ?? realClock,
    keyspace: new Keyspace(),
    log: memoryLog,
    compaction: options.compaction ?? {},
  });
}
