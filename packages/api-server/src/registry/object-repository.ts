import { ApiError, type JsonObject, type KubernetesObject } from "@homeostat/object-model";
import type { KeyValue, Operation } from "@homeostat/store";
import type { AdmittedChange } from "../admission/admission.ts";
import { keepTimes } from "../managed-fields/keep-times.ts";
import { companionOperations } from "./companion-commit.ts";
import { decodeInTurns } from "./decode-large.ts";
import { isReleased } from "./deletion-plan.ts";
import { keepObject, refreshFound, refreshWritten } from "./kept-object.ts";
import { mendMutated } from "./mend-mutated.ts";
import type { Plane } from "./plane.ts";
import { PlaneReader } from "./plane-reader.ts";
import { prepareChanged, prepareNew } from "./prepare-draft.ts";
import type { StoredKind } from "./served-resource.ts";
import { objectKeyIn } from "./storage-key.ts";
import { decodeStored, isLargeObject, isLargeStored, isSameObject } from "./stored-object.ts";
import type { WriteContext } from "./strategy.ts";
import { generateName, metadataOf } from "./system-metadata.ts";
import {
  checkPlace,
  checkPreconditions,
  checkUnsigned,
  resourceVersionSet,
  uidConflict,
  versionOf,
} from "./write-preconditions.ts";
import type { ObjectState, WriteOutcome, WriteScope } from "./write-scope.ts";

const NAME_TRIES = 8;

/** Makes the new object from the old one; `undefined` when there is none. May refuse by throwing. */
export type Produce = (
  old: Readonly<KubernetesObject> | undefined,
) => KubernetesObject | Promise<KubernetesObject>;

/**
 * All objects of one kind, in the version that is kept. Writes here have passed decoding and
 * defaulting; this is the order of everything after that, for every kind alike.
 */
export class ObjectRepository {
  readonly kind: StoredKind;
  readonly #plane: Plane;
  readonly #reader: PlaneReader;

  constructor(kind: StoredKind, plane: Plane) {
    this.kind = kind;
    this.#plane = plane;
    this.#reader = new PlaneReader(plane);
  }

  /** Use or copy its value before waiting for anything. */
  find(namespace: string, name: string): KeyValue | undefined {
    return this.#plane.store.get(objectKeyIn(this.kind, namespace, name));
  }

  /** As this kind has it now: a promise where that has to be asked for elsewhere. */
  get(namespace: string, name: string): KeyValue | Promise<KeyValue> {
    const found = this.find(namespace, name);
    if (found === undefined) throw ApiError.notFound(this.kind.groupResource, name);
    return refreshFound(this.kind, found);
  }

  contextOf(scope: WriteScope, operation: WriteContext["operation"]): WriteContext {
    const { clock, random, settings } = this.#plane;
    return {
      operation,
      subresource: scope.subresource,
      dryRun: scope.dryRun,
      now: clock.now(),
      random,
      user: scope.user,
      reader: this.#reader,
      settings,
      breathe: () => new Promise((resolve) => clock.endOfTurn(resolve)),
      warn: (text) => scope.warnings?.push(text),
      keepsManagedFields: scope.keepsManagedFields === true,
    };
  }

  async create(draft: KubernetesObject, scope: WriteScope): Promise<WriteOutcome> {
    const context = this.contextOf(scope, "create");
    const change: AdmittedChange = { operation: "CREATE", object: draft, old: undefined };
    const waiting = this.#mutate(change, scope);
    if (waiting !== undefined) await waiting;
    return this.#createAdmitted(change, scope, context);
  }

