import type { Operation, Refused, Store, TransactionResult, WriteResult } from "@homeostat/store";

/**
 * A planted bug: a store whose writes are answered when they are decided instead of when they are
 * durable, as if group commit forgot to wait. The answers are the right ones (writes are decided in
 * the order of the calls, so that they can be foretold), only too early.
 */
export function acknowledgeBeforeCommit(store: Store): Store {
  const foretold = new Foretelling(store);
  const early = (operations: readonly Operation[], write: Promise<unknown>) => {
    write.catch(() => undefined);
    return Promise.resolve(foretold.decide(operations));
  };
  const changed = {
    create: (...args: Parameters<Store["create"]>) =>
      early([{ type: "create", key: args[0], value: args[1] }], store.create(...args)),
    update: (...args: Parameters<Store["update"]>) =>
      early([{ type: "update", key: args[0], value: args[1], ...args[2] }], store.update(...args)),
    delete: (...args: Parameters<Store["delete"]>) =>
      early([{ type: "delete", key: args[0], ...args[1] }], store.delete(...args)),
    transaction: (operations: readonly Operation[]) =>
      early(operations, store.transaction(operations)),
  };
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(changed, name)) return changed[name as keyof typeof changed];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Knows the revision of every key, pending writes included. */
class Foretelling {
  readonly #revisions = new Map<string, number>();
  #revision: number;

  constructor(store: Store) {
    this.#revision = store.revision;
    for (const { key, revision } of store.list({ prefix: "" }).items)
      this.#revisions.set(key, revision);
  }

  decide(operations: readonly Operation[]): WriteResult & TransactionResult {
    const refused = operations.some((operation) => this.#isRefused(operation));
    if (refused) return { outcome: "refused" } as Refused;
    if (operations.some(({ type }) => type !== "check")) this.#revision += 1;
    for (const { type, key } of operations) {
      if (type === "delete") this.#revisions.delete(key);
      else if (type !== "check") this.#revisions.set(key, this.#revision);
    }
    // The torture writer looks at nothing else.
    return { outcome: "committed", revision: this.#revision } as WriteResult & TransactionResult;
  }

  #isRefused(operation: Operation): boolean {
    const found = this.#revisions.get(operation.key) ?? 0;
    if (operation.type === "create") return found !== 0;
    if (operation.type === "check") return found !== operation.expectedRevision;
    if (found === 0) return true;
    return operation.expectedRevision !== undefined && operation.expectedRevision !== found;
  }
}
