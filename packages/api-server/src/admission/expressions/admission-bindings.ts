/**
 * Expressions of webhooks and policies: what they know of a request (`object`, `request`, `params`,
 * ...), their variables, and what evaluating them costs. An evaluation never holds the loop for long.
 */
import { type Bindings, DYN, type Value, valueOf } from "@homeostat/cel";
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { Namespace } from "@homeostat/object-model/core-v1";
import type { Authorizer } from "../../authorization/authorizer.ts";
import { AuthorizerValue, ResourceCheckValue } from "../../rules/admission/authorizer-values.ts";
import { NAMESPACE, REQUEST } from "../../rules/admission/request-types.ts";
import type { AdmissionAttributes, MatchedResource } from "../matching/admission-attributes.ts";
import { admissionRequestJson } from "../matching/admission-review.ts";
import type { VersionedChange } from "../matching/versioned-change.ts";

export interface BindingsInput {
  readonly attributes: AdmissionAttributes;
  readonly matched: MatchedResource;
  readonly versioned: VersionedChange;
  /** Null where the binding has none, undefined where expressions cannot speak of it. */
  readonly params?: JsonObject | null | undefined;
  readonly namespace?: Readonly<Namespace> | undefined;
  readonly authorizer: Authorizer;
}

export function admissionBindings(input: BindingsInput): Bindings {
  const { attributes, matched, versioned, params, namespace, authorizer } = input;
  const { request, resource, namespace: inNamespace, name } = attributes;
  const asker = new AuthorizerValue(authorizer, request.user);
  const about = {
    group: resource.group,
    resource: resource.resource,
    subresource: request.subresource,
    namespace: inNamespace,
    name,
  };
  return {
    object: dynamic(versioned.object),
    oldObject: dynamic(versioned.old),
    request: valueOf(admissionRequestJson(attributes, matched, undefined), REQUEST),
    namespaceObject: namespaceValue(namespace),
    authorizer: asker,
    "authorizer.requestResource": new ResourceCheckValue(asker, about),
    ...(params === undefined ? {} : { params: dynamic(params ?? undefined) }),
  };
}

function dynamic(json: JsonValue | undefined): Value {
  return json === undefined ? null : valueOf(json, DYN);
}

/** Without who manages and owns it. */
function namespaceValue(namespace: Readonly<Namespace> | undefined): Value {
  if (namespace === undefined) return null;
  const { metadata, spec = {}, status = {} } = namespace;
  const { managedFields: _, ownerReferences: __, ...kept } = metadata;
  return valueOf({ metadata: kept, spec, status } as unknown as JsonObject, NAMESPACE);
}