  async #createAdmitted(
    change: AdmittedChange,
    scope: WriteScope,
    context: WriteContext,
  ): Promise<WriteOutcome> {
    const draft = change.object!;
    const metadata = metadataOf(draft);
    const generated = !metadata.name && metadata.generateName ? metadata.generateName : undefined;
    for (let tries = 1; ; tries++) {
      if (generated !== undefined) metadata.name = generateName(generated, this.#plane.random);
      const prepared = prepareNew(this.kind, draft, context);
      if (prepared !== undefined) await prepared;
      if (scope.breathe !== undefined) await scope.breathe();
      scope.mayCreate?.();
      const waiting = this.#validate(change, scope);
      if (waiting !== undefined) await waiting;
      const confirm = (): void => {
        if (scope.admission !== undefined) this.#plane.admission.confirm(change, scope.admission);
      };
      confirm();
      scope.warnings?.push(...(this.kind.strategy.warnings?.(draft, undefined) ?? []));
      const outcome = await this.#commitNew(draft, context, confirm);
      if (outcome !== undefined) return refreshWritten(this.kind, { ...outcome, created: true });
      if (generated === undefined || tries >= NAME_TRIES)
        throw this.#existsError(metadata, generated);
    }
  }

  /** A small change of a large object takes its time too. */
  #breatheFor(old: Uint8Array, scope: WriteScope): (() => Promise<void>) | undefined {
    const { clock } = this.#plane;
    if (scope.breathe !== undefined || !isLargeStored(old)) return scope.breathe;
    return () => new Promise((resolve) => clock.endOfTurn(resolve));
  }

  /** Whoever changes an object, it stays where it was to be written. */
  #mutate(change: AdmittedChange, scope: WriteScope): Promise<void> | undefined {
    const { admission, warnings = [] } = scope;
    if (admission === undefined) return undefined;
    const managed = change.object?.metadata?.managedFields;
    const waiting = this.#plane.admission.mutate(change, admission);
    const finish = (): void => {
      const { object } = change;
      if (object !== undefined) mendMutated(object, { managed, warnings });
      checkPlace(this.kind, object, scope);
    };
    if (waiting !== undefined) return waiting.then(finish);
    finish();
    return undefined;
  }

  #validate(change: AdmittedChange, { admission }: WriteScope): Promise<void> | undefined {
    return admission && this.#plane.admission.validate(change, admission);
  }

  /** Asks everybody about a deletion, which nobody changes. */
  async admitDeletion(old: Readonly<KubernetesObject>, scope: WriteScope): Promise<void> {
    const change: AdmittedChange = { operation: "DELETE", object: undefined, old };
    await this.#mutate(change, scope);
    await this.#validate(change, scope);
  }

  /** Undefined when the name is taken. What was confirmed has to be again after waiting. */
  async #commitNew(
    draft: KubernetesObject,
    context: WriteContext,
    confirm: () => void,
  ): Promise<ObjectState | undefined> {
    const { store } = this.#plane;
    const { namespace = "", name = "" } = draft.metadata!;
    const key = objectKeyIn(this.kind, namespace, name);
    for (;;) {
      if (context.dryRun && store.get(key) !== undefined) return undefined;
      const companions = this.#companions({ object: draft, old: undefined }, context);
      let value = keepObject(this.kind, { object: draft, context });
      if (value instanceof Promise) {
        value = await value;
        confirm();
      }
      const given = versionOf(draft);
      if (context.dryRun) return { value, revision: given };
      if (given > 0) throw resourceVersionSet();
      const result =
        companions.length === 0
          ? await store.create(key, value, this.#lifetime())
          : await store.transaction([
              { type: "create", key, value, ...this.#lifetime() },
              ...companions,
            ]);
      if (result.outcome !== "refused") return { value, revision: result.revision };
      if (result.key === key) return undefined;
    }
  }

  #existsError(
    metadata: Readonly<{ name?: string; namespace?: string }>,
    generated?: string,
  ): ApiError {
    const { name = "", namespace = "" } = metadata;
    const { groupResource } = this.kind;
    if (generated !== undefined) return ApiError.generateNameConflict(groupResource, name);
    const found = this.find(namespace, name);
    const old = found && decodeStored(found.value, found.revision);
    const error = ApiError.alreadyExists(groupResource, name);
    if (!old?.metadata?.deletionTimestamp) return error;
    return new ApiError({
      reason: error.reason,
      message: `object is being deleted: ${error.message}`,
      details: error.details,
    });
  }

  /**
   * Reads, lets `produce` make the new object, and writes it unless somebody else wrote meanwhile;
   * then everything again, unless the new object names the version it is meant for.
   */
  async update(name: string, scope: WriteScope, produce: Produce): Promise<WriteOutcome> {
    for (;;) {
      const found = this.find(scope.namespace, name);
      if (found === undefined) {
        const created = await this.#createByUpdate(name, scope, produce);
        if (created !== undefined) return created;
        continue;
      }
      const { revision } = found;
      const fresh = refreshFound(this.kind, found);
      const { value } = fresh instanceof Promise ? await fresh : fresh;
      const breathe = this.#breatheFor(value, scope);
      const decoding = decodeInTurns({ value, revision }, breathe);
      const old = decoding instanceof Promise ? await decoding : decoding;
      if (breathe !== undefined) await breathe();
      const produced = await produce(old);
      if (breathe !== undefined) await breathe();
      const change: AdmittedChange = { operation: "UPDATE", object: produced, old };
      const mutating = this.#mutate(change, scope);
      if (mutating !== undefined) await mutating;
      const draft = change.object!;
      checkPreconditions(this.kind, { object: draft, old, revision }, scope);
      const context = this.contextOf(scope, "update");
      const prepared = prepareChanged(this.kind, { object: draft, old }, context);
      if (prepared !== undefined) await prepared;
      if (breathe !== undefined) await breathe();
      const validating = this.#validate(change, scope);
      if (validating !== undefined) await validating;
      const { strategy } = this.kind;
      const { subresource } = scope;
      const speaker = subresource === "" ? strategy : strategy.subresources?.[subresource];
      scope.warnings?.push(...(speaker?.warnings?.(draft, old) ?? []));
      const outcome = isReleased(draft, old, this.kind.strategy)
        ? await this.removeReleased(draft, old, { revision, context })
        : await this.#commitChanged(draft, old, { revision, context });
      if (outcome !== undefined) return refreshWritten(this.kind, { ...outcome, created: false });
    }
  }

  /** Undefined when somebody else created it meanwhile. */
  async #createByUpdate(
    name: string,
    scope: WriteScope,
    produce: Produce,
  ): Promise<WriteOutcome | undefined> {
    const { strategy, groupResource } = this.kind;
    const creates = strategy.createOnUpdate === true || scope.createIfAbsent === true;
    if (!creates || scope.subresource !== "") {
      throw ApiError.notFound(groupResource, name);
    }
    const draft = await produce(undefined);
    const { uid, resourceVersion } = metadataOf(draft);
    if (uid) {
      const key = objectKeyIn(this.kind, scope.namespace, name);
      throw uidConflict(this.kind, { key, uid, name, dryRun: scope.dryRun });
    }
    if (resourceVersion) checkUnsigned(resourceVersion);
    // A dry run shows it all the same.
    if (!scope.dryRun) delete metadataOf(draft).resourceVersion;
    try {
      return await this.create(draft, scope);
    } catch (error) {
      if (ApiError.is(error, "AlreadyExists")) return undefined;
      throw error;
    }
  }

  /** Undefined when somebody else wrote first. */
  async #commitChanged(
    draft: KubernetesObject,
    old: Readonly<KubernetesObject>,
    { revision, context }: { revision: number; context: WriteContext },
  ): Promise<ObjectState | undefined> {
    const { store } = this.#plane;
    const key = this.#keyOf(old);
    const companions = this.#companions({ object: draft, old }, context);
    // Only a dry run, which keeps nothing, shows it.
    if (!context.dryRun) delete draft.metadata!.selfLink;
    keepTimes(draft, old, (object) =>
      this.kind.codec.printUnordered(object, old as unknown as JsonObject),
    );
    const encoded = keepObject(this.kind, { object: draft, old, context });
    const value = encoded instanceof Promise ? await encoded : encoded;
    if (isLargeObject(draft)) await context.breathe();
    if (context.dryRun) return { value, revision };
    const lifetime = this.#lifetime();
    if (this.#holds(key, { value, revision })) return { value, revision };
    const options = { expectedRevision: revision, ...lifetime };
    const result =
      companions.length === 0
        ? await store.update(key, value, options)
        : await store.transaction([{ type: "update", key, value, ...options }, ...companions]);
    if (result.outcome === "refused") return undefined;
    return { value, revision: result.outcome === "unchanged" ? revision : result.revision };
  }

  /** Removes an object that only waited for this change. What was asked for is answered. */
  async removeReleased(
    draft: KubernetesObject,
    old: Readonly<KubernetesObject>,
    { revision, context }: { revision: number; context: WriteContext },
  ): Promise<ObjectState | undefined> {
    const value = await keepObject(this.kind, { object: draft, context });
    if (context.dryRun) return { value, revision };
    const removed = await this.remove(old, { revision, context });
    return removed === undefined ? undefined : { value, revision };
  }

  /** Removes the key with what depends on it; the revision of that, or undefined if it was changed. */
  async remove(
    old: Readonly<KubernetesObject>,
    { revision, context }: { revision: number; context: WriteContext },
  ): Promise<number | undefined> {
    const { store } = this.#plane;
    const key = this.#keyOf(old);
    const companions = this.#companions({ object: undefined, old }, context);
    const result =
      companions.length === 0
        ? await store.delete(key, { expectedRevision: revision })
        : await store.transaction([
            { type: "delete", key, expectedRevision: revision },
            ...companions,
          ]);
    return result.outcome === "refused" ? undefined : result.revision;
  }

  /** Writes an object as it is, without strategy or validation: the marks of a deletion. */
  async rewrite(
    object: KubernetesObject,
    { revision, context }: { revision: number; context: WriteContext },
  ): Promise<ObjectState | undefined> {
    const value = await keepObject(this.kind, { object, context });
    const key = this.#keyOf(object);
    if (context.dryRun || this.#holds(key, { value, revision })) {
      return refreshWritten(this.kind, { value, revision });
    }
    const options = { expectedRevision: revision, ...this.#lifetime() };
    const result = await this.#plane.store.update(key, value, options);
    if (result.outcome === "refused") return undefined;
    const isSame = result.outcome === "unchanged";
    return refreshWritten(this.kind, { value, revision: isSame ? revision : result.revision });
  }

  /** An update that the kind's rules do not see, tried again on races. */
  async updateUnchecked(
    name: string,
    scope: WriteScope,
    change: (current: KubernetesObject) => KubernetesObject | Promise<KubernetesObject>,
  ): Promise<ObjectState> {
    for (;;) {
      const found = this.get(scope.namespace, name);
      const { value, revision } = found instanceof Promise ? await found : found;
      const changed = await change(decodeStored(value, revision));
      const context = this.contextOf(scope, "update");
      const written = await this.rewrite(changed, { revision, context });
      if (written !== undefined) return written;
    }
  }

  #companions(
    change: { object: KubernetesObject | undefined; old: Readonly<KubernetesObject> | undefined },
    context: WriteContext,
  ): Operation[] {
    const companions = this.kind.strategy.companions?.(change, context) ?? [];
    return companions.length === 0 ? [] : companionOperations(companions, this.#plane);
  }

  /**
   * Whether this is there already, where the store itself would take it for a change: for its new
   * lifetime, or for the definition under which it was written.
   */
  #holds(key: string, { value, revision }: ObjectState): boolean {
    const { keeping, strategy } = this.kind;
    if (keeping === undefined && strategy.timeToLive === undefined) return false;
    const current = this.#plane.store.get(key);
    return current?.revision === revision && isSameObject(current.value, value);
  }

  #lifetime(): { timeToLive?: number } {
    const { timeToLive } = this.kind.strategy;
    return timeToLive === undefined ? {} : { timeToLive };
  }

  #keyOf(object: Readonly<KubernetesObject>): string {
    const { namespace = "", name = "" } = object.metadata!;
    return objectKeyIn(this.kind, namespace, name);
  }
}
