import { ApiError } from "@homeostat/object-model";
import type { MatchResources } from "@homeostat/object-model/admissionregistration-v1";
import type { AdmissionAttributes, MatchedResource } from "./admission-attributes.ts";
import type { EquivalentResources } from "./equivalent-resources.ts";
import { matchedBy } from "./resource-rules.ts";
import { type FindNamespace, SelectedLabels } from "./selected-labels.ts";

export interface ResourceMatcherPlane {
  readonly equivalents: EquivalentResources;
  readonly findNamespace: FindNamespace;
}

/** What a policy, or its binding, says that it is about. */
export class ResourceMatcher {
  readonly #resources: MatchResources;
  readonly #labels: SelectedLabels;

  constructor(resources: MatchResources) {
    this.#resources = resources;
    this.#labels = new SelectedLabels(resources);
  }

  /** Without rules, every resource is meant. Throws an ApiError for a namespace that is not there. */
  match(attributes: AdmissionAttributes, plane: ResourceMatcherPlane): MatchedResource | undefined {
    const { resourceRules = [], excludeResourceRules = [], matchPolicy } = this.#resources;
    const equivalents = matchPolicy === "Equivalent" ? plane.equivalents : undefined;
    const matched =
      resourceRules.length === 0
        ? {
            served: attributes.request.served,
            resource: attributes.resource,
            kind: attributes.kind,
          }
        : matchedBy(resourceRules, attributes, equivalents);
    if (matched === undefined || !this.#labels.selectsObject(attributes)) return undefined;
    if (matchedBy(excludeResourceRules, attributes, equivalents) !== undefined) return undefined;
    const inNamespace = this.#labels.selectsNamespace(attributes, plane.findNamespace);
    if (inNamespace instanceof ApiError) throw inNamespace;
    return inNamespace ? matched : undefined;
  }
}
