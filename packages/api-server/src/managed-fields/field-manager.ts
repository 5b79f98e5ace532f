import { finishNow, type WorkSteps } from "@homeostat/cel";
import {
  ApiError,
  decodeJson,
  GroupVersionError,
  JsonError,
  type JsonObject,
  type KubernetesObject,
  ownKey,
  parseApiVersion,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { ManagedFieldsEntry } from "@homeostat/object-model/meta-v1";
import {
  ApplyConflictError,
  applyConfiguration,
  compareValues,
  difference,
  EMPTY_SET,
  type FieldSet,
  fieldSetOf,
  hasPath,
  isEmptySet,
  type MergeContext,
  type MergeSchema,
  MergeValueError,
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
import { KUBECTL, lastApplied, renewLastApplied } from "./last-applied.ts";
import {
  entryOf,
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
  UNMANAGED,
  uidOf,
  withEntries,
  withoutEntries,
  withoutForgotten,
} from "./managed-object.ts";

/** One version of a kind, as managers know it. */
export interface ManagedVersion {
  readonly apiVersion: string;
  readonly schema: MergeSchema;
  /** Whatever is printed fits the type: nothing else could be read. */
  readonly isTyped: boolean;
  /** As clients get it. May share with `object`, or be it. */
  print(object: JsonObject): JsonObject;
}

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

  constructor(options: FieldManagerOptions) {
    this.#options = options;
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
      const printed = this.#options.version.print(object as unknown as JsonObject);
      if (writer.pauses === true) yield;
      const isFirst = live === this.#empty && managed.managers.size === 0;
      const entries = isFirst
        ? yield* this.#firstEntries(printed, writer)
        : yield* this.#entriesAfter(managed, { live, printed, writer });
      if (entries !== undefined) metadata.managedFields = entries;
    } catch (error) {
      if (!(error instanceof MergeValueError)) throw error;
    }
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
    const managers = yield* updateManagers({
      live: before,
      object: after,
      managers: managed.managers,
      manager: CURRENT,
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
      const identifier = this.#identifier(writer, "Update");
      const known = managers.get(identifier)?.set ?? EMPTY_SET;
      managers.set(identifier, { set: union(known, set), apiVersion, applied: false });
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
    return identifierOf({
      manager: manager || "unknown",
      operation,
      apiVersion: version.apiVersion,
      subresource,
    });
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
      const allowed = this.#lastAppliedFields(input.live);
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
    const start = managed.managers.size === 0 ? yield* this.#adopted(live, writer) : managed;
    if (ownKey(given, "managedFields") != null) {
      throw ApiError.badRequest("metadata.managedFields must be nil");
    }
    const patch = this.#configurationOf(configuration);
    if (writer.pauses === true) yield;
    const before = this.#typed(withoutEntries(live));
    if (writer.pauses === true) yield;
    const identifier = this.#identifier(writer, "Apply");
    const { object, managers } = yield* applyConfiguration({
      live: before,
      configuration: patch,
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
    const set = difference(own.set, UNMANAGED);
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

  #configurationOf(configuration: JsonObject): VersionedValue {
    const { schema, apiVersion } = this.#options.version;
    try {
      validateValue(configuration, schema);
    } catch (error) {
      if (!(error instanceof MergeValueError)) throw error;
      const name = this.describe(configuration);
      throw internal(`failed to create typed patch object (${name}): ${error.message}`);
    }
    return { apiVersion, schema, value: configuration };
  }

  /** How messages name an object. */
  describe(object: JsonObject): string {
    const { version, kind } = this.#options;
    const metadata = ownKey(object, "metadata") as JsonObject | undefined;
    const place = `${textOf(metadata, "namespace")}/${textOf(metadata, "name")}`;
    return `${place}; ${printType(version.apiVersion, kind)}`;
  }

  /** Fields of the last client-side apply that still are as they were applied. */
  #lastAppliedFields(live: Readonly<JsonObject>): FieldSet | undefined {
    const text = lastApplied(live);
    if (text === undefined) return undefined;
    const { schema, apiVersion } = this.#options.version;
    try {
      const applied = decodeJson(text);
      if (textOf(applied as JsonObject, "apiVersion") !== apiVersion) return undefined;
      validateValue(applied, schema);
      const { value } = this.#typed(live, false);
      const { added, modified, removed } = compareValues(applied, value, schema);
      const changed = union(union(modified, added), removed);
      return difference(fieldSetOf(applied, schema), changed);
    } catch (error) {
      if (error instanceof JsonError || error instanceof MergeValueError) return undefined;
      throw error;
    }
  }

  /** An object as it prints. */
  #typed(value: Readonly<JsonObject>, allowDuplicates = true): VersionedValue {
    return finishNow(this.#typedInSteps(value, allowDuplicates));
  }

  *#typedInSteps(value: Readonly<JsonObject>, allowDuplicates = true): WorkSteps<VersionedValue> {
    const { apiVersion, schema, isTyped } = this.#options.version;
    if (!isTyped || !allowDuplicates) {
      yield* validateValueInSteps(value, schema, { allowDuplicates });
    }
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

function entriesOrNone(entries: Parameters<typeof readEntries>[0], isStored = false): Managed {
  try {
    return readEntries(entries, isStored);
  } catch (error) {
    if (error instanceof ManagedEntriesError) return noManagers();
    throw error;
  }
}

function textOf(object: JsonObject | undefined, key: string): string {
  const text = ownKey(object, key);
  return typeof text === "string" ? text : "";
}

/** `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`; nothing at all where the version is none. */
function printType(apiVersion: string, kind: string): string {
  try {
    const { group, version } = parseApiVersion(apiVersion);
    return `${group}/${version}, Kind=${kind}`;
  } catch (error) {
    if (error instanceof GroupVersionError) return "/, Kind=";
    throw error;
  }
}

function internal(message: string): ApiError {
  return new ApiError({ message, httpStatus: 500 });
}
