/** Claims of resources that a pod lists for its containers. */
import { FieldError, FieldPath, ownKey } from "@homeostat/object-model";
import type { PodResourceClaim } from "@homeostat/object-model/core-v1";
import { dns1123Label, dns1123Subdomain, ifPresent, type Rule } from "@homeostat/schema";
import { internalForm } from "../../resources/internal-form.ts";
import type { PodFacts } from "../pod-facts.ts";
import { MIRROR_POD } from "./pod-annotations.ts";

/** How kube-apiserver prints a path without a name. */
const WHOLE = FieldPath.of("[]");
const CLAIM_NAMES = ["resourceClaimName", "resourceClaimTemplateName"] as const;

const claimName = ifPresent(dns1123Subdomain);

export const podClaimsRule: Rule<readonly Partial<PodResourceClaim>[], PodFacts> = (
  list,
  place,
) => {
  const names = new Set<string>();
  const annotations = place.context.metadata?.annotations;
  const isStatic = ownKey(annotations, MIRROR_POD) !== undefined;
  place.visitItems(list ?? [], (claim, at, here) => {
    const { name = "" } = claim;
    if (isStatic) {
      here.add(FieldError.forbidden(WHOLE, "static pods do not support resource claims"));
      return;
    }
    if (name === "") at.child("name").required();
    else if (names.has(name)) at.child("name").duplicate(name);
    else dns1123Label(name, at.child("name"));
    names.add(name);
    const count = CLAIM_NAMES.filter((field) => claim[field] !== undefined).length;
    if (count !== 1) {
      const why =
        count === 0
          ? "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
          : "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
      at.invalid(internalForm("PodResourceClaim", claim), why);
    }
    for (const field of CLAIM_NAMES) claimName(claim[field], at.child(field));
  });
};
