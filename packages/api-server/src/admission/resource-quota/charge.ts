import { compareBytewise, type KubernetesObject, Quantity } from "@homeostat/object-model";
import type { ResourceQuota } from "@homeostat/object-model/core-v1";
import { type Amounts, addAmounts, amountsOf, printAmounts } from "../resource-amounts.ts";
import type { QuotaMeter, QuotaScope } from "./quota-meter.ts";

export interface Charged {
  readonly meter: QuotaMeter;
  readonly object: Readonly<KubernetesObject>;
  readonly old: Readonly<KubernetesObject> | undefined;
  /** "" for the object itself: a status may take more than there is. */
  readonly subresource: string;
  readonly now: number;
  readonly refuse: (why: string) => Error;
}

const ZERO = Quantity.of(0);

/** What of a quota is used after a change; undefined when it is not concerned. Refuses by throwing. */
export function charge(
  quota: Readonly<ResourceQuota>,
  charged: Charged,
): Record<string, string> | undefined {
  const { meter, object, refuse } = charged;
  const hard = amountsOf(quota.status?.hard);
  const names = [...hard.keys()].filter((name) => meter.counts(name));
  const name = quota.metadata?.name ?? "";
  if (names.length === 0 || !covers(quota, meter, object)) return undefined;
  const missing = meter.missing(names, object);
  if (missing !== undefined) throw refuse(`failed quota: ${name}: ${missing}`);
  const used = amountsOf(quota.status?.used);
  if (names.some((each) => !used.has(each))) {
    throw refuse(`status unknown for quota: ${name}, resources: ${printNames(names)}`);
  }
  const asked = takenBy(quota, charged);
  const counted = new Map([...asked].filter(([each]) => hard.has(each)));
  if (counted.size === 0) return undefined;
  const after = addAmounts(used, counted);
  if (charged.subresource !== "status") {
    const exceeded = [...counted.keys()].filter(
      (each) => after.get(each)!.compare(hard.get(each)!) > 0,
    );
    if (exceeded.length > 0) {
      const of = (amounts: Amounts): string => print(amounts, exceeded);
      throw refuse(
        `exceeded quota: ${name}, requested: ${of(counted)}, used: ${of(used)}, limited: ${of(hard)}`,
      );
    }
  }
  return printAmounts(after);
}

/** Only what is more than before, where the object was in the quota before. */
function takenBy(quota: Readonly<ResourceQuota>, charged: Charged): Amounts {
  const { meter, object, old, now, refuse } = charged;
  const usage = meter.usage(object, now);
  const negative = [...usage].filter(([, amount]) => amount.compare(ZERO) < 0);
  if (negative.length > 0) {
    const names = printNames(negative.map(([name]) => name));
    throw refuse(`quota usage is negative for resource(s): ${names}`);
  }
  const before = old && covers(quota, meter, old) ? meter.usage(old, now) : new Map();
  const more = new Map<string, Quantity>();
  for (const [name, amount] of usage) {
    const had = before.get(name);
    const delta = had === undefined ? amount : amount.subtract(had);
    if (delta.compare(ZERO) > 0) more.set(name, delta);
  }
  return more;
}

function covers(
  { spec }: Readonly<ResourceQuota>,
  meter: QuotaMeter,
  object: Readonly<KubernetesObject>,
): boolean {
  const scopes: readonly QuotaScope[] = [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
  return scopes.every((scope) => meter.isIn(scope, object));
}

function printNames(names: readonly string[]): string {
  return names.toSorted(compareBytewise).join(",");
}

function print(amounts: Amounts, names: readonly string[]): string {
  return names
    .toSorted(compareBytewise)
    .map((name) => `${name}=${String(amounts.get(name))}`)
    .join(",");
}
