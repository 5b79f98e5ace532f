import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { AdmissionAttributes, MatchedResource } from "./admission-attributes.ts";
import { operationOptions } from "./operation-options.ts";

/**
 * What webhooks and expressions are told of a request, the objects left out, in the order in which
 * kube-apiserver prints it.
 */
export function admissionRequestJson(
  attributes: AdmissionAttributes,
  matched: MatchedResource,
  objects:
    | { readonly uid: string; readonly object: JsonValue; readonly old: JsonValue }
    | undefined,
): JsonObject {
  const { request, change, name, namespace } = attributes;
  const { subresource, dryRun } = request;
  const { resource, kind } = matched;
  return {
    ...(objects && { uid: objects.uid }),
    kind: kindJson(kind),
    resource: resourceJson(resource),
    ...(subresource && { subResource: subresource }),
    requestKind: kindJson(attributes.kind),
    requestResource: resourceJson(attributes.resource),
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation: change.operation,
    userInfo: userJson(attributes),
    ...(objects && { object: objects.object, oldObject: objects.old }),
    dryRun,
    options: operationOptions(attributes),
  };
}

function kindJson({ group, version, kind }: MatchedResource["kind"]): JsonObject {
  return { group, version, kind };
}

function resourceJson({ group, version, resource }: MatchedResource["resource"]): JsonObject {
  return { group, version, resource };
}

function userJson({ request }: AdmissionAttributes): JsonObject {
  const { username, uid, groups, extra } = request.user;
  return {
    ...(username && { username }),
    ...(uid && { uid }),
    ...(groups?.length && { groups: [...groups] }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}
