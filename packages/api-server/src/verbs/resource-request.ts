/**
 * The verbs of the API, one per file: each takes a request for a resource and gives an answer. They
 * know what HTTP asks and answers, never sockets; reading and writing is the registry's.
 */
import type { DoorRequest } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import type { NoteOptions } from "../admission/admission.ts";
import type { LastingRight } from "../authorization/lasting-right.ts";
import type { Query } from "../http/query.ts";
import type { ObjectRepository } from "../registry/object-repository.ts";
import type { Plane } from "../registry/plane.ts";
import type { Registry } from "../registry/registry.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { WriteScope } from "../registry/write-scope.ts";
import type { ChangeCache, WatchSession } from "../watch/watch-session.ts";
import { admissionRequestOf } from "./admission-request.ts";
import type { RequestBody } from "./request-body.ts";
import type { WriteOptions } from "./write-options.ts";

/** Takes notes about one request for the audit log. */
export interface AuditNotes {
  annotate(key: string, value: string, options?: NoteOptions): void;
}

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
  /** As it came: for what is passed on. */
  readonly asked: DoorRequest;
  readonly body: RequestBody;
  readonly user: UserInfo;
  /** Of a watch: until when it goes on. */
  readonly right: LastingRight | undefined;
  /** What the client calls itself; "" for nothing. */
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  /** When its time is over, by the monotonic clock. */
  readonly deadline: number;
  /** Texts for Warning headers, in their order; they are sent with refusals too. */
  readonly warnings: string[];
  /** Where notes for the audit log are left, if there is one. */
  readonly audit: AuditNotes | undefined;
  /** Where watches share what they render, and are found when the plane ends. */
  readonly changes: ChangeCache;
  readonly sessions: Set<WatchSession>;
}

/** What a write belongs to. `name`: of a new object, where the body says it. */
export function scopeOf(
  request: ResourceRequest,
  options: WriteOptions | DeleteOptions,
  name: string = request.name,
): WriteScope {
  const { namespace, subresource, user, warnings, body } = request;
  const admission = admissionRequestOf(request, { options, name });
  const breathe = body.isLarge ? { breathe: () => body.breathe() } : {};
  return {
    namespace,
    subresource,
    dryRun: admission.dryRun,
    user,
    warnings,
    admission,
    ...breathe,
  };
}
