/**
 * Who manages which fields of an object: `metadata.managedFields`, kept by every write. This folder is
 * what kube-apiserver puts around the merge of `@homeostat/schema`: reading and printing the entries,
 * names of managers, fields that a door resets, the limit on entries, the moves between client-side
 * and server-side apply, and refusals of conflicts. Start at field-manager.ts.
 *
 * It promises that entries come out in kube-apiserver's form and order, and that a write which changes
 * nothing leaves them as they were.
 */
import type { WorkSteps } from "@homeostat/cel";
import { compareBytewise, type JsonObject, parseTime } from "@homeostat/object-model";
import type { ManagedFieldsEntry } from "@homeostat/object-model/meta-v1";
import {
  difference,
  EMPTY_SET,
  equalSets,
  type FieldSet,
  FieldsV1Error,
  isEmptySet,
  type ManagedSet,
  type Managers,
  printFieldsV1,
  printFieldsV1InSteps,
  readFieldsV1,
} from "@homeostat/schema";

/** The entries of one object. */
export interface Managed {
  readonly managers: Managers;
  /** The sets as they were stored: in order, and of the types of that time. */
  readonly stored: ReadonlyMap<string, FieldSet>;
  /** When each manager last changed something; undefined where its entry does not say. */
  readonly times: Map<string, string | undefined>;
}

export type Operation = "Apply" | "Update";

/** Entries that cannot be read; the message is kube-apiserver's. */
export class ManagedEntriesError extends Error {
  override readonly name: string = "ManagedEntriesError";
  readonly code = "managed-entries";
}

export function noManagers(): Managed {
  return { managers: new Map(), stored: NONE, times: new Map() };
}

const NONE: ReadonlyMap<string, FieldSet> = new Map();

/** `isStored`: this server printed them. Throws ManagedEntriesError. */
export function readEntries(entries: readonly ManagedFieldsEntry[], isStored = false): Managed {
  const stored = new Map<string, FieldSet>();
  const managed = { ...noManagers(), stored };
  for (const [index, entry] of entries.entries()) {
    const { operation, apiVersion = "", fieldsType = "" } = entry;
    if (operation !== "Apply" && operation !== "Update") {
      throw new ManagedEntriesError("operation must be `Apply` or `Update`");
    }
    if (apiVersion === "") throw new ManagedEntriesError("apiVersion must not be empty");
    if (fieldsType !== "FieldsV1") {
      throw new ManagedEntriesError(
        fieldsType === ""
          ? `missing fieldsType in managed fields entry ${index}`
          : `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`,
      );
    }
    const identifier = identifierOf({ ...entry, operation });
    const applied = operation === "Apply";
    const set = isStored ? ((entry.fieldsV1 as FieldSet | undefined) ?? EMPTY_SET) : readSet(entry);
    if (isStored) stored.set(identifier, set);
    managed.managers.set(identifier, { set, apiVersion, applied });
    managed.times.set(identifier, entry.time);
  }
  return managed;
}

/** The same; what cannot be read are none. */
export function entriesOrNone(entries: readonly ManagedFieldsEntry[], isStored = false): Managed {
  try {
    return readEntries(entries, isStored);
  } catch (error) {
    if (error instanceof ManagedEntriesError) return noManagers();
    throw error;
  }
}

function readSet({ fieldsV1 }: ManagedFieldsEntry): FieldSet {
  if (fieldsV1 === undefined) return EMPTY_SET;
  try {
    return readFieldsV1(fieldsV1 as JsonObject);
  } catch (error) {
    if (!(error instanceof FieldsV1Error)) throw error;
    throw new ManagedEntriesError(`error decoding versioned set: ${error.message}`);
  }
}

/**
 * What tells one manager from another. Who applies is the same in whatever version it applies; who
 * updates is another one in each. Messages list managers in the order of these texts.
 */
export function identifierOf({
  manager,
  operation,
  apiVersion,
  subresource,
}: {
  readonly manager?: string;
  readonly operation: Operation;
  readonly apiVersion?: string;
  readonly subresource?: string;
}): string {
  return JSON.stringify({
    manager: manager || undefined,
    operation,
    apiVersion: (operation === "Update" && apiVersion) || undefined,
    subresource: subresource || undefined,
  });
}

