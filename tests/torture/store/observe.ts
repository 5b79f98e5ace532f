import { hash } from "node:crypto";
import {
  type KeyValue,
  RevisionCompactedError,
  type Store,
  type StoreEvent,
} from "@homeostat/store";
import type { Observation, SeenEvent, SeenKey } from "./report.ts";

/** Reads everything a store shows: oldest state, history by a watch, present state. */
export async function observe(store: Store): Promise<Observation> {
  for (;;) {
    try {
      return await observeOnce(store);
    } catch (error) {
      // Compaction went on while we read.
      if (!(error instanceof RevisionCompactedError)) throw error;
    }
  }
}

async function observeOnce(store: Store): Promise<Observation> {
  const { revision, compactRevision } = store;
  const oldest = store.list({ prefix: "", revision: compactRevision }).items.map(seenKey);
  const current = store.list({ prefix: "", revision }).items.map(seenKey);
  const events: SeenEvent[] = [];
  if (revision > compactRevision) {
    await using watch = store.watch({ prefix: "", after: compactRevision, bufferSize: 1_000_000 });
    for await (const batch of watch) {
      for (const event of batch.events) {
        if (event.revision <= revision) events.push(seenEvent(event));
      }
      if (batch.revision >= revision) break;
    }
  }
  const { commitMode } = store.statistics();
  return { revision, compactRevision, commitMode, oldest, events, current };
}

export function seenEvent(event: StoreEvent): SeenEvent {
  const { type, key, revision, current, previous } = event;
  return {
    type,
    key,
    revision,
    current: current && seenKey(current),
    previous: previous && seenKey(previous),
  };
}

export function hashOf(value: Uint8Array): string {
  return hash("sha1", value, "hex").slice(0, 20);
}

function seenKey(state: KeyValue): SeenKey {
  const { key, revision, createRevision, version } = state;
  return { key, revision, createRevision, version, hash: hashOf(state.value) };
}
