import type { Store } from "@homeostat/store";
import type { StoredKind } from "../registry/served-resource.ts";

/** Objects that are looked at to tell how large one is. */
const SAMPLE = 20;

export interface ObjectCount {
  readonly count: number;
  /** Bytes, about. */
  readonly averageSize: number;
  /** Changes since somebody first wanted to know. */
  readonly events: number;
}

type Writable = { -readonly [Member in keyof ObjectCount]: ObjectCount[Member] };

/**
 * How many objects of a kind there are. They are counted when somebody first wants to know, and from
 * then on each commit says what changed.
 */
export class ObjectCounts implements Disposable {
  readonly #store: Store;
  readonly #kinds = new Map<string, Writable>();
  readonly #stops: (() => void)[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  of({ prefix }: Pick<StoredKind, "prefix">): ObjectCount {
    const known = this.#kinds.get(prefix);
    if (known !== undefined) return known;
    const { items } = this.#store.list({ prefix });
    const step = Math.max(1, Math.floor(items.length / SAMPLE));
    let bytes = 0;
    let looked = 0;
    for (let at = 0; at < items.length; at += step, looked++) bytes += items[at]!.value.length;
    const averageSize = looked === 0 ? 0 : bytes / looked;
    const entry: Writable = { count: items.length, averageSize, events: 0 };
    this.#kinds.set(prefix, entry);
    this.#stops.push(
      this.#store.observe(prefix, ({ type, current }) => {
        entry.events++;
        if (type === "added") {
          entry.count++;
          entry.averageSize +=
            (current!.value.length - entry.averageSize) / Math.min(entry.count, SAMPLE);
        } else if (type === "deleted") entry.count--;
      }),
    );
    return entry;
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#kinds.clear();
  }
}
