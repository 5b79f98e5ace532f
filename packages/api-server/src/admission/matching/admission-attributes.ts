/**
 * Which requests a webhook or a policy is about: rules over resources and operations, selectors over
 * labels, and other versions of the same resource (matchPolicy Equivalent). What is matched here is
 * asked for with every write, so nothing is decoded or converted before something matches.
 */
import type { GroupVersionKind, GroupVersionResource } from "@homeostat/object-model";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { AdmissionRequest, AdmittedChange } from "../admission.ts";

/** A request as rules see it. */
export interface AdmissionAttributes {
  readonly change: Readonly<AdmittedChange>;
  readonly request: AdmissionRequest;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /** "" for cluster-scoped resources; a namespace is in itself. */
  readonly namespace: string;
  /** "" where the name is still to be made. */
  readonly name: string;
}

/** What a rule matched: the request's own resource, or another version of it. */
export interface MatchedResource {
  readonly served: ServedResource;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export function admissionAttributes(
  change: Readonly<AdmittedChange>,
  request: AdmissionRequest,
  { named = false }: { /** Generated names are known by now. */ readonly named?: boolean } = {},
): AdmissionAttributes {
  const { served, kind } = request;
  const name = request.name || (named ? (change.object?.metadata?.name ?? "") : "");
  const resource = resourceOf(served);
  const isNamespace = resource.group === "" && resource.resource === "namespaces";
  return {
    change,
    request,
    resource,
    kind,
    namespace: isNamespace ? name : request.namespace,
    name,
  };
}

export function resourceOf({ definition }: ServedResource): GroupVersionResource {
  const { group, version, plural } = definition;
  return { group, version, resource: plural };
}
