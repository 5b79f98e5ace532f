import type { KeyValue, Store } from "@homeostat/store";

/** Everything a store holds that must survive an upgrade, as plain data. */
export interface StoreContents {
  readonly revision: number;
  readonly compactRevision: number;
  readonly states: readonly KeyState[];
  readonly atCompactRevision: readonly KeyState[];
  /** `REVISION TYPE KEY` of every kept change, in order. */
  readonly changes: readonly string[];
}

interface KeyState {
  readonly key: string;
  readonly text: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly version: number;
  readonly expiresAt?: number;
}

export async function readContents(store: Store): Promise<StoreContents> {
  const { revision, compactRevision } = store;
  const changes: string[] = [];
  await using watch = store.watch({ prefix: "", after: compactRevision });
  watch.requestProgress();
  for await (const batch of watch) {
    for (const event of batch.events) changes.push(`${event.revision} ${event.type} ${event.key}`);
    if (batch.revision === revision) break;
  }
  return {
    revision,
    compactRevision,
    states: store.list({ prefix: "" }).items.map(stateOf),
    atCompactRevision: store.list({ prefix: "", revision: compactRevision }).items.map(stateOf),
    changes,
  };
}

function stateOf(item: KeyValue): KeyState {
  const { key, revision, createRevision, version, expiresAt } = item;
  const text = Buffer.from(item.value).toString();
  return {
    key,
    text,
    revision,
    createRevision,
    version,
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
