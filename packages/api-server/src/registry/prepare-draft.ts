/**
 * What happens to a draft between decoding and commit, without I/O: what the server owns is set, the
 * kind's strategy has its say, and everything that is wrong is told at once.
 */
import { inTurns, type WorkSteps } from "@homeostat/cel";
import {
  ApiError,
  type FieldError,
  type JsonObject,
  type KubernetesObject,
} from "@homeostat/object-model";
import {
  type MetadataCheck,
  metadataChecksOf,
  newMetadataTurnOf,
} from "../resources/metadata-checks.ts";
import {
  checkNames,
  checkObjectMeta,
  checkObjectMetaAgain,
  checkObjectMetaUpdate,
  hasFreeFinalizers,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  type ObjectMetaRules,
} from "../resources/object-meta.ts";
import { validateChangeInSteps, validateNewInSteps } from "../rules/validate-object.ts";
import type { StoredKind } from "./served-resource.ts";
import { isLargeObject } from "./stored-object.ts";
import type { ExaminedChange, WriteContext } from "./strategy.ts";
import { countGeneration, keepOld, metadataOf, stampNew } from "./system-metadata.ts";

/** Throws Invalid, at once unless the kind is one to be examined. */
export function prepareNew(
  kind: StoredKind,
  draft: KubernetesObject,
  context: WriteContext,
): void | Promise<void> {
  const { strategy, hasStatus, codec } = kind;
  stampNew(draft, { now: context.now, random: context.random });
  if (hasStatus && strategy.statusOnCreate !== true) delete (draft as { status?: unknown }).status;
  strategy.prepareForCreate?.(draft, context);
  if (strategy.generation === true) draft.metadata!.generation = 1;
  // What a strategy adds is defaulted too, as kube-apiserver does when it decodes what it stored.
  const finish = (): void => codec.applyDefaults(draft as unknown as JsonObject, context.now);
  const examine = (errors: readonly FieldError[]): void | Promise<void> => {
    const examined = conclude(kind, { object: draft, old: undefined, errors }, context);
    return examined === undefined ? finish() : examined.then(finish);
  };
  const errors = inTurns(errorsOfNew(kind, draft, context), context.breathe);
  return errors instanceof Promise ? errors.then(examine) : examine(errors);
}

/** A large object gives others a turn between the parts. */
function* errorsOfNew(
  kind: StoredKind,
  draft: KubernetesObject,
  context: WriteContext,
): WorkSteps<FieldError[]> {
  const isLarge = isLargeObject(draft);
  if (isLarge) yield;
  const rules = metadataRules(kind);
  const turn = newMetadataTurnOf(kind.groupResource);
  const errors = turn === "first" ? checkObjectMeta(draft.metadata!, rules) : [];
  for (const each of yield* validateNewInSteps(kind.codec.schema, draft, context))
    errors.push(each);
  if (isLarge) yield;
  for (const each of kind.strategy.validate?.(draft, context) ?? []) errors.push(each);
  if (isLarge) yield;
  if (errors.length > 0) return errors;
  // What is asked of all kinds alike comes when nothing else is wrong: a kind may take any name before.
  if (turn === "last") return checkObjectMeta(draft.metadata!, rules);
  return checkNames(draft.metadata!, { checkName: nameIsPathSegment });
}

interface PreparedChange {
  readonly object: KubernetesObject;
  readonly old: Readonly<KubernetesObject>;
}

/** Throws Invalid, as prepareNew. What may not change is taken from the old object first. */
export function prepareChanged(
  kind: StoredKind,
  { object: draft, old }: PreparedChange,
  context: WriteContext,
): void | Promise<void> {
  const examine = (errors: readonly FieldError[]): void | Promise<void> =>
    conclude(kind, { object: draft, old, errors }, context);
  const errors = inTurns(changeInSteps(kind, { object: draft, old }, context), context.breathe);
  return errors instanceof Promise ? errors.then(examine) : examine(errors);
}

