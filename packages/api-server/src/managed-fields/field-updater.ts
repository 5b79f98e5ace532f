import type { WorkSteps } from "@homeostat/cel";
import {
  equalJson,
  type JsonObject,
  type KubernetesObject,
  ownKey,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { ManagedFieldsEntry } from "@homeostat/object-model/meta-v1";
import {
  areDisjoint,
  difference,
  EMPTY_SET,
  type FieldSet,
  isEmptySet,
  MergeValueError,
  ShapeMemo,
  shapeOf,
  sharedFieldsV1,
  union,
  updateManagers,
  type VersionedValue,
} from "@homeostat/schema";
import { metadataOf } from "../registry/system-metadata.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import {
  entriesOrNone,
  entryOf,
  type Managed,
  noManagers,
  printEntries,
  printEntriesInSteps,
} from "./managed-entries.ts";
import type { ManagedKind } from "./managed-kind.ts";
import { UNMANAGED, uidOf, withoutForgotten, withoutMembers } from "./managed-object.ts";
import { wholeMembers } from "./reset-fields.ts";
import type { Writer } from "./writer.ts";

/** Stands for whoever updates until it is known whether anything changed. */
const CURRENT = "current-operation";

/** Who manages what after an object was written whole. */
export class FieldUpdater {
  readonly #kind: ManagedKind;
  readonly #firstSets = new ShapeMemo<FieldSet>();
  readonly #resetMembers: readonly string[];

  constructor(kind: ManagedKind) {
    this.#kind = kind;
    this.#resetMembers = wholeMembers(kind.resetFields);
  }

  /** As FieldManager.update. */
  *update(live: Readonly<JsonObject>, object: KubernetesObject, writer: Writer): WorkSteps<void> {
    const metadata = metadataOf(object);
    const given = metadata.managedFields;
    const managed = this.#managedOf(live, given);
    delete metadata.managedFields;
    if (managed.managers.size === 0 && uidOf(live) !== undefined) return;
    try {
      const written = { object: object as unknown as JsonObject, live, writer };
      const entries = yield* this.#entriesOf(managed, written);
      if (entries !== undefined) metadata.managedFields = entries;
    } catch (error) {
      if (error instanceof MergeValueError) return;
      // It is tried again with what was missing.
      if (given !== undefined) metadata.managedFields = given;
      throw error;
    }
  }

  *#entriesOf(
    managed: Managed,
    { object, live, writer }: { object: JsonObject; live: Readonly<JsonObject>; writer: Writer },
  ): WorkSteps<ManagedFieldsEntry[] | undefined> {
    const { version } = this.#kind;
    const isFirst = this.#kind.isEmpty(live) && managed.managers.size === 0;
    const untold = isFirst ? [] : this.#untold(object, live, managed);
    const printed = withoutMembers(version.print(withoutMembers(object, untold)), untold);
    if (writer.pauses === true) yield;
    if (isFirst) return yield* this.#firstEntries(printed, writer);
    const before = withoutMembers(live, untold);
    return yield* this.#entriesAfter(managed, { live: before, printed, writer });
  }

  /**
   * Members of which it is known without looking that their change gives nothing to anybody and takes
   * nothing: this door puts them back, and they are as they were. (Where they are not, they could be
   * what no type fits.)
   */
  #untold(object: JsonObject, live: Readonly<JsonObject>, { managers }: Managed): string[] {
    const { isTyped, apiVersion } = this.#kind.version;
    if (!isTyped) return [];
    for (const owned of managers.values()) if (owned.apiVersion !== apiVersion) return [];
    return this.#resetMembers.filter((name) => {
      const member = ownKey(object, name);
      return member !== undefined && equalJson(member, ownKey(live, name));
    });
  }

  *#entriesAfter(
    managed: Managed,
    { live, printed, writer }: { live: Readonly<JsonObject>; printed: JsonObject; writer: Writer },
  ): WorkSteps<ManagedFieldsEntry[] | undefined> {
    const after = yield* this.#kind.typed(printed);
    if (writer.pauses === true) yield;
    const before = yield* this.#kind.typed(withoutForgotten(live, printed));
    if (writer.pauses === true) yield;
    const updated = yield* this.updated(managed, { before, after, writer });
    if (writer.pauses === true) yield;
    return writer.pauses === true ? yield* printEntriesInSteps(updated) : printEntries(updated);
  }

  /** All that a new object sets is the writer's: which fields that are follows from its shape. */
  *#firstEntries(printed: JsonObject, writer: Writer): WorkSteps<ManagedFieldsEntry[] | undefined> {
    const { version } = this.#kind;
    const live = this.#kind.empty();
    const shape = shapeOf(printed, version.schema, live);
    let set = shape === undefined ? undefined : this.#firstSets.get(shape);
    if (set === undefined) {
      const entries = yield* this.#entriesAfter(noManagers(), { live, printed, writer });
      if (shape === undefined) return entries;
      set = sharedFieldsV1((entries?.[0]?.fieldsV1 as FieldSet | undefined) ?? EMPTY_SET);
      this.#firstSets.set(shape, set);
    }
    if (isEmptySet(set)) return undefined;
    const identifier = this.#kind.identifier(writer, "Update");
    const time = timeOfMilliseconds(writer.now);
    return [entryOf(identifier, { apiVersion: version.apiVersion, time, fieldsV1: set })];
  }

  /** What the client says of managers counts where it may; what it leaves out or garbles does not. */
  #managedOf(
    live: Readonly<JsonObject>,
    given: NonNullable<KubernetesObject["metadata"]>["managedFields"] | null,
  ): Managed {
    if (this.#kind.subresource === "" && given != null) {
      const [only] = given;
      // Without a type, an empty list does not survive being read.
      const isReset =
        given.length === 0
          ? this.#kind.version.isTyped
          : given.length === 1 && Object.keys(only ?? {}).length === 0;
      if (isReset) return noManagers();
      const managed = entriesOrNone(given);
      if (managed.managers.size > 0) return managed;
    }
    return entriesOrNone((live as KubernetesObject).metadata?.managedFields ?? [], true);
  }

  /** What the managers of one value have of the next one, and the writer that made it. */
  *updated(
    managed: Managed,
    {
      before,
      after,
      writer,
    }: { readonly before: VersionedValue; readonly after: VersionedValue; readonly writer: Writer },
  ): WorkSteps<Managed> {
    const identifier = this.#kind.identifier(writer, "Update");
    const known = managed.managers.get(identifier)?.set ?? EMPTY_SET;
    const managers = yield* updateManagers({
      live: before,
      object: after,
      managers: managed.managers,
      manager: CURRENT,
      // What it has that nobody should, which only a client can have said, is lost when it changes.
      ...(areDisjoint(known, UNMANAGED) && { owner: identifier }),
      context: this.#kind,
      isCurrent: this.#kind.isCurrent(managed),
      pauses: writer.pauses === true,
    });
    if (writer.pauses === true) yield;
    const updated = { ...managed, managers };
    const own = managers.get(CURRENT);
    managers.delete(CURRENT);
    const set = own === undefined ? EMPTY_SET : difference(own.set, UNMANAGED);
    if (!isEmptySet(set)) {
      const { apiVersion } = this.#kind.version;
      const left = managers.get(identifier)?.set ?? EMPTY_SET;
      managers.set(identifier, { set: union(left, set), apiVersion, applied: false });
      managed.times.set(identifier, timeOfMilliseconds(writer.now));
      if (writer.pauses === true) yield;
    }
    capUpdateManagers(updated);
    return updated;
  }
}