export interface Identity {
  readonly manager?: string;
  readonly operation: Operation;
  readonly apiVersion?: string;
  readonly subresource?: string;
}

export function identityOf(identifier: string): Identity {
  let identity = identities.get(identifier);
  if (identity === undefined) {
    identity = JSON.parse(identifier) as Identity;
    if (identities.size >= MAX_IDENTITIES) identities.clear();
    identities.set(identifier, identity);
  }
  return identity;
}

/** Few managers write everything: they are read once, until there are too many. */
const identities = new Map<string, Identity>();
const MAX_IDENTITIES = 1000;

/** A set that is what it was is the very one: that is in order, and its text may be known. */
export function asBefore(set: FieldSet, before: ManagedSet | undefined): FieldSet {
  return before !== undefined && equalSets(set, before.set) ? before.set : set;
}

/** Whether all that was applied the last time is applied again. */
export function givesUpNothing(
  last: ManagedSet | undefined,
  now: Pick<ManagedSet, "apiVersion" | "set">,
): boolean {
  if (last === undefined) return true;
  return last.apiVersion === now.apiVersion && isEmptySet(difference(last.set, now.set));
}

/** As objects carry them, in order; undefined for none. */
export function printEntries({
  managers,
  stored,
  times,
}: Managed): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const [identifier, { set, apiVersion }] of managers) {
    const time = times.get(identifier);
    const fieldsV1 = printFieldsV1(set, stored.get(identifier));
    entries.push(entryOf(identifier, { apiVersion, time, fieldsV1 }));
  }
  return entries.length > 1 ? entries.sort(compareEntries) : entries;
}

/** The same in steps, for large sets. */
export function* printEntriesInSteps(
  managed: Managed,
): WorkSteps<ManagedFieldsEntry[] | undefined> {
  const managers: Managers = new Map();
  const stored = new Map(managed.stored);
  for (const [identifier, owned] of managed.managers) {
    const set = yield* printFieldsV1InSteps(owned.set, stored.get(identifier));
    managers.set(identifier, { ...owned, set: set as FieldSet });
    stored.set(identifier, set as FieldSet);
    yield;
  }
  return printEntries({ ...managed, managers, stored });
}

/** One entry as objects carry it, in the order in which it prints. */
export function entryOf(
  identifier: string,
  {
    apiVersion,
    time,
    fieldsV1,
  }: {
    readonly apiVersion: string;
    readonly time: string | undefined;
    readonly fieldsV1: JsonObject;
  },
): ManagedFieldsEntry {
  const { manager, operation, subresource } = identityOf(identifier);
  const entry: ManagedFieldsEntry = {};
  if (manager !== undefined) entry.manager = manager;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = fieldsV1;
  if (subresource !== undefined) entry.subresource = subresource;
  return entry;
}

function compareEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  return (
    compareBytewise(left.operation ?? "", right.operation ?? "") ||
    compareTimes(left.time, right.time) ||
    compareBytewise(left.manager ?? "", right.manager ?? "") ||
    compareBytewise(left.apiVersion ?? "", right.apiVersion ?? "") ||
    compareBytewise(left.subresource ?? "", right.subresource ?? "")
  );
}

/** By whole seconds; none is the beginning of time. */
export function compareTimes(left: string | undefined, right: string | undefined): number {
  if (left === right) return 0;
  // Of years with four digits, which is all that is written, the texts are in the order of the times.
  if (left?.length === SECONDS_LENGTH && right?.length === SECONDS_LENGTH) {
    return left < right ? -1 : 1;
  }
  const seconds = secondsOf(left) - secondsOf(right);
  return seconds === 0n ? 0 : seconds < 0n ? -1 : 1;
}

const SECONDS_LENGTH = "2006-01-02T15:04:05Z".length;

function secondsOf(time: string | undefined): bigint {
  return time === undefined ? 0n : parseTime(time) / 1_000_000_000n;
}
