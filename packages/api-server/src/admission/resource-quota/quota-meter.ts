/**
 * Quotas: how much of what a namespace may hold. A meter says what an object of one resource counts for;
 * `charge.ts` decides whether a quota has room for it, and `resource-quota.ts` writes down what was
 * taken. Giving back is a controller's work: it counts everything anew.
 */
import { type GroupResource, type KubernetesObject, Quantity } from "@homeostat/object-model";
import type { ScopedResourceSelectorRequirement } from "@homeostat/object-model/core-v1";
import type { AdmissionRequest, AdmittedChange } from "../admission.ts";
import type { Amounts } from "../resource-amounts.ts";

export type QuotaScope = Readonly<ScopedResourceSelectorRequirement>;

export interface QuotaMeter {
  /** Whether a change can change what is counted. */
  handles(change: Readonly<AdmittedChange>, request: AdmissionRequest): boolean;
  /** Whether this is a name under which a quota limits such objects. */
  counts(name: string): boolean;
  /** Whether an object is in a scope. */
  isIn(scope: QuotaScope, object: Readonly<KubernetesObject>): boolean;
  /** What an object has to say for quotas with these names, and does not. */
  missing(names: readonly string[], object: Readonly<KubernetesObject>): string | undefined;
  usage(object: Readonly<KubernetesObject>, now: number): Amounts;
}

export const ONE: Quantity = Quantity.of(1);

/** Under which name objects of any resource are counted. */
export function countName({ group, resource }: GroupResource): string {
  return group === "" ? `count/${resource}` : `count/${resource}.${group}`;
}

/** Core resources that were counted before all could be. */
const ALIASED = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

/** Counts objects, whatever they are. */
export function countMeter(groupResource: GroupResource): QuotaMeter {
  const names = [countName(groupResource)];
  if (groupResource.group === "" && ALIASED.has(groupResource.resource)) {
    names.push(groupResource.resource);
  }
  const usage: Amounts = new Map(names.map((name) => [name, ONE]));
  return {
    handles: ({ operation }, { subresource }) => operation === "CREATE" && subresource === "",
    counts: (name) => names.includes(name),
    isIn: () => false,
    missing: () => undefined,
    usage: () => usage,
  };
}
