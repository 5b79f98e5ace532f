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
import { printObject } from "../codec/print-object.ts";
import { type MetadataCheck, metadataChecksOf } from "../resources/metadata-checks.ts";
import {
  checkObjectMeta,
  checkObjectMetaAgain,
  checkObjectMetaUpdate,
  hasFreeFinalizers,
  nameIsDnsSubdomain,
  type ObjectMetaRules,
} from "../resources/object-meta.ts";
import { applyDefaults } from "../rules/apply-defaults.ts";
import type { StoredKind } from "./served-resource.ts";
import type { WriteContext } from "./strategy.ts";
import { countGeneration, keepOld, metadataOf, stampNew } from "./system-metadata.ts";

/** Throws Invalid. */
export function prepareNew(kind: StoredKind, draft: KubernetesObject, context: WriteContext): void {
  const { strategy, groupKind, hasStatus, schema } = kind;
  stampNew(draft, { now: context.now, random: context.random });
  if (hasStatus && strategy.statusOnCreate !== true) delete (draft as { status?: unknown }).status;
  strategy.prepareForCreate?.(draft, context);
  if (strategy.generation === true) draft.metadata!.generation = 1;
  const errors = checkObjectMeta(draft.metadata!, metadataRules(kind));
  errors.push(...(strategy.validate?.(draft, context) ?? []));
  if (errors.length > 0) throw ApiError.invalid(groupKind, draft.metadata!.name ?? "", errors);
  // What a strategy adds is defaulted too, as kube-apiserver does when it decodes what it stored.
  applyDefaults(schema, draft as unknown as JsonObject, context.now);
}

/** Throws Invalid. What may not change is taken from the old object first. */
export function prepareChanged(
  kind: StoredKind,
  {
    object: draft,
    old,
  }: { readonly object: KubernetesObject; readonly old: Readonly<KubernetesObject> },
  context: WriteContext,
): void {
  const { strategy, groupKind, hasStatus, schema } = kind;
  const { subresource } = context;
  keepOld(draft, old);
  metadataOf(draft).resourceVersion = old.metadata!.resourceVersion!;
  const special = subresource === "" ? undefined : strategy.subresources?.[subresource];
  const errors: FieldError[] = [];
  if (special !== undefined) special.prepareForUpdate(draft, old, context);
  else if (subresource === "status") keepAllButStatus(draft, old);
  else {
    if (hasStatus) keepStatus(draft, old);
    strategy.prepareForUpdate?.(draft, old, context);
    applyDefaults(schema, draft as unknown as JsonObject, context.now);
  }
  if (strategy.generation === true && (subresource === "" || special !== undefined)) {
    const printed = printObject(schema, draft as unknown as JsonObject);
    countGeneration(draft, { printed, old });
  }
  const rules = metadataRules(kind, subresource);
  errors.push(...checkObjectMetaUpdate(draft.metadata!, old.metadata!, rules));
  for (const check of rules.kindChecks) {
    errors.push(...checkObjectMetaAgain(draft.metadata!, old.metadata!, { ...rules, check }));
    if (check === "whole" && subresource === "") {
      errors.push(...(strategy.revalidate?.(draft, context) ?? []));
    }
  }
  if (special !== undefined) errors.push(...(special.validateUpdate?.(draft, old, context) ?? []));
  else if (subresource === "")
    errors.push(...(strategy.validateUpdate?.(draft, old, context) ?? []));
  if (errors.length > 0) throw ApiError.invalid(groupKind, draft.metadata!.name ?? "", errors);
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
    qualifiedFinalizers: kindChecks.length > 0 && !hasFreeFinalizers(groupResource.group),
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
