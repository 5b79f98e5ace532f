/**
 * The verbs of the API, one per file: each takes a request for a resource and gives an answer. They
 * know what HTTP asks and answers, never sockets; reading and writing is the registry's.
 */
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { Query } from "../http/query.ts";
import type { ObjectRepository } from "../registry/object-repository.ts";
import type { Plane } from "../registry/plane.ts";
import type { Registry } from "../registry/registry.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { WriteScope } from "../registry/write-scope.ts";
import type { ChangeCache, WatchSession } from "../watch/watch-session.ts";
import type { RequestBody } from "./request-body.ts";

export interface ResourceRequest {
  readonly plane: Plane;
  readonly registry: Registry;
  readonly served: ServedResource;
  readonly repository: ObjectRepository;
  /** "" for cluster-scoped kinds, and for lists over all namespaces. */
  readonly namespace: string;
  /** "" for a collection. */
  readonly name: string;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly query: Query;
  readonly body: RequestBody;
  readonly user: UserInfo;
  /** What the client calls itself; "" for nothing. */
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  /** Texts for Warning headers, in their order; they are sent with refusals too. */
  readonly warnings: string[];
  /** Where watches share what they render, and are found when the plane ends. */
  readonly changes: ChangeCache;
  readonly sessions: Set<WatchSession>;
}

export function scopeOf(request: ResourceRequest, dryRun: boolean): WriteScope {
  const { namespace, subresource, user, warnings, body } = request;
  const breathe = body.isLarge ? { breathe: () => body.breathe() } : {};
  return { namespace, subresource, dryRun, user, warnings, ...breathe };
}
