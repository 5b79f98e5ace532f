/**
 * Who may do what. One question, asked at the door for every request, and again by whoever acts for
 * somebody (reviews, impersonation, escalation checks). Answered at once: an authorizer holds what it
 * needs in memory and follows the store.
 */
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { RoleRef } from "@homeostat/object-model/rbac-v1";
import type { HeldRule } from "./policy-rule.ts";

/** Something with a resource, or with a path that is none. */
export type AccessAttributes =
  | {
      readonly kind: "resource";
      /** As authorization names it: get list watch create update patch delete deletecollection ... */
      readonly verb: string;
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      /** "" for the object itself. */
      readonly subresource: string;
      /** "" for cluster-scoped resources and for all namespaces. */
      readonly namespace: string;
      /** "" for a collection. */
      readonly name: string;
    }
  | { readonly kind: "path"; readonly verb: string; readonly path: string };

export interface AccessDecision {
  readonly allowed: boolean;
  /** What allowed it, or why it could not be said; "" for nothing to say. */
  readonly reason: string;
}

export interface Authorizer {
  authorize(user: UserInfo, attributes: AccessAttributes): AccessDecision;
}

/** Everything that a user may do in a namespace, as far as it could be found out. */
export interface HeldRules {
  readonly rules: readonly HeldRule[];
  /** The roles that are bound and do not exist. */
  readonly missing: readonly RoleRef[];
}

/** An authorizer that also knows what a user holds, and when that may have changed. */
export interface Authorization extends Authorizer {
  /** "": what it holds in the whole cluster. */
  rulesFor(user: UserInfo, namespace: string): HeldRules;
  /** Another number after every commit that may change an answer. */
  readonly changes: number;
  /** Calls back inside the commit after which an answer may be another one. */
  whenChanged(listener: () => void): void;
}
