/** Limit ranges: what one pod, container or claim of a namespace may use, and what it gets unasked. */
import { ownKey, Quantity } from "@homeostat/object-model";
import type { LimitRange, LimitRangeItem } from "@homeostat/object-model/core-v1";
import { each, type Place, qualifiedName, type Rule } from "@homeostat/schema";
import {
  containerResourceName,
  isOvercommitAllowed,
  resourceName,
} from "./checks/resource-names.ts";
import { addMissingResources } from "./resource-list.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";

export const limitRangeRules: readonly NamedTypeRules[] = [
  rulesFor<LimitRange>("core.v1.LimitRange", {
    validate: (range, place) => wholeRange(range, place),
    validateChange: ({ value }, place) => wholeRange(value, place),
  }),
  rulesFor<LimitRangeItem>("core.v1.LimitRangeItem", {
    setDefaults: setContainerLimits,
    resourceLists: ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"],
  }),
];

/** A default limit is the maximum; a default request is the default limit, or else the minimum. */
function setContainerLimits(item: Unchecked<LimitRangeItem>): void {
  if (item.type !== "Container") return;
  item.default ??= {};
  item.defaultRequest ??= {};
  addMissingResources(item.default, item.max ?? {});
  addMissingResources(item.defaultRequest, item.default);
  addMissingResources(item.defaultRequest, item.min ?? {});
}

type ListName = "default" | "defaultRequest" | "max" | "maxLimitRequestRatio" | "min";

const STANDARD_TYPES: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);

const limitType: Rule<string> = (type = "", place) => {
  const before = place.errors.length;
  qualifiedName(type, place);
  if (place.errors.length > before || type.includes("/") || STANDARD_TYPES.has(type)) return;
  place.invalid(type, "must be a standard limit type or fully qualified");
};

const wholeRange: Rule<LimitRange, RuleContext> = (range, place) => {
  const types = new Set<string>();
  each<LimitRangeItem>((item, at) => {
    const type = item?.type ?? "";
    limitType(type, at.child("type"));
    if (types.has(type)) at.child("type").duplicate(type);
    types.add(type);
    if (item !== undefined) checkItem(item, at);
  })(range?.spec?.limits, place.child("spec").child("limits"));
};

function checkItem(item: LimitRangeItem, place: Place): void {
  const rule = ["Pod", "Container"].includes(item.type) ? containerResourceName : resourceName;
  const checkNames = (name: ListName): void => {
    for (const key of Object.keys(item[name] ?? {})) rule(key, place.child(name).key(key));
  };
  checkNames("max");
  checkNames("min");
  for (const name of ["default", "defaultRequest"] as const) {
    if (item.type !== "Pod") checkNames(name);
    else if (Object.keys(item[name] ?? {}).length > 0) {
      place.child(name).forbidden("may not be specified when `type` is 'Pod'");
    }
  }
  const isBounded = [item.min, item.max].some((list) => ownKey(list, "storage") !== undefined);
  if (item.type === "PersistentVolumeClaim" && !isBounded) {
    const why = "either minimum or maximum storage value is required, but neither was provided";
    place.child("limits").required(why);
  }
  checkNames("maxLimitRequestRatio");
  const lists = [item.max, item.min, item.maxLimitRequestRatio];
  if (item.type !== "Pod") lists.push(item.default, item.defaultRequest);
  const names = new Set(lists.flatMap((list) => Object.keys(list ?? {})));
  for (const name of names) checkAmounts(name, item, place);
}

/** What must not be more than what, how both are called, at which list it is told, and what is shown. */
const ORDER: readonly {
  readonly less: readonly [ListName, string];
  readonly more: readonly [ListName, string];
  readonly at: ListName;
  readonly shown: ListName;
}[] = [
  { less: ["min", "min"], more: ["max", "max"], at: "min", shown: "min" },
  {
    less: ["min", "min"],
    more: ["defaultRequest", "default request"],
    at: "defaultRequest",
    shown: "defaultRequest",
  },
  {
    less: ["defaultRequest", "default request"],
    more: ["max", "max"],
    at: "defaultRequest",
    shown: "defaultRequest",
  },
  {
    less: ["defaultRequest", "default request"],
    more: ["default", "default limit"],
    at: "defaultRequest",
    shown: "defaultRequest",
  },
  // Kubernetes shows the bound instead of the value in these two.
  { less: ["min", "min"], more: ["default", "default"], at: "default", shown: "min" },
  { less: ["default", "default"], more: ["max", "max"], at: "default", shown: "max" },
];

/** That minimum, defaults, maximum and ratio of one resource fit together. */
function checkAmounts(name: string, item: LimitRangeItem, place: Place): void {
  const amount = (list: ListName): Quantity | undefined => {
    if (item.type === "Pod" && (list === "default" || list === "defaultRequest")) return undefined;
    const value = ownKey(item[list], name);
    return value === undefined ? undefined : Quantity.fromJson(value);
  };
  for (const { less, more, at, shown } of ORDER) {
    const [one, two] = [amount(less[0]), amount(more[0])];
    if (one === undefined || two === undefined || one.compare(two) <= 0) continue;
    const why = `${less[1]} value ${one.toString()} is greater than ${more[1]} value ${two.toString()}`;
    place
      .child(at)
      .key(name)
      .invalid(String(amount(shown)), why);
  }
  const ratio = amount("maxLimitRequestRatio");
  if (ratio !== undefined) {
    const at = place.child("maxLimitRequestRatio").key(name);
    checkRatio({ ratio, min: amount("min"), max: amount("max") }, at);
  }
  const [limit, request] = [amount("default"), amount("defaultRequest")];
  if (limit === undefined || request === undefined || isOvercommitAllowed(name)) return;
  if (limit.equals(request)) return;
  const why = `default value ${limit.toString()} must equal to defaultRequest value ${request.toString()} in ${name}`;
  place.child("defaultRequest").key(name).invalid(request.toString(), why);
}

/** The largest whole number of which Kubernetes takes thousandths. */
const MAX_MILLI = (2n ** 63n - 1n) / 1000n;

interface Ratio {
  readonly ratio: Quantity;
  readonly min: Quantity | undefined;
  readonly max: Quantity | undefined;
}

/** Limits are not less than requests, and some request between minimum and maximum has the ratio. */
function checkRatio({ ratio, min, max }: Ratio, place: Place): void {
  const shown = ratio.toString();
  if (ratio.compare(Quantity.of(1)) < 0) place.invalid(shown, `ratio ${shown} is less than 1`);
  if (min === undefined || max === undefined) return;
  // Go computes it in floats.
  const isFine = [ratio, min, max].every((amount) => int64(amount.value()) < MAX_MILLI);
  const read = (amount: Quantity): number =>
    Number(int64(isFine ? amount.milliValue() : amount.value()));
  const reachable = read(max) / read(min);
  if ((isFine ? read(ratio) / 1000 : read(ratio)) > reachable) {
    place.invalid(shown, `ratio ${shown} is greater than max/min = ${printFloat(reachable)}`);
  }
}

/** Go reads a number of more than 64 bits as 0. */
function int64(value: bigint): bigint {
  return BigInt.asIntN(64, value) === value ? value : 0n;
}

/** As Go's `%f`. */
function printFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Inf" : "+Inf";
  return value.toFixed(6);
}
