/** What containers and pods ask for and are limited to. */
import { FieldError, ownKey, type Quantity } from "@homeostat/object-model";
import type { PodSpec, ResourceClaim, ResourceRequirements } from "@homeostat/object-model/core-v1";
import { dns1123Label, type Place, type Rule } from "@homeostat/schema";
import { amountOf, amountOfResource } from "../checks/quantities.ts";
import {
  containerResourceName,
  isHugePages,
  isOvercommitAllowed,
  isWholePages,
} from "../checks/resource-names.ts";
import type { PodFacts } from "../pod-facts.ts";
import { containersOf } from "./container-lists.ts";

type Amounts = { readonly [name: string]: string | number } | undefined;

interface RequirementOptions {
  /** Which resources may be named here. */
  readonly name: Rule<string>;
  /** The claims that may be used. */
  readonly claimNames: ReadonlySet<string>;
}

/** Of a container, and of the overhead of a pod, which is said as if it were one. */
export function containerResourcesRule(
  claimNames: ReadonlySet<string>,
): Rule<ResourceRequirements, PodFacts> {
  return resourcesRule({ name: containerResourceName, claimNames });
}

export function resourcesRule(options: RequirementOptions): Rule<ResourceRequirements, PodFacts> {
  return (resources, place) => {
    const { limits, requests } = resources ?? {};
    checkAmounts(limits, place.child("limits"), options);
    checkRequests(resources ?? {}, place, options);
    const names = [...Object.keys(limits ?? {}), ...Object.keys(requests ?? {})];
    if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory")) {
      place.forbidden("HugePages require cpu or memory");
    }
    checkClaims(resources?.claims ?? [], options.claimNames, place.child("claims"));
  };
}

function checkAmounts(amounts: Amounts, place: Place<PodFacts>, options: RequirementOptions): void {
  place.visitItems(Object.entries(amounts ?? {}), ([name, value], _, here) => {
    const at = here.key(name);
    options.name(name, at);
    amountOfResource(name)(value, at);
    checkPages(name, amountOf(value), at);
  });
}

function checkRequests(
  { limits, requests }: ResourceRequirements,
  place: Place<PodFacts>,
  options: RequirementOptions,
): void {
  place.visitItems(Object.entries(requests ?? {}), ([name, value], _, here) => {
    const list = here.child("requests");
    const at = list.key(name);
    options.name(name, at);
    amountOfResource(name)(value, at);
    const request = amountOf(value);
    const limitText = ownKey(limits, name);
    if (limitText !== undefined) {
      const limit = amountOf(limitText);
      if (!request.equals(limit) && !isOvercommitAllowed(name)) {
        const why = `must be equal to ${name} limit of ${limit.toString()}`;
        list.invalid(request.toString(), why);
      } else if (request.compare(limit) > 0) {
        const why = `must be less than or equal to ${name} limit of ${limit.toString()}`;
        list.invalid(request.toString(), why);
      }
    } else if (!isOvercommitAllowed(name)) {
      here.child("limits").required("Limit must be set for non overcommitable resources");
    }
    checkPages(name, request, at);
  });
}

function checkPages(name: string, amount: Quantity, place: Place<PodFacts>): void {
  if (!isHugePages(name) || isWholePages(name, amount) || hadBrokenPages(place.context.old)) return;
  place.invalid(
    amount.toString(),
    `${amount.toString()} is not positive integer multiple of ${name}`,
  );
}

const brokenPages = new WeakMap<Readonly<PodSpec>, boolean>();

/** Asked for every amount of pages, so it is remembered for the spec. */
function hadBrokenPages(old: Readonly<PodSpec> | undefined): boolean {
  if (old === undefined) return false;
  const known = brokenPages.get(old) ?? hasBrokenPages(old);
  brokenPages.set(old, known);
  return known;
}

function hasBrokenPages(old: Readonly<PodSpec>): boolean {
  const lists: Amounts[] = [
    ...containersOf(old).flatMap(({ resources }) => [resources?.limits, resources?.requests]),
    old.overhead,
  ];
  return lists.some((amounts) =>
    Object.entries(amounts ?? {}).some(
      ([name, value]) => isHugePages(name) && !isWholePages(name, amountOf(value)),
    ),
  );
}

/** A claim is used whole or by requests of it, each once. */
function checkClaims(
  claims: readonly ResourceClaim[],
  known: ReadonlySet<string>,
  place: Place,
): void {
  const used = new Set<string>();
  const requestsOf = new Map<string, number>();
  const listed = known.size === 0 ? " which is empty" : `: ${[...known].sort().join(", ")}`;
  const why = `must be one of the names in pod.spec.resourceClaims${listed}`;
  place.visitItems(claims, (claim: Partial<ResourceClaim>, at) => {
    const { name = "", request = "" } = claim;
    if (name === "") return at.required();
    if (used.has(name)) at.duplicate(name);
    else {
      const key = request === "" ? name : `${name}/${request}`;
      if (request !== "") dns1123Label(request, at.child("request"));
      if (used.has(key)) at.duplicate(key);
      else if (request === "") {
        for (let told = requestsOf.get(name) ?? 0; told > 0; told -= 1) at.duplicate(name);
      } else requestsOf.set(name, (requestsOf.get(name) ?? 0) + 1);
      used.add(key);
    }
    if (!known.has(name) && at.path !== undefined) {
      at.add(FieldError.notFound(at.path, name, why));
    }
  });
}
