/**
 * Gives aggregated ClusterRoles the rules of the roles that they select. In a cluster the controller
 * manager does it; here it is part of the plane, unless it is told that there is one. Follows the store,
 * and writes a turn after the commit that made it necessary.
 */
import type { Timer } from "@homeostat/concurrency";
import { ApiError, type JsonObject } from "@homeostat/object-model";
import type { ClusterRole, PolicyRule } from "@homeostat/object-model/rbac-v1";
import { type KeyValue, StoreClosedError, type StoreEvent } from "@homeostat/store";
import { fieldManagerOf } from "../managed-fields/served-field-manager.ts";
import type { Plane } from "../registry/plane.ts";
import type { Registry } from "../registry/registry.ts";
import type { StoredKind } from "../registry/served-resource.ts";
import { partsOfKey } from "../registry/storage-key.ts";
import { decodeStored } from "../registry/stored-object.ts";
import type { WriteScope } from "../registry/write-scope.ts";
import { gatheredRules, gatheringOf, keyOfRule } from "./gathered-rules.ts";
import { MASTERS } from "./rbac-authorizer.ts";
import { RBAC_GROUP } from "./rbac-policy.ts";

export const AGGREGATION_MANAGER = "clusterrole-aggregation-controller";

const RETRY = 1_000;

const SCOPE: WriteScope = {
  namespace: "",
  subresource: "",
  dryRun: false,
  user: { username: "system:apiserver", groups: [MASTERS] },
};

export class RoleAggregation implements Disposable {
  readonly #plane: Plane;
  readonly #registry: Registry;
  readonly #kind: StoredKind;
  readonly #roles = new Map<string, ClusterRole>();
  /** The names of the roles that gather, which are few. */
  readonly #aggregated = new Map<string, NonNullable<ReturnType<typeof gatheringOf>>>();
  /** Names of roles to look at, in order. */
  readonly #queue = new Set<string>();
  #stopObserving: (() => void) | undefined;
  #retry: Timer | undefined;
  #working = false;
  #isLoaded = false;

  constructor(plane: Plane, registry: Registry) {
    this.#plane = plane;
    this.#registry = registry;
    this.#kind = plane.table.findStored(RBAC_GROUP, "clusterroles")!;
  }

  /** `isCurrent`: whoever wrote what the store holds has gathered the rules already. */
  start({ isCurrent }: { readonly isCurrent: boolean }): void {
    const { store } = this.#plane;
    const { prefix } = this.#kind;
    this.#stopObserving = store.observe(prefix, (event) => this.#follow(event));
    if (!isCurrent) this.#load();
  }

  #load(): void {
    this.#isLoaded = true;
    const { items } = this.#plane.store.list({ prefix: this.#kind.prefix });
    for (const item of items) this.#set(this.#nameOf(item.key), item);
    for (const name of this.#aggregated.keys()) {
      if (this.#newRules(name) !== undefined) this.#enqueue(name);
    }
  }

  [Symbol.dispose](): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
    this.#retry?.cancel();
    this.#queue.clear();
  }

  #follow({ key, current }: StoreEvent): void {
    if (!this.#isLoaded) {
      this.#load();
      return;
    }
    const name = this.#nameOf(key);
    const before = this.#roles.get(name);
    this.#set(name, current);
    const after = this.#roles.get(name);
    for (const [other, gathering] of this.#aggregated) {
      const concerns = (role: ClusterRole | undefined): boolean =>
        role !== undefined && gathering.some((isGathered) => isGathered(role));
      if (other === name || concerns(before) || concerns(after)) this.#enqueue(other);
    }
  }

  #nameOf(key: string): string {
    return partsOfKey(this.#kind, key).name;
  }

  #set(name: string, state: KeyValue | undefined): void {
    this.#roles.delete(name);
    this.#aggregated.delete(name);
    if (state === undefined) return;
    const role = decodeStored(state.value, state.revision) as ClusterRole;
    this.#roles.set(name, role);
    const gathering = gatheringOf(role);
    if (gathering !== undefined) this.#aggregated.set(name, gathering);
  }

  #enqueue(name: string): void {
    this.#queue.add(name);
    if (this.#working || this.#stopObserving === undefined) return;
    this.#working = true;
    this.#plane.clock.endOfTurn(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (const name of this.#queue) {
      this.#queue.delete(name);
      try {
        await this.#sync(name);
      } catch (error) {
        if (error instanceof StoreClosedError || this.#stopObserving === undefined) break;
        // Deleted meanwhile: its event has said so.
        if (!ApiError.is(error, "NotFound")) this.#retryLater(name);
      }
    }
    this.#working = false;
  }

  #retryLater(name: string): void {
    this.#retry?.cancel();
    this.#retry = this.#plane.clock.setTimer(RETRY, () => {
      for (const other of [name, ...this.#aggregated.keys()]) this.#enqueue(other);
    });
    this.#retry.unref();
  }

  /** What a role should have; undefined where it has it. */
  #newRules(name: string): PolicyRule[] | undefined {
    const role = this.#roles.get(name);
    const rules = role && gatheredRules(role, this.#roles.values());
    return rules === undefined || isSame(rules, role?.rules ?? []) ? undefined : rules;
  }

  async #sync(name: string): Promise<void> {
    const rules = this.#newRules(name);
    if (rules === undefined) return;
    const { table, clock } = this.#plane;
    const manager = fieldManagerOf(table.find(RBAC_GROUP, "v1", "clusterroles")!, "", table);
    const { kind, apiVersion } = this.#kind;
    const gathered = rules.length === 0 ? {} : { rules };
    const configuration = { kind, apiVersion, metadata: { name }, ...gathered };
    await this.#registry.of(this.#kind).update(name, SCOPE, (old) => {
      if (old === undefined) throw ApiError.notFound(this.#kind.groupResource, name);
      const { object } = manager.apply(
        old as unknown as JsonObject,
        configuration as unknown as JsonObject,
        { manager: AGGREGATION_MANAGER, now: clock.now(), force: true },
      );
      return object;
    });
  }
}

function isSame(one: readonly PolicyRule[], other: readonly PolicyRule[]): boolean {
  return one.map(keyOfRule).join() === other.map(keyOfRule).join();
}
