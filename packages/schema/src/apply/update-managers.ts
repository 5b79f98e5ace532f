import type { WorkSteps } from "@homeostat/cel";
import { compareInSteps } from "./compare-in-steps.ts";
import { type Comparison, compareValues } from "./compare-values.ts";
import { convertFor } from "./convert-for.ts";
import {
  areDisjoint,
  difference,
  EMPTY_SET,
  type FieldSet,
  intersection,
  isEmptySet,
  pathsOf,
  union,
} from "./field-set.ts";
import { printFieldsV1 } from "./fields-v1.ts";
import {
  ApplyConflictError,
  type Conflict,
  type Managers,
  type MergeContext,
  type VersionedValue,
} from "./managers.ts";
import { reconcileFieldSet } from "./reconcile-field-set.ts";

export interface UpdateInput {
  readonly live: VersionedValue;
  /** In the version of `live`. */
  readonly object: VersionedValue;
  readonly managers: Managers;
  /** Who writes. */
  readonly manager: string;
  /** Who the writer will be known as: what it has of what changes, it keeps. */
  readonly owner?: string;
  readonly context: MergeContext;
  /** The sets of the version at hand were made under the types of today. Default false. */
  readonly isCurrent?: boolean;
  /** Pause between the steps; without it there is one. */
  readonly pauses?: boolean;
}

/**
 * Who owns what after an object was written whole: what changed is the writer's, and nobody else's any
 * more. The given managers are not changed.
 */
export function* updateManagers(input: UpdateInput): WorkSteps<Managers> {
  const { live, object, manager, context } = input;
  const managers = reconcileManagers(input, live, context);
  if (input.pauses === true) yield;
  const change = yield* settle({ ...input, managers, force: true });
  if (input.pauses === true) yield;
  const known = managers.get(manager)?.set ?? EMPTY_SET;
  const changed = union(union(difference(known, change.removed), change.modified), change.added);
  const set = context.filter(changed, object.apiVersion);
  if (isEmptySet(set)) managers.delete(manager);
  else managers.set(manager, { set, apiVersion: object.apiVersion, applied: false });
  return managers;
}

/**
 * Takes what the change from `live` to `object` touches away from everybody but `manager`, in place.
 * Throws ApplyConflictError where that takes something from somebody and is not forced.
 */
export function* settle({
  live,
  object,
  managers,
  manager,
  owner,
  context,
  force,
  pauses = false,
}: UpdateInput & { readonly force: boolean }): WorkSteps<Comparison> {
  const { value, schema, apiVersion } = object;
  const compared = pauses
    ? yield* compareInSteps(live.value, value, schema)
    : compareValues(live.value, value, schema);
  const change = filtered(compared, { context, apiVersion });
  if (pauses) yield;
  const byVersion = new Map<string, Taking | undefined>([[object.apiVersion, takingOf(change)]]);
  const taken = new Map<string, { conflict: FieldSet; removed: FieldSet }>();
  for (const [name, owned] of managers) {
    if (name === manager) continue;
    if (!byVersion.has(owned.apiVersion)) {
      const there = compareIn(owned.apiVersion, { live, object, context });
      byVersion.set(owned.apiVersion, there && takingOf(there));
      if (pauses) yield;
    }
    const here = byVersion.get(owned.apiVersion);
    if (here === undefined) {
      managers.delete(name);
      continue;
    }
    const { removed } = here;
    const isKept = name === owner || areDisjoint(owned.set, here.touched);
    if (isKept && areDisjoint(owned.set, removed)) continue;
    const conflict = isKept ? EMPTY_SET : intersection(owned.set, here.touched);
    taken.set(name, { conflict, removed });
    if (pauses) yield;
  }
  if (!force) refuseConflicts(taken);
  for (const [name, { conflict, removed }] of taken) {
    const owned = managers.get(name)!;
    const kept = difference(owned.set, conflict);
    if (pauses) yield;
    const set = difference(kept, removed);
    managers.set(name, { ...owned, set });
    if (pauses) yield;
  }
  for (const [name, { set }] of managers) if (isEmptySet(set)) managers.delete(name);
  return change;
}

/** What a change takes from others: what it touched, and what it removed. */
interface Taking {
  readonly touched: FieldSet;
  readonly removed: FieldSet;
}

function takingOf({ added, modified, removed }: Comparison): Taking {
  return { touched: union(modified, added), removed };
}

/** Undefined where one of them does not exist in that version. */
function compareIn(
  apiVersion: string,
  {
    live,
    object,
    context,
  }: {
    readonly live: VersionedValue;
    readonly object: VersionedValue;
    readonly context: MergeContext;
  },
): Comparison | undefined {
  const failure = "failed to convert new object";
  const before = convertFor(context, live, { apiVersion, failure: "failed to convert old object" });
  const after = before && convertFor(context, object, { apiVersion, failure });
  if (after === undefined) return undefined;
  return filtered(compareValues(before!.value, after.value, after.schema), { context, apiVersion });
}

function filtered(
  { added, modified, removed }: Comparison,
  { context, apiVersion }: { readonly context: MergeContext; readonly apiVersion: string },
): Comparison {
  return {
    added: context.filter(added, apiVersion),
    modified: context.filter(modified, apiVersion),
    removed: context.filter(removed, apiVersion),
  };
}

function refuseConflicts(taken: ReadonlyMap<string, { readonly conflict: FieldSet }>): void {
  const conflicts: Conflict[] = [];
  for (const [manager, { conflict }] of taken) {
    const ordered = printFieldsV1(conflict) as unknown as FieldSet;
    for (const path of pathsOf(ordered)) conflicts.push({ manager, path });
  }
  if (conflicts.length > 0) throw new ApplyConflictError(conflicts);
}

/** The managers in the types of today; those in versions that are gone are left out. */
export function reconcileManagers(
  { managers, isCurrent }: { readonly managers: Managers; readonly isCurrent?: boolean },
  live: VersionedValue,
  context: MergeContext,
): Managers {
  const result: Managers = new Map();
  for (const [name, owned] of managers) {
    if (isCurrent === true && owned.apiVersion === live.apiVersion) {
      result.set(name, owned);
      continue;
    }
    const object = context.convert(live, owned.apiVersion);
    if (object === undefined) continue;
    const set = reconcileFieldSet(owned.set, object.schema);
    result.set(name, set === owned.set ? owned : { ...owned, set });
  }
  return result;
}
