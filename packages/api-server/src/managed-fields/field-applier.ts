import type { WorkSteps } from "@homeostat/cel";
import {
  ApiError,
  type JsonObject,
  type KubernetesObject,
  ownKey,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import {
  ApplyConflictError,
  applyConfiguration,
  difference,
  type FieldSet,
  fieldSetOf,
  hasPath,
  isEmptySet,
  MergeValueError,
  mergeValues,
  ShapeMemo,
  shapeOf,
  sharedFieldsV1,
  validateValueInSteps,
} from "@homeostat/schema";
import { applyConflict } from "./apply-conflict.ts";
import type { FieldUpdater } from "./field-updater.ts";
import { KUBECTL, lastAppliedFields, renewLastApplied } from "./last-applied.ts";
import {
  asBefore,
  entryOf,
  givesUpNothing,
  type Managed,
  ManagedEntriesError,
  noManagers,
  printEntries,
  printEntriesInSteps,
  readEntries,
} from "./managed-entries.ts";
import type { ManagedKind } from "./managed-kind.ts";
import { printType, textOf, UNMANAGED, withEntries, withoutEntries } from "./managed-object.ts";
import type { Writer } from "./writer.ts";

const BEFORE_FIRST_APPLY = "before-first-apply";

export interface AppliedObject {
  readonly object: JsonObject;
  /** Only who owns what may have changed; then nothing is defaulted either. */
  readonly isSame: boolean;
}

interface ApplyInput {
  readonly live: Readonly<JsonObject>;
  readonly configuration: JsonObject;
  readonly writer: Writer;
  readonly force: boolean;
}

/** What applying a configuration makes of an object, and who manages what of it then. */
export class FieldApplier {
  readonly #kind: ManagedKind;
  readonly #updater: FieldUpdater;
  readonly #appliedSets = new ShapeMemo<FieldSet>();

  constructor(kind: ManagedKind, updater: FieldUpdater) {
    this.#kind = kind;
    this.#updater = updater;
  }

  /** As FieldManager.apply. */
  *apply(
    live: Readonly<JsonObject>,
    configuration: JsonObject,
    { manager, now, force, pauses = false }: Writer & { readonly force: boolean },
  ): WorkSteps<AppliedObject> {
    const writer = { manager, now, pauses };
    const input = { live, configuration, writer };
    const managed = this.#managedForApply(live);
    this.#checkKind(configuration);
    try {
      const made = yield* this.#applyOrMigrate(managed, { ...input, force });
      if (manager === KUBECTL) renewLastApplied(made.object, configuration);
      return made;
    } catch (error) {
      if (error instanceof ApplyConflictError) throw applyConflict(error.conflicts);
      if (error instanceof MergeValueError) throw internal(error.message);
      throw error;
    }
  }

  #managedForApply(live: Readonly<JsonObject>): Managed {
    try {
      return readEntries((live as KubernetesObject).metadata?.managedFields ?? [], true);
    } catch (error) {
      if (!(error instanceof ManagedEntriesError)) throw error;
      throw internal(`failed to decode managed fields: ${error.message}`);
    }
  }

  #checkKind(configuration: JsonObject): void {
    const { version, kind } = this.#kind;
    const named = textOf(configuration, "apiVersion");
    const type = printType(named, textOf(configuration, "kind"));
    if (type !== printType(version.apiVersion, kind)) {
      throw ApiError.badRequest(`invalid object type: ${type}`);
    }
  }

  /** `kubectl` is not in conflict about what it applied client-side and nobody changed since. */
  *#applyOrMigrate(managed: Managed, input: ApplyInput): WorkSteps<AppliedObject> {
    try {
      return yield* this.#applied(managed, input);
    } catch (error) {
      if (!(error instanceof ApplyConflictError) || input.writer.manager !== KUBECTL) throw error;
      const allowed = lastAppliedFields(input.live, this.#kind.version);
      if (allowed === undefined) throw error;
      const left = error.conflicts.filter(({ path }) => !hasPath(allowed, path));
      if (left.length > 0) throw new ApplyConflictError(left);
      return yield* this.#applied(managed, { ...input, force: true });
    }
  }

  *#applied(
    managed: Managed,
    { live, configuration, writer, force }: ApplyInput,
  ): WorkSteps<AppliedObject> {
    const given = ownKey(configuration, "metadata") as JsonObject | undefined;
    const isFirst = this.#kind.isEmpty(live);
    const isAdopted = managed.managers.size === 0 && !isFirst;
    const start = isAdopted ? yield* this.#adopted(live, writer) : managed;
    if (ownKey(given, "managedFields") != null) {
      throw ApiError.badRequest("metadata.managedFields must be nil");
    }
    const known = yield* this.#setOf(configuration, writer);
    if (writer.pauses === true) yield;
    if (isFirst && known !== undefined) return this.#created(configuration, known, writer);
    const { apiVersion, schema } = this.#kind.version;
    const before = yield* this.#kind.typed(withoutEntries(live));
    if (writer.pauses === true) yield;
    const identifier = this.#kind.identifier(writer, "Apply");
    const last = start.managers.get(identifier);
    const { object, managers } = yield* applyConfiguration({
      live: before,
      configuration: { apiVersion, schema, value: configuration },
      // Where something is given up, what is not managed counts too: it must not go with the rest.
      ...(known !== undefined &&
        givesUpNothing(last, { set: known, apiVersion }) && { set: known }),
      managers: start.managers,
      manager: identifier,
      force,
      context: this.#kind,
      isCurrent: this.#kind.isCurrent(start),
      pauses: writer.pauses === true,
    });
    if (writer.pauses === true) yield;
    const times = new Map(start.times);
    if (object !== undefined) times.set(identifier, timeOfMilliseconds(writer.now));
    const own = managers.get(identifier)!;
    const set = asBefore(difference(own.set, UNMANAGED), last);
    if (isEmptySet(set)) managers.delete(identifier);
    else managers.set(identifier, { ...own, set });
    const value = (object ?? before).value as JsonObject;
    const applied = { ...start, managers, times };
    const entries =
      writer.pauses === true ? yield* printEntriesInSteps(applied) : printEntries(applied);
    return { object: withEntries(value, entries), isSame: object === undefined };
  }

  /** Everything an object without entries holds belongs to whoever wrote it before. */
  *#adopted(live: Readonly<JsonObject>, { now, pauses = false }: Writer): WorkSteps<Managed> {
    const before = yield* this.#kind.typed(this.#kind.empty());
    const after = yield* this.#kind.typed(withoutEntries(live));
    const writer = { manager: BEFORE_FIRST_APPLY, now, pauses };
    return yield* this.#updater.updated(noManagers(), { before, after, writer });
  }

  /** A new object is what is applied, and all of that is the applier's. */
  #created(configuration: JsonObject, fieldsV1: FieldSet, writer: Writer): AppliedObject {
    const { schema, apiVersion } = this.#kind.version;
    const time = timeOfMilliseconds(writer.now);
    const entry = entryOf(this.#kind.identifier(writer, "Apply"), { apiVersion, time, fieldsV1 });
    const value = mergeValues(this.#kind.empty(), configuration, schema) as JsonObject;
    return { object: withEntries(value, [entry]), isSame: false };
  }

  /**
   * The fields that an applier of this comes to manage, which follow from its shape once it was found
   * to fit; undefined where they are none, or the configuration has no shape.
   */
  *#setOf(configuration: JsonObject, { pauses }: Writer): WorkSteps<FieldSet | undefined> {
    const { schema } = this.#kind.version;
    const shape = pauses === true ? undefined : shapeOf(configuration, schema);
    let set = shape === undefined ? undefined : this.#appliedSets.get(shape);
    if (set === undefined) {
      yield* this.#checkFit(configuration);
      if (shape === undefined) return undefined;
      const fields = this.#kind.filter(fieldSetOf(configuration, schema));
      set = sharedFieldsV1(difference(fields, UNMANAGED));
      this.#appliedSets.set(shape, set);
    }
    return isEmptySet(set) ? undefined : set;
  }

  *#checkFit(configuration: JsonObject): WorkSteps<void> {
    try {
      yield* validateValueInSteps(configuration, this.#kind.version.schema);
    } catch (error) {
      if (!(error instanceof MergeValueError)) throw error;
      const name = this.#kind.describe(configuration);
      throw internal(`failed to create typed patch object (${name}): ${error.message}`);
    }
  }
}

function internal(message: string): ApiError {
  return new ApiError({ message, httpStatus: 500 });
}
