import { finishNow, type WorkSteps } from "@homeostat/cel";
import {
  ApiError,
  equalJson,
  type JsonObject,
  type KubernetesObject,
  ownKey,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { ManagedFieldsEntry } from "@homeostat/object-model/meta-v1";
import {
  ApplyConflictError,
  applyConfiguration,
  areDisjoint,
  difference,
  EMPTY_SET,
  type FieldSet,
  fieldSetOf,
  hasPath,
  isEmptySet,
  type MergeContext,
  MergeValueError,
  mergeValues,
  recursiveDifference,
  ShapeMemo,
  shapeOf,
  sharedFieldsV1,
  union,
  updateManagers,
  type VersionedValue,
  validateValue,
  validateValueInSteps,
} from "@homeostat/schema";
import { metadataOf } from "../registry/system-metadata.ts";
import { applyConflict } from "./apply-conflict.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import { KUBECTL, lastAppliedFields, renewLastApplied } from "./last-applied.ts";
import {
  asBefore,
  entriesOrNone,
  entryOf,
  givesUpNothing,
  identifierOf,
  type Managed,
  ManagedEntriesError,
  noManagers,
  type Operation,
  printEntries,
  printEntriesInSteps,
  readEntries,
} from "./managed-entries.ts";
import {
  printType,
  textOf,
  UNMANAGED,
  uidOf,
  withEntries,
  withoutEntries,
  withoutForgotten,
  withoutMembers,
} from "./managed-object.ts";
import type { ManagedVersion } from "./managed-version.ts";
import { wholeMembers } from "./reset-fields.ts";

export interface FieldManagerOptions {
  readonly kind: string;
  /** The version through which is written. */
  readonly version: ManagedVersion;
  /** Another version of the kind; undefined where there is none of that name. */
  versionOf(apiVersion: string): ManagedVersion | undefined;
  /** The object in that version; it may be changed on the way. */
  convert(object: KubernetesObject, apiVersion: string): KubernetesObject;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly resetFields: FieldSet;
}

/** Who writes, and when. */
export interface Writer {
  /** "" is nobody known. */
  readonly manager: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** For writes in steps: pause between them. */
  readonly pauses?: boolean;
}

/** Stands for whoever updates until it is known whether anything changed. */
const CURRENT = "current-operation";
const BEFORE_FIRST_APPLY = "before-first-apply";

/**
 * Keeps `metadata.managedFields` of the objects of one kind through one door: one version and the
 * object itself or one of its subresources. Objects come in the version that is written through.
 */
export class FieldManager implements MergeContext {
  readonly #options: FieldManagerOptions;
  #empty: JsonObject | undefined;
  readonly #firstSets = new ShapeMemo<FieldSet>();
  readonly #appliedSets = new ShapeMemo<FieldSet>();
  readonly #resetMembers: readonly string[];

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#resetMembers = wholeMembers(options.resetFields);
  }

  /** An object of which nothing is set, as the type prints it: what a create starts from. */
  empty(): JsonObject {
    const { version, kind } = this.#options;
    return (this.#empty ??= version.print({ kind, apiVersion: version.apiVersion }));
  }

  /**
   * Sets the entries of an object that is written whole; `live` is as it prints. Never refuses: an
   * object that no type fits is left without entries.
   */
  update(live: Readonly<JsonObject>, object: KubernetesObject, writer: Writer): void {
    finishNow(this.updateInSteps(live, object, writer));
  }

  *updateInSteps(
    live: Readonly<JsonObject>,
    object: KubernetesObject,
    writer: Writer,
  ): WorkSteps<void> {
    const metadata = metadataOf(object);
    const managed = this.#managedOf(live, metadata.managedFields);
    delete metadata.managedFields;
    if (managed.managers.size === 0 && uidOf(live) !== undefined) return;
    try {
      const written = { object: object as unknown as JsonObject, live, writer };
      const entries = yield* this.#entriesOf(managed, written);
      if (entries !== undefined) metadata.managedFields = entries;
    } catch (error) {
      if (!(error instanceof MergeValueError)) throw error;
    }
  }

  *#entriesOf(
    managed: Managed,
    { object, live, writer }: { object: JsonObject; live: Readonly<JsonObject>; writer: Writer },
  ): WorkSteps<ManagedFieldsEntry[] | undefined> {
    const { version } = this.#options;
    const isFirst = live === this.#empty && managed.managers.size === 0;
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
    const { isTyped, apiVersion } = this.#options.version;
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
    const after = yield* this.#typedInSteps(printed);
    if (writer.pauses === true) yield;
    const before = yield* this.#typedInSteps(withoutForgotten(live, printed));
    if (writer.pauses === true) yield;
    const updated = yield* this.#updated(managed, { before, after, writer });
    if (writer.pauses === true) yield;
    return writer.pauses === true ? yield* printEntriesInSteps(updated) : printEntries(updated);
  }

  /** All that a new object sets is the writer's: which fields that are follows from its shape. */
  *#firstEntries(printed: JsonObject, writer: Writer): WorkSteps<ManagedFieldsEntry[] | undefined> {
    const { version } = this.#options;
    const live = this.empty();
    const shape = shapeOf(printed, version.schema, live);
    let set = shape === undefined ? undefined : this.#firstSets.get(shape);
    if (set === undefined) {
      const entries = yield* this.#entriesAfter(noManagers(), { live, printed, writer });
      if (shape === undefined) return entries;
      set = sharedFieldsV1((entries?.[0]?.fieldsV1 as FieldSet | undefined) ?? EMPTY_SET);
      this.#firstSets.set(shape, set);
    }
    if (isEmptySet(set)) return undefined;
    const identifier = this.#identifier(writer, "Update");
    const time = timeOfMilliseconds(writer.now);
    return [entryOf(identifier, { apiVersion: version.apiVersion, time, fieldsV1: set })];
  }

  /** What the client says of managers counts where it may; what it leaves out or garbles does not. */
  #managedOf(
    live: Readonly<JsonObject>,
    given: NonNullable<KubernetesObject["metadata"]>["managedFields"] | null,
  ): Managed {
    if (this.#options.subresource === "" && given != null) {
      const [only] = given;
      // Without a type, an empty list does not survive being read.
      const isReset =
        given.length === 0
          ? this.#options.version.isTyped
          : given.length === 1 && Object.keys(only ?? {}).length === 0;
      if (isReset) return noManagers();
      const managed = entriesOrNone(given);
      if (managed.managers.size > 0) return managed;
    }
    return entriesOrNone((live as KubernetesObject).metadata?.managedFields ?? [], true);
  }

  *#updated(
    managed: Managed,
    {
      before,
      after,
      writer,
    }: { readonly before: VersionedValue; readonly after: VersionedValue; readonly writer: Writer },
  ): WorkSteps<Managed> {
    const identifier = this.#identifier(writer, "Update");
    const known = managed.managers.get(identifier)?.set ?? EMPTY_SET;
    const managers = yield* updateManagers({
      live: before,
      object: after,
      managers: managed.managers,
      manager: CURRENT,
      // What it has that nobody should, which only a client can have said, is lost when it changes.
      ...(areDisjoint(known, UNMANAGED) && { owner: identifier }),
      context: this,
      isCurrent: this.#isCurrent(managed),
      pauses: writer.pauses === true,
    });
    if (writer.pauses === true) yield;
    const updated = { ...managed, managers };
    const own = managers.get(CURRENT);
    managers.delete(CURRENT);
    const set = own === undefined ? EMPTY_SET : difference(own.set, UNMANAGED);
    if (!isEmptySet(set)) {
      const { apiVersion } = this.#options.version;
      const left = managers.get(identifier)?.set ?? EMPTY_SET;
      managers.set(identifier, { set: union(left, set), apiVersion, applied: false });
      managed.times.set(identifier, timeOfMilliseconds(writer.now));
      if (writer.pauses === true) yield;
    }
    capUpdateManagers(updated);
    return updated;
  }

  /** The types of built-in kinds do not change while the server runs. */
  #isCurrent({ stored }: Managed): boolean {
    return this.#options.version.isTyped && stored.size > 0;
  }

  #identifier({ manager }: Pick<Writer, "manager">, operation: Operation): string {
    const { version, subresource } = this.#options;
    const { apiVersion } = version;
    return identifierOf({ manager: manager || "unknown", operation, apiVersion, subresource });
  }

  /**
   * What applying a configuration makes of an object, with its entries; not defaulted yet. `live` is as
   * it prints. Refuses
   * conflicts, unless forced, and what is no configuration of this kind.
   */
  apply(
    live: Readonly<JsonObject>,
    configuration: JsonObject,
    writer: Writer & { readonly force: boolean },
  ): AppliedObject {
    return finishNow(this.applyInSteps(live, configuration, writer));
  }

  *applyInSteps(
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
    const { version, kind } = this.#options;
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
      const allowed = lastAppliedFields(input.live, this.#options.version);
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
    const isFirst = live === this.#empty;
    const isAdopted = managed.managers.size === 0 && !isFirst;
    const start = isAdopted ? yield* this.#adopted(live, writer) : managed;
    if (ownKey(given, "managedFields") != null) {
      throw ApiError.badRequest("metadata.managedFields must be nil");
    }
    const known = this.#setOf(configuration, writer);
    if (writer.pauses === true) yield;
    if (isFirst && known !== undefined) return this.#created(configuration, known, writer);
    const { apiVersion, schema } = this.#options.version;
    const before = this.#typed(withoutEntries(live));
    if (writer.pauses === true) yield;
    const identifier = this.#identifier(writer, "Apply");
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
      context: this,
      isCurrent: this.#isCurrent(start),
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
    const before = this.#typed(this.empty());
    const after = this.#typed(withoutEntries(live));
    const writer = { manager: BEFORE_FIRST_APPLY, now, pauses };
    return yield* this.#updated(noManagers(), { before, after, writer });
  }

  /** A new object is what is applied, and all of that is the applier's. */
  #created(configuration: JsonObject, fieldsV1: FieldSet, writer: Writer): AppliedObject {
    const { schema, apiVersion } = this.#options.version;
    const time = timeOfMilliseconds(writer.now);
    const entry = entryOf(this.#identifier(writer, "Apply"), { apiVersion, time, fieldsV1 });
    const value = mergeValues(this.empty(), configuration, schema) as JsonObject;
    return { object: withEntries(value, [entry]), isSame: false };
  }

  /**
   * The fields that an applier of this comes to manage, which follow from its shape once it was found
   * to fit; undefined where they are none, or the configuration has no shape.
   */
  #setOf(configuration: JsonObject, { pauses }: Writer): FieldSet | undefined {
    const { schema } = this.#options.version;
    const shape = pauses === true ? undefined : shapeOf(configuration, schema);
    let set = shape === undefined ? undefined : this.#appliedSets.get(shape);
    if (set === undefined) {
      this.#checkFit(configuration);
      if (shape === undefined) return undefined;
      const fields = this.filter(fieldSetOf(configuration, schema));
      set = sharedFieldsV1(difference(fields, UNMANAGED));
      this.#appliedSets.set(shape, set);
    }
    return isEmptySet(set) ? undefined : set;
  }

  #checkFit(configuration: JsonObject): void {
    try {
      validateValue(configuration, this.#options.version.schema);
    } catch (error) {
      if (!(error instanceof MergeValueError)) throw error;
      const name = this.describe(configuration);
      throw internal(`failed to create typed patch object (${name}): ${error.message}`);
    }
  }

  /** How messages name an object. */
  describe(object: JsonObject): string {
    const { version, kind } = this.#options;
    const metadata = ownKey(object, "metadata") as JsonObject | undefined;
    const place = `${textOf(metadata, "namespace")}/${textOf(metadata, "name")}`;
    return `${place}; ${printType(version.apiVersion, kind)}`;
  }

  /** An object as it prints. */
  #typed(value: Readonly<JsonObject>): VersionedValue {
    return finishNow(this.#typedInSteps(value));
  }

  *#typedInSteps(value: Readonly<JsonObject>): WorkSteps<VersionedValue> {
    const { apiVersion, schema, isTyped } = this.#options.version;
    if (!isTyped) yield* validateValueInSteps(value, schema, { allowDuplicates: true });
    return { apiVersion, schema, value };
  }

  convert(object: VersionedValue, apiVersion: string): VersionedValue | undefined {
    if (object.apiVersion === apiVersion) return object;
    const version = this.#options.versionOf(apiVersion);
    if (version === undefined) return undefined;
    const copy = structuredClone(object.value) as KubernetesObject;
    copy.apiVersion = object.apiVersion;
    const converted = this.#options.convert(copy, apiVersion) as unknown as JsonObject;
    const value = version.print(converted);
    if (!version.isTyped) validateValue(value, version.schema);
    return { apiVersion, schema: version.schema, value };
  }

  filter(set: FieldSet): FieldSet {
    return recursiveDifference(set, this.#options.resetFields);
  }
}

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

function internal(message: string): ApiError {
  return new ApiError({ message, httpStatus: 500 });
}
