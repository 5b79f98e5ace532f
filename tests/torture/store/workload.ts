import type { SeededRandom } from "@homeostat/concurrency";
import type { Operation, Store } from "@homeostat/store";

/** What one writer does next. */
export type Step =
  | { readonly kind: "write"; readonly operation: Operation }
  | { readonly kind: "transaction"; readonly operations: readonly Operation[] }
  | { readonly kind: "compact"; readonly revision: number };

export interface WorkloadOptions {
  readonly store: Store;
  readonly random: SeededRandom;
  /**
   * "small": objects of a few hundred bytes to some KiB, and now and then a large one.
   * "large": so much data that checkpoints and log cleaning happen within moments.
   */
  readonly profile: "small" | "large";
}

const namespaces = 4;
const keysPerNamespace = 40;
const blobs = 12;
/** Written so seldom that their records grow old: log cleaning has to carry them along. */
const settings = 500;

/**
 * A random mixture of everything the store offers: creates that may meet a key, blind and compared
 * updates, deletes, transactions with checks, compactions; comparisons that must fail included.
 */
export class Workload {
  readonly #options: WorkloadOptions;

  constructor(options: WorkloadOptions) {
    this.#options = options;
  }

  /** `id` makes the values of this step unlike all others. */
  next(id: string): Step {
    const { random, store } = this.#options;
    const chance = random.below(100);
    if (chance < 1) {
      const revision = Math.max(store.revision - random.below(300), 0);
      return { kind: "compact", revision };
    }
    if (chance < 20) {
      const keys = new Set(Array.from({ length: 2 + random.below(3) }, () => this.#key()));
      const operations = [...keys].map((key, index) => this.#operation(key, `${id}.${index}`));
      return { kind: "transaction", operations: [...operations, ...this.#check(keys)] };
    }
    return { kind: "write", operation: this.#operation(this.#key(), id) };
  }

  #operation(key: string, id: string): Operation {
    const { random, store } = this.#options;
    const found = store.get(key);
    const chance = random.below(100);
    // Mostly what can succeed, but other writers are under way, and sometimes what cannot.
    if (found === undefined ? chance < 90 : chance < 5) {
      return { type: "create", key, value: this.#value(id) };
    }
    const expectedRevision = this.#expectation(found?.revision);
    if (chance < 25) return { type: "delete", key, expectedRevision };
    return { type: "update", key, value: this.#value(id), expectedRevision };
  }

  #check(keys: ReadonlySet<string>): Operation[] {
    const { random, store } = this.#options;
    const key = this.#key();
    if (keys.has(key) || random.below(2) === 0) return [];
    return [{ type: "check", key, expectedRevision: store.get(key)?.revision ?? 0 }];
  }

  #expectation(revision: number | undefined): number | undefined {
    const chance = this.#options.random.below(10);
    if (chance < 3 || revision === undefined) return undefined;
    return chance < 9 ? revision : Math.max(revision - 1, 0);
  }

  #key(): string {
    const { random, profile } = this.#options;
    if (profile === "large" && random.below(2) === 0) return `blobs/${random.below(blobs)}`;
    if (random.below(20) === 0) return `settings/${random.below(settings)}`;
    const kind = random.below(3) === 0 ? "services" : "pods";
    return `${kind}/namespace-${random.below(namespaces)}/object-${random.below(keysPerNamespace)}`;
  }

  #value(id: string): Uint8Array {
    const { random, profile } = this.#options;
    const chance = random.below(100);
    let length = 200 + random.below(1_500);
    if (chance < 2) length = 0;
    else if (chance < 4) length = 16_000 + random.below(40_000);
    else if (profile === "large" && chance < 30) length = 100_000 + random.below(200_000);
    // Chance alone is no proof that values differ.
    const name = Buffer.from(`${id} `);
    const value = Buffer.from(random.bytes(name.length + length).buffer);
    value.set(name);
    return value;
  }
}
