import type { GroupResource, KubernetesObject, ObjectMeta } from "@homeostat/object-model";
import type { MatchResources, ParamRef } from "@homeostat/object-model/admissionregistration-v1";
import type { KnownObjectsPlane } from "../known-objects.ts";
import { FollowedObjects } from "../matching/followed-objects.ts";
import { ResourceMatcher } from "../matching/resource-matcher.ts";

/** What bindings of both kinds of policies say. */
export interface PolicyBinding extends KubernetesObject {
  metadata: ObjectMeta;
  spec: {
    policyName?: string;
    paramRef?: ParamRef;
    matchResources?: MatchResources;
    validationActions?: string[];
  };
}

export interface Bound {
  readonly name: string;
  readonly spec: PolicyBinding["spec"];
  /** Undefined: everything that the policy is about. */
  readonly matcher: ResourceMatcher | undefined;
}

export interface BoundPolicy<Policy> {
  readonly policy: Policy;
  readonly bindings: readonly Bound[];
}

/** The policies that a binding names, with their bindings, both in the order of their names. */
export class BoundPolicies<
  Source extends KubernetesObject,
  Policy extends { readonly name: string },
> implements Disposable
{
  readonly #policies: FollowedObjects<Source, Policy>;
  readonly #bindings: FollowedObjects<PolicyBinding, Bound>;
  #seen: { readonly policies: readonly Policy[]; readonly bindings: readonly Bound[] } | undefined;
  #bound: readonly BoundPolicy<Policy>[] = [];

  constructor(
    plane: KnownObjectsPlane,
    resources: { readonly policies: GroupResource; readonly bindings: GroupResource },
    make: (policy: Readonly<Source>) => Policy,
  ) {
    this.#policies = new FollowedObjects(plane, resources.policies, make);
    this.#bindings = new FollowedObjects(plane, resources.bindings, ({ metadata, spec }) => ({
      name: metadata.name ?? "",
      spec,
      matcher: spec.matchResources && new ResourceMatcher(spec.matchResources),
    }));
  }

  get inOrder(): readonly BoundPolicy<Policy>[] {
    const policies = this.#policies.inOrder;
    if (policies.length === 0) return NONE;
    const bindings = this.#bindings.inOrder;
    if (this.#seen?.policies !== policies || this.#seen.bindings !== bindings) {
      this.#bound = policies.flatMap((policy) => {
        const its = bindings.filter(({ spec }) => spec.policyName === policy.name);
        return its.length === 0 ? [] : [{ policy, bindings: its }];
      });
      this.#seen = { policies, bindings };
    }
    return this.#bound;
  }

  [Symbol.dispose](): void {
    this.#policies[Symbol.dispose]();
    this.#bindings[Symbol.dispose]();
  }
}

const NONE: readonly never[] = [];
