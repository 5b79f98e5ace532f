import type { DeviceClaim } from "@homeostat/object-model/resource-v1";
import { dns1123Label, type Rule } from "@homeostat/schema";
import { distinctUpTo, itself } from "../checks/bounded-lists.ts";

export const MAX_REQUESTS = 32;

const UNKNOWN =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** The requests of a claim, and the alternatives of each. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export function requestNamesOf(claim: DeviceClaim | undefined): RequestNames {
  return new Map(
    (claim?.requests ?? []).map((request) => [
      request?.name ?? "",
      new Set((request?.firstAvailable ?? []).map((alternative) => alternative?.name ?? "")),
    ]),
  );
}

/** `request`, or `request/alternative`. */
export function requestReference(names: RequestNames): Rule<string> {
  return (reference = "", place) => {
    const [request = "", ...rest] = reference.split("/");
    const [alternative] = rest;
    if (rest.length > 1) return place.invalid(reference, UNKNOWN);
    dns1123Label(request, place);
    if (alternative !== undefined) dns1123Label(alternative, place);
    const alternatives = names.get(request);
    const isKnown =
      alternatives !== undefined && (alternative === undefined || alternatives.has(alternative));
    if (!isKnown) place.invalid(reference, UNKNOWN);
  };
}

export function requestReferences(names: RequestNames): Rule<readonly string[]> {
  return distinctUpTo({ max: MAX_REQUESTS, rule: requestReference(names), keyOf: itself });
}
