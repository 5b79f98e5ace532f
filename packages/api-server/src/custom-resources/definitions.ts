/**
 * Custom resources: what clients define and this server then serves like any other resource. Start
 * here: a definition that is committed changes at once what the plane's table holds, and its status
 * follows a turn later (names accepted, established; when deleted, its objects first). One version of
 * a definition is serve-definition.ts; the decisions are resources/definition-status.ts.
 */
import type { Timer } from "@homeostat/concurrency";
import {
  ApiError,
  equalJson,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
} from "@homeostat/object-model";
import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import { StoreClosedError, type StoreEvent } from "@homeostat/store";
import { fieldManagerOf } from "../managed-fields/served-field-manager.ts";
import { deleteObject } from "../registry/delete-object.ts";
import type { Plane } from "../registry/plane.ts";
import type { Registry } from "../registry/registry.ts";
import type { ServedResource, StoredKind } from "../registry/served-resource.ts";
import { partsOfKey } from "../registry/storage-key.ts";
import { decodeStored } from "../registry/stored-object.ts";
import type { WriteScope } from "../registry/write-scope.ts";
import {
  acceptNames,
  CLEANUP_FINALIZER,
  type DefinitionOutline,
  establish,
  hasCondition,
  judgeApproval,
  TERMINATING,
  withCondition,
} from "../resources/definition-status.ts";
import { converterOf } from "./converter-of.ts";
import { serveDefinition } from "./serve-definition.ts";
import { structuralVersionSchema } from "./structural-version-schema.ts";

const RESOURCE = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };
const RETRY = 1_000;
/** After so long without an end, a deletion says what it waits for. */
const OVERDUE = 60_000;

/** Who writes the status of definitions. */
const SERVER: WriteScope["user"] = { username: "system:apiserver", groups: ["system:masters"] };

type Status = NonNullable<CustomResourceDefinition["status"]>;

/** What is served of one definition, for as long as what it says stays the same. */
interface Serving {
  readonly said: JsonValue;
  terminating: boolean;
}

export class Definitions implements Disposable {
  readonly #plane: Plane;
  readonly #registry: Registry;
  readonly #kind: StoredKind;
  readonly #servings = new Map<string, Serving>();
  /** What others need to know of each definition, so that nobody decodes all of them. */
  readonly #outlines = new Map<string, DefinitionOutline>();
  /** Names of definitions to look at, in order. */
  readonly #queue = new Set<string>();
  /** Deletions that wait for their objects to go, by the definition's name. */
  readonly #emptying = new Map<string, Emptying>();
  readonly #timers = new Set<Timer>();
  #stopObserving: (() => void) | undefined;
  #working = false;

  constructor(plane: Plane, registry: Registry) {
    this.#plane = plane;
    this.#registry = registry;
    this.#kind = plane.table.findStored(RESOURCE.group, RESOURCE.resource)!;
  }

  /** Serves what the store holds, and follows every commit from now on. */
  start(): void {
    const { store } = this.#plane;
    this.#stopObserving = store.observe(this.#kind.prefix, (event) => this.#follow(event));
    const { items } = store.list({ prefix: this.#kind.prefix });
    for (const { value, revision } of items) {
      const definition = definitionOf(decodeStored(value, revision));
      this.#serve(definition);
      this.#enqueue(definition.metadata.name!);
    }
  }

  [Symbol.dispose](): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
    this.#queue.clear();
    for (const emptying of this.#emptying.values()) emptying.stop();
    for (const timer of this.#timers) timer.cancel();
  }

  #follow({ key, current, revision }: StoreEvent): void {
    const { name } = partsOfKey(this.#kind, key);
    if (current === undefined) {
      this.#servings.delete(name);
      this.#outlines.delete(name);
      this.#emptying.get(name)?.stop();
      this.#emptying.delete(name);
      this.#plane.table.replaceCustom(name, []);
    } else this.#serve(definitionOf(decodeStored(current.value, revision)));
    this.#enqueue(name);
  }

  #serve(definition: CustomResourceDefinition): void {
    const { table } = this.#plane;
    const { name = "", uid = "", generation = 0 } = definition.metadata;
    this.#outlines.set(name, outlineOf(definition));
    const isServed =
      hasCondition(definition, "NamesAccepted") || hasCondition(definition, "Established");
    if (!isServed) {
      this.#servings.delete(name);
      table.replaceCustom(name, []);
      return;
    }
    const accepted = (definition.status?.acceptedNames ?? {}) as unknown as JsonValue;
    const said: JsonValue = [uid, generation, accepted];
    const known = this.#servings.get(name);
    const terminating = hasCondition(definition, "Terminating");
    if (known !== undefined && equalJson(known.said, said)) {
      known.terminating = terminating;
      return;
    }
    const serving: Serving = { said, terminating };
    this.#servings.set(name, serving);
    table.replaceCustom(
      name,
      this.#resources(definition, () => serving.terminating),
    );
  }

  #resources(
    definition: CustomResourceDefinition,
    isTerminating: () => boolean,
  ): readonly ServedResource[] {
    return serveDefinition(definition, {
      schemaOf: (version) => structuralVersionSchema(version.schema?.openAPIV3Schema),
      converter: converterOf(definition, this.#plane),
      isTerminating,
    });
  }

  #enqueue(name: string): void {
    this.#queue.add(name);
    if (this.#working) return;
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
        // Changed or deleted meanwhile: its event has brought it here again.
        if (ApiError.is(error, "Conflict") || ApiError.is(error, "NotFound")) continue;
        this.#after(RETRY, () => this.#enqueue(name));
      }
    }
    this.#working = false;
  }

