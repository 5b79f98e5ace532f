import type { WorkSteps } from "@homeostat/cel";
import { convertFor } from "./convert-for.ts";
import {
  difference,
  EMPTY_SET,
  type FieldSet,
  intersection,
  isEmptySet,
  isSubset,
  union,
} from "./field-set.ts";
import { fieldSetInSteps, fieldSetOf } from "./field-set-of.ts";
import type { ManagedSet, Managers, MergeContext, VersionedValue } from "./managers.ts";
import { mergeInSteps, mergeValues } from "./merge-values.ts";
import { withNamedFields } from "./named-fields.ts";
import { removeItems } from "./remove-items.ts";
import { sameJson } from "./same-json.ts";
import { reconcileManagers, settle } from "./update-managers.ts";

export interface ApplyInput {
  readonly live: VersionedValue;
  /** In the version of `live`. */
  readonly configuration: VersionedValue;
  /** The fields of the configuration, filtered, where they are known. */
  readonly set?: FieldSet;
  readonly managers: Managers;
  /** Who applies. */
  readonly manager: string;
  /** Take what conflicts from its owners. */
  readonly force: boolean;
  readonly context: MergeContext;
  /** See {@link UpdateInput}. */
  readonly isCurrent?: boolean;
  readonly pauses?: boolean;
}

interface Applied {
  /** Undefined where the object stays as it is. */
  readonly object: VersionedValue | undefined;
  readonly managers: Managers;
}

/**
 * Lays a configuration over an object: its fields become those of the configuration and the manager's,
 * and what the manager applied before, does not any more, and nobody else owns, is removed. Throws
 * ApplyConflictError, and MergeValueError where something does not fit its type.
 */
export function* applyConfiguration(input: ApplyInput): WorkSteps<Applied> {
  const { live, configuration, manager, context, force, pauses = false } = input;
  const { apiVersion, schema } = configuration;
  const managers = reconcileManagers(input, live, context);
  if (pauses) yield;
  const value = pauses
    ? yield* mergeInSteps(live.value, configuration.value, schema)
    : mergeValues(live.value, configuration.value, schema);
  if (pauses) yield;
  const last = managers.get(manager);
  let { set } = input;
  if (set === undefined) {
    const fields = pauses
      ? yield* fieldSetInSteps(configuration.value, schema)
      : fieldSetOf(configuration.value, schema);
    set = context.filter(fields, apiVersion);
  }
  managers.set(manager, { set, apiVersion, applied: true });
  if (pauses) yield;
  const object = yield* prune({ ...live, value }, { managers, manager, last, context });
  yield* settle({ live, object, managers, manager, context, force, pauses });
  if (pauses) yield;
  return { object: sameJson(live.value, object.value) ? undefined : object, managers };
}

interface Pruning {
  readonly managers: Managers;
  readonly manager: string;
  readonly last: ManagedSet | undefined;
  readonly context: MergeContext;
}

/** Removes what the manager applied last time, not this time, and nobody else claims. */
function* prune(merged: VersionedValue, pruning: Pruning): WorkSteps<VersionedValue> {
  const { managers, manager, last, context } = pruning;
  if (last === undefined || isEmptySet(last.set)) return merged;
  const now = managers.get(manager)!;
  // All that was applied is applied again: there is nothing to give up.
  if (now.apiVersion === last.apiVersion && isSubset(last.set, now.set)) return merged;
  const converted = convertFor(context, merged, {
    apiVersion: last.apiVersion,
    failure: "failed to prune fields: failed to convert merged object to last applied version",
  });
  if (converted === undefined) return merged;
  const gone = removeItems(
    converted.value,
    withNamedFields(last.set, converted.schema),
    converted.schema,
  );
  yield;
  const owned = yield* addBackOwned(converted, { ...converted, value: gone }, pruning);
  const pruned = yield* addBackDangling(converted, owned, { last, context });
  const { apiVersion } = managers.get(manager)!;
  return convertFor(context, pruned, { apiVersion, failure: "failed to prune fields" }) ?? merged;
}

/** Restores what others own, or the manager itself by what it applies now. */
function* addBackOwned(
  merged: VersionedValue,
  pruned: VersionedValue,
  { managers, context }: Pruning,
): WorkSteps<VersionedValue> {
  const byVersion = new Map<string, FieldSet>();
  for (const { set, apiVersion } of managers.values()) {
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? EMPTY_SET, set));
  }
  // What stands in the version at hand first: conversion may need it.
  const first = byVersion.get(merged.apiVersion);
  byVersion.delete(merged.apiVersion);
  const order: [string, FieldSet][] = [...byVersion];
  if (first !== undefined) order.unshift([merged.apiVersion, first]);
  let result = pruned;
  for (const [apiVersion, managed] of order) {
    const failure = (what: string): string =>
      `failed to prune fields: failed add back owned items: failed to convert ${what} object at version ${apiVersion}`;
    const whole = convertFor(context, merged, { apiVersion, failure: failure("merged") });
    const rest = whole && convertFor(context, result, { apiVersion, failure: failure("pruned") });
    if (rest === undefined) continue;
    const { value, schema } = whole!;
    yield;
    const all = withNamedFields(yield* fieldSetInSteps(value, schema), schema);
    yield;
    const left = withNamedFields(yield* fieldSetInSteps(rest.value, schema), schema);
    yield;
    const owned = union(left, withNamedFields(managed, schema));
    yield;
    const missing = difference(all, owned);
    yield;
    result = { ...whole!, value: removeItems(value, missing, schema) };
    yield;
  }
  return result;
}

/** Restores what the manager did not own before: it only fell with what contains it. */
function* addBackDangling(
  merged: VersionedValue,
  pruned: VersionedValue,
  { last, context }: { readonly last: ManagedSet; readonly context: MergeContext },
): WorkSteps<VersionedValue> {
  const rest = convertFor(context, pruned, {
    apiVersion: last.apiVersion,
    failure:
      "failed to prune fields: failed add back dangling items: failed to convert pruned object to last applied version",
  });
  if (rest === undefined) return merged;
  const { value, schema } = merged;
  const all = withNamedFields(yield* fieldSetInSteps(value, schema), schema);
  yield;
  const left = withNamedFields(yield* fieldSetInSteps(rest.value, schema), schema);
  yield;
  const missing = difference(all, left);
  yield;
  const removable = intersection(missing, withNamedFields(last.set, schema));
  yield;
  return { ...merged, value: removeItems(value, removable, schema) };
}
