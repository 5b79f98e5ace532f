import type { AccessAttributes } from "../authorization/authorizer.ts";
import { forbidden } from "../authorization/forbidden.ts";
import type { ResourceRequest } from "./resource-request.ts";

/**
 * Whoever may update or patch does not thereby create: a PUT or apply of what does not exist needs
 * the right to create it too. Throws the refusal.
 */
export function checkCreationRight(request: ResourceRequest): void {
  const asked = creationOf(request);
  const { allowed, reason } = request.plane.authorizer.authorize(request.user, asked);
  if (!allowed) throw forbidden(request.user, asked, reason);
}

/** What a request asks for where it comes to the same as a create. */
export function creationOf(request: ResourceRequest): AccessAttributes & { kind: "resource" } {
  const { served, namespace, name, subresource } = request;
  const { group, version, plural: resource } = served.definition;
  return {
    kind: "resource",
    verb: "create",
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  };
}