  #after(delay: number, then: () => void): Timer {
    const timer = this.#plane.clock.setTimer(delay, () => {
      this.#timers.delete(timer);
      then();
    });
    timer.unref();
    this.#timers.add(timer);
    return timer;
  }

  async #sync(name: string): Promise<void> {
    const definition = this.#find(name);
    if (definition === undefined) {
      // It has freed its names.
      for (const [other, outline] of this.#outlines) {
        if (!hasCondition(outline, "NamesAccepted")) this.#enqueue(other);
      }
      return;
    }
    const now = this.#plane.clock.now();
    const status =
      acceptNames(definition, this.#outlines.values(), now) ??
      establish(definition, now) ??
      judgeApproval(definition, now);
    if (status !== undefined) {
      await this.#write(definition, status);
      return;
    }
    const { deletionTimestamp, finalizers = [] } = definition.metadata;
    if (deletionTimestamp && finalizers.includes(CLEANUP_FINALIZER)) {
      await this.#finalize(definition);
    }
  }

  async #finalize(definition: CustomResourceDefinition): Promise<void> {
    const name = definition.metadata.name!;
    if (!hasCondition(definition, "Established")) {
      await this.#release(definition, TERMINATING.neverEstablished);
      return;
    }
    const kind = this.#resources(allServed(definition), () => true)[0]!.stored;
    let emptying = this.#emptying.get(name);
    if (emptying === undefined) {
      emptying = this.#beginEmptying(name, kind);
      await this.#write(definition, this.#terminating(definition, TERMINATING.inProgress));
      await this.#deleteObjects(kind);
    }
    if (!this.#isEmpty(kind)) {
      const reason = definition.status?.conditions?.find(({ type }) => type === "Terminating");
      if (emptying.isOverdue && reason?.reason !== TERMINATING.overdue.reason) {
        await this.#write(definition, this.#terminating(definition, TERMINATING.overdue));
      }
      return;
    }
    const latest = this.#find(name);
    if (latest !== undefined) await this.#release(latest, TERMINATING.completed);
  }

  #beginEmptying(name: string, kind: StoredKind): Emptying {
    const stopObserving = this.#plane.store.observe(kind.prefix, ({ type }) => {
      if (type === "deleted" && this.#isEmpty(kind)) this.#enqueue(name);
    });
    const timer = this.#after(OVERDUE, () => {
      emptying.isOverdue = true;
      this.#enqueue(name);
    });
    const emptying: Emptying = {
      isOverdue: false,
      stop: () => {
        stopObserving();
        timer.cancel();
        this.#timers.delete(timer);
      },
    };
    this.#emptying.set(name, emptying);
    return emptying;
  }

  async #deleteObjects(kind: StoredKind): Promise<void> {
    const repository = this.#registry.of(kind);
    const { items } = this.#plane.store.list({ prefix: kind.prefix });
    for (const key of items.map((item) => item.key)) {
      const { namespace, name } = partsOfKey(kind, key);
      try {
        await deleteObject(repository, { name, options: {} }, scopeIn(namespace, ""));
      } catch (error) {
        if (!ApiError.is(error, "NotFound")) throw error;
      }
    }
  }

  #isEmpty({ prefix }: StoredKind): boolean {
    return this.#plane.store.list({ prefix, limit: 1 }).items.length === 0;
  }

  #terminating(
    definition: CustomResourceDefinition,
    condition: (typeof TERMINATING)[keyof typeof TERMINATING],
  ): Status {
    return withCondition(definition.status ?? NO_STATUS, condition, this.#plane.clock.now());
  }

  /** The definition may go. */
  async #release(
    definition: CustomResourceDefinition,
    condition: (typeof TERMINATING)[keyof typeof TERMINATING],
  ): Promise<void> {
    await this.#write(definition, this.#terminating(definition, condition), { releases: true });
  }

  async #write(
    definition: CustomResourceDefinition,
    status: Status,
    { releases = false }: { readonly releases?: boolean } = {},
  ): Promise<void> {
    const changed = structuredClone({ ...definition, status });
    const { metadata } = changed;
    if (releases) {
      metadata.finalizers = metadata.finalizers?.filter((each) => each !== CLEANUP_FINALIZER) ?? [];
    }
    const { table, clock } = this.#plane;
    const served = table.find(RESOURCE.group, "v1", RESOURCE.resource)!;
    const manager = fieldManagerOf(served, "status", table);
    manager.update(definition as unknown as JsonObject, changed, {
      manager: "kube-apiserver",
      now: clock.now(),
    });
    const repository = this.#registry.of(this.#kind);
    await repository.update(metadata.name!, scopeIn("", "status"), () => changed);
  }

  #find(name: string): CustomResourceDefinition | undefined {
    const found = this.#registry.of(this.#kind).find("", name);
    return found && definitionOf(decodeStored(found.value, found.revision));
  }
}

function outlineOf({ spec, status }: CustomResourceDefinition): DefinitionOutline {
  const { acceptedNames, conditions } = status ?? {};
  return {
    spec: { group: spec.group },
    status: { ...(acceptedNames && { acceptedNames }), ...(conditions && { conditions }) },
  };
}

interface Emptying {
  isOverdue: boolean;
  stop(): void;
}

function scopeIn(namespace: string, subresource: string): WriteScope {
  return { namespace, subresource, dryRun: false, user: SERVER };
}

const NO_STATUS: Status = {};

/** What the store holds under the prefix of definitions is a definition. */
function definitionOf(object: KubernetesObject): CustomResourceDefinition {
  return object as CustomResourceDefinition;
}

/** Objects of a version that is served no more have to go too. */
function allServed(definition: CustomResourceDefinition): CustomResourceDefinition {
  const versions = definition.spec.versions.map((version) => ({ ...version, served: true }));
  return { ...definition, spec: { ...definition.spec, versions } };
}
