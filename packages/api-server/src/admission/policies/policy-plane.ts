/**
 * Policies: expressions in CEL that judge writes (ValidatingAdmissionPolicy) or change them
 * (MutatingAdmissionPolicy). A policy does nothing until a binding names it; a binding may give it
 * parameters, which are objects. Policies are compiled when they are first asked, once, and followed
 * inside the commit. Start at `validating-policies.ts` and `mutating-policies.ts`.
 */
import type { Clock } from "@homeostat/concurrency";
import type { GroupVersionKind } from "@homeostat/object-model";
import type { Namespace } from "@homeostat/object-model/core-v1";
import type { Authorizer } from "../../authorization/authorizer.ts";
import type { ServerFigures } from "../../figures/server-figures.ts";
import { isPolicyKind } from "../exempt-kinds.ts";
import type { KnownObjectsPlane } from "../known-objects.ts";
import type { AdmissionAttributes } from "../matching/admission-attributes.ts";
import type { ResourceMatcherPlane } from "../matching/resource-matcher.ts";
import type { PolicyParams } from "./policy-params.ts";

export interface PolicyPlane extends KnownObjectsPlane, ResourceMatcherPlane {
  readonly params: PolicyParams;
  readonly authorizer: Authorizer;
  readonly breathe: () => Promise<void>;
  readonly clock: Clock;
  readonly figures: ServerFigures;
}

const REVIEWS: ReadonlySet<string> = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

/** Questions to the server are not judged, nor what says who judges. Webhooks are. */
export function isExemptFromPolicies(kind: GroupVersionKind): boolean {
  return isPolicyKind(kind) || (REVIEWS.has(kind.group) && kind.kind.endsWith("Review"));
}

/** The namespace that a request is in; none for a namespace itself. */
export function namespaceOf(
  { kind, namespace }: AdmissionAttributes,
  { findNamespace }: PolicyPlane,
): Readonly<Namespace> | undefined {
  const isNamespace = kind.group === "" && kind.version === "v1" && kind.kind === "Namespace";
  return isNamespace || namespace === "" ? undefined : findNamespace(namespace);
}