function* changeInSteps(
  kind: StoredKind,
  { object: draft, old }: PreparedChange,
  context: WriteContext,
): WorkSteps<FieldError[]> {
  const { strategy, hasStatus, codec } = kind;
  const { subresource } = context;
  const isLarge = isLargeObject(draft) || isLargeObject(old);
  keepOld(draft, old);
  metadataOf(draft).resourceVersion = old.metadata!.resourceVersion!;
  const special = subresource === "" ? undefined : strategy.subresources?.[subresource];
  if (special !== undefined) special.prepareForUpdate(draft, old, context);
  else if (subresource === "status") keepAllButStatus(draft, old);
  else {
    if (hasStatus) keepStatus(draft, old);
    strategy.prepareForUpdate?.(draft, old, context);
    codec.applyDefaults(draft as unknown as JsonObject, context.now);
  }
  if (isLarge) yield;
  if (strategy.generation === true && (subresource === "" || special !== undefined)) {
    countGeneration(draft, old, (object) =>
      codec.printUnordered(object, old as unknown as JsonObject),
    );
  }
  if (isLarge) yield;
  return yield* errorsOfChange(kind, { object: draft, old }, context);
}

/** In the order in which clients are told. */
function* errorsOfChange(
  kind: StoredKind,
  { object, old }: PreparedChange,
  context: WriteContext,
): WorkSteps<FieldError[]> {
  const { strategy, codec } = kind;
  const { subresource } = context;
  const rules = metadataRules(kind, subresource);
  const errors = checkObjectMetaUpdate(object.metadata!, old.metadata!, rules);
  const isClean = errors.length === 0;
  const add = (found: Iterable<FieldError> | undefined): void => {
    for (const each of found ?? []) errors.push(each);
  };
  for (const check of rules.kindChecks) {
    add(checkObjectMetaAgain(object.metadata!, old.metadata!, { ...rules, check, isClean }));
    if (subresource !== "") continue;
    if (check === "whole") add(strategy.revalidate?.(object, old, context));
    else add(strategy.validateFixed?.(object, old, context));
  }
  if (isLargeObject(object)) yield;
  if (subresource === "") {
    add(yield* validateChangeInSteps(codec.schema, { value: object, old }, context));
    if (isLargeObject(object)) yield;
    add(strategy.validateUpdate?.(object, old, context));
  } else add(strategy.subresources?.[subresource]?.validateUpdate?.(object, old, context));
  return errors;
}

/** Refuses for what was found, or for what an examination adds to it. */
function conclude(
  { strategy, groupKind }: StoredKind,
  change: ExaminedChange,
  context: WriteContext,
): void | Promise<void> {
  const finish = (errors: readonly FieldError[]): void => {
    const { name = "" } = change.object.metadata!;
    if (errors.length > 0) throw ApiError.invalid(groupKind, name, errors);
  };
  if (strategy.examine === undefined) return finish(change.errors);
  return strategy.examine(change, context).then((found) => finish([...change.errors, ...found]));
}

function metadataRules(
  kind: StoredKind,
  subresource = "",
): ObjectMetaRules & { readonly kindChecks: readonly MetadataCheck[] } {
  const { strategy, namespaced, groupResource } = kind;
  const kindChecks = metadataChecksOf(groupResource, subresource);
  return {
    namespaced,
    checkName: strategy.checkName ?? nameIsDnsSubdomain,
    qualifiedFinalizers:
      kind.keeping === undefined &&
      kindChecks.length > 0 &&
      !hasFreeFinalizers(groupResource.group),
    kindChecks,
  };
}

function keepStatus(draft: KubernetesObject, old: Readonly<KubernetesObject>): void {
  const target = draft as { status?: unknown };
  const { status } = old as { status?: unknown };
  if (status === undefined) delete target.status;
  else target.status = status;
}

/** A status update without a strategy of its own: everything else stays as it was. */
function keepAllButStatus(draft: KubernetesObject, old: Readonly<KubernetesObject>): void {
  const target = draft as unknown as Record<string, unknown>;
  const source = old as unknown as Record<string, unknown>;
  for (const key of Object.keys(target)) {
    if (key !== "status" && key !== "metadata" && !Object.hasOwn(source, key)) delete target[key];
  }
  for (const key of Object.keys(source)) {
    if (key !== "status" && key !== "metadata") target[key] = source[key];
  }
}
