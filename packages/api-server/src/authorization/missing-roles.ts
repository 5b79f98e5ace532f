import { goQuote } from "@homeostat/object-model";
import type { RoleRef } from "@homeostat/object-model/rbac-v1";
import { RBAC_GROUP } from "./rbac-policy.ts";

/**
 * What is said of bound roles that do not exist: each once, several as a list. `resource` is what they
 * are called; kube-apiserver calls them after the resource that is being written, if one is.
 */
export function printMissingRoles(missing: readonly RoleRef[], resource?: string): string {
  const texts = new Set(
    missing.map(({ kind, name }) => {
      const what = resource ?? kind.toLowerCase();
      return `${what}.${RBAC_GROUP} ${goQuote(name)} not found`;
    }),
  );
  return texts.size === 1 ? [...texts][0]! : `[${[...texts].join(", ")}]`;
}
