/**
 * What happens to a draft between decoding and commit, without I/O: what the server owns is set, the
 * kind's strategy has its say, and everything that is wrong is told at once.
 */
import {
  ApiError,
  type FieldError,
  type JsonObject,
  type KubernetesObject,
} from "@homeostat/object-model";
import { type MetadataCheck, metadataChecksOf } from "../resources/metadata-checks.ts";
import {
  checkObjectMeta,
  checkObjectMetaAgain,
  checkObjectMetaUpdate,
  hasFreeFinalizers,
  nameIsDnsSubdomain,
  type ObjectMetaRules,
} from "../resources/object-meta.ts";
import { validateChange, validateNew } from "../rules/validate-object.ts";
import type { StoredKind } from "./served-resource.ts";
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
  const errors = [
    ...checkObjectMeta(draft.metadata!, metadataRules(kind)),
    ...validateNew(codec.schema, draft, context),
    ...(strategy.validate?.(draft, context) ?? []),
  ];
  // What a strategy adds is defaulted too, as kube-apiserver does when it decodes what it stored.
  const finish = (): void => codec.applyDefaults(draft as unknown as JsonObject, context.now);
  const examined = conclude(kind, { object: draft, old: undefined, errors }, context);
  return examined === undefined ? finish() : examined.then(finish);
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
  const { strategy, hasStatus, codec } = kind;
  const { subresource } = context;
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
  if (strategy.generation === true && (subresource === "" || special !== undefined)) {
    const printed = codec.print(draft as unknown as JsonObject);
    countGeneration(draft, { printed, old });
  }
  const errors = [...errorsOfChange(kind, { object: draft, old }, context)];
  return conclude(kind, { object: draft, old, errors }, context);
}

/** In the order in which clients are told. */
function* errorsOfChange(
  kind: StoredKind,
  { object, old }: PreparedChange,
  context: WriteContext,
): Iterable<FieldError> {
  const { strategy, codec } = kind;
  const { subresource } = context;
  const rules = metadataRules(kind, subresource);
  yield* checkObjectMetaUpdate(object.metadata!, old.metadata!, rules);
  for (const check of rules.kindChecks) {
    yield* checkObjectMetaAgain(object.metadata!, old.metadata!, { ...rules, check });
    if (check === "whole" && subresource === "") {
      yield* strategy.revalidate?.(object, old, context) ?? [];
    }
  }
  if (subresource === "") {
    yield* validateChange(codec.schema, { value: object, old }, context);
    yield* strategy.validateUpdate?.(object, old, context) ?? [];
  } else yield* strategy.subresources?.[subresource]?.validateUpdate?.(object, old, context) ?? [];
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
