import type { Plant } from "./plant.ts";

/**
 * What a writer tells about itself, one JSON text per line. It tells of a write before it asks the
 * store for it, and of the answer as soon as it has it, by blocking writes: what it knew when it was
 * killed is known. Values are told by their hash; no two writes have the same value.
 */
export type Report =
  /** The store is open, and this was found in it. */
  | { readonly type: "opened"; readonly found: Observation }
  | { readonly type: "open-failed"; readonly code: string; readonly message: string }
  /** What the store shows while it runs, asked for. */
  | { readonly type: "observed"; readonly found: Observation }
  | {
      readonly type: "issued";
      readonly id: string;
      readonly operations: readonly IssuedOperation[];
    }
  /** `revision` is 0 where the answer used none (refused, unchanged). */
  | {
      readonly type: "answered";
      readonly id: string;
      readonly outcome: string;
      readonly revision: number;
    }
  | {
      readonly type: "failed";
      readonly id: string;
      readonly code: string;
      readonly message: string;
    }
  | { readonly type: "compacted"; readonly revision: number }
  | {
      readonly type: "watched";
      readonly watcher: string;
      readonly events: readonly SeenEvent[];
      readonly revision: number;
    }
  /** The watcher was cut and goes on after `revision`: where it was, or a list's revision. */
  | {
      readonly type: "rewatched";
      readonly watcher: string;
      readonly reason: "overflow" | "compacted";
      readonly revision: number;
    }
  | { readonly type: "closing" }
  | { readonly type: "closed" };

export interface IssuedOperation {
  readonly type: "create" | "update" | "delete" | "check";
  readonly key: string;
  readonly hash?: string;
  readonly expectedRevision?: number;
}

/** The state of a key as a read shows it. */
export interface SeenKey {
  readonly key: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly version: number;
  readonly hash: string;
}

export interface SeenEvent {
  readonly type: "added" | "modified" | "deleted";
  readonly key: string;
  readonly revision: number;
  /** Of the new state; undefined when deleted. */
  readonly current: SeenKey | undefined;
  /** Of the state before; undefined when added. */
  readonly previous: SeenKey | undefined;
}

/** Everything that reads and a watch from the beginning show. */
export interface Observation {
  readonly revision: number;
  readonly compactRevision: number;
  readonly commitMode: string;
  /** All keys at the compact revision, every event since, all keys now. */
  readonly oldest: readonly SeenKey[];
  readonly events: readonly SeenEvent[];
  readonly current: readonly SeenKey[];
}

/** What a writer is told to do, as one JSON text on its standard input; then "close" or "observe". */
export interface WriterOrder {
  readonly directory: string;
  /** Decides every choice of the workload. */
  readonly seed: string;
  /** Makes ids of writes unique over the incarnations. */
  readonly incarnation: number;
  readonly commitMode: "auto" | "loop" | "worker";
  readonly profile: "small" | "large";
  readonly writers: number;
  readonly watchers: readonly WatcherOrder[];
  readonly plant: Plant | undefined;
}

export interface WatcherOrder {
  readonly name: string;
  readonly prefix: string;
  readonly after: number;
  /** A slow watcher rests between batches, and is cut now and then. */
  readonly isSlow: boolean;
}
