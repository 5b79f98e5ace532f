import { ApiError, type DoorRequest } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { Answer } from "./answers/answer.ts";
import type { Query } from "./http/query.ts";
import type { RequestInfo } from "./http/request-info.ts";
import { pageNotFound } from "./plane-door.ts";
import type { Plane } from "./registry/plane.ts";
import type { Registry } from "./registry/registry.ts";
import { create } from "./verbs/create.ts";
import { deleteOne } from "./verbs/delete.ts";
import { deleteCollection } from "./verbs/delete-collection.ts";
import { get } from "./verbs/get.ts";
import { list } from "./verbs/list.ts";
import { patch } from "./verbs/patch.ts";
import type { RequestBody } from "./verbs/request-body.ts";
import type { ResourceRequest } from "./verbs/resource-request.ts";
import { update } from "./verbs/update.ts";
import { watch } from "./verbs/watch.ts";
import { ChangeCache, type WatchSession } from "./watch/watch-session.ts";

export interface RoutedRequest {
  readonly method: DoorRequest["method"];
  readonly query: Query;
  readonly user: UserInfo;
  readonly body: RequestBody;
  readonly signal: AbortSignal | undefined;
}

type ResourceInfo = Extract<RequestInfo, { kind: "resource" }>;

/** Finds the verb for a resource path, and refuses what the resource does not offer. */
export class ResourceRouter {
  readonly #plane: Plane;
  readonly #registry: Registry;
  readonly #changes = new ChangeCache();
  readonly #sessions = new Set<WatchSession>();

  constructor(plane: Plane, registry: Registry) {
    this.#plane = plane;
    this.#registry = registry;
  }

  endWatches(): void {
    for (const session of this.#sessions) session.end();
    this.#sessions.clear();
  }

  answer(info: ResourceInfo, routed: RoutedRequest): Answer | Promise<Answer> {
    const served = this.#plane.table.find(info.group, info.version, info.resource);
    if (served === undefined) return pageNotFound();
    const { namespaced } = served.stored;
    if (info.namespace !== "" && !namespaced) return pageNotFound();
    const request: ResourceRequest = {
      plane: this.#plane,
      registry: this.#registry,
      served,
      repository: this.#registry.of(served.stored),
      namespace: info.namespace,
      name: info.name,
      subresource: info.subresource,
      query: routed.query,
      body: routed.body,
      user: routed.user,
      signal: routed.signal,
      changes: this.#changes,
      sessions: this.#sessions,
    };
    if (info.name !== "" && namespaced && info.namespace === "") return pageNotFound();
    const { verbs } = served.definition;
    const watching = routed.query.flag("watch") === true || info.legacyWatch;
    switch (routed.method) {
      case "GET":
      case "HEAD":
        if (info.name === "") {
          if (watching && verbs.includes("watch")) return watch(request);
          if (verbs.includes("list")) return list(request);
          break;
        }
        if (info.legacyWatch) return watch(request);
        if (verbs.includes("get")) return get(request);
        break;
      case "POST":
        if (info.name === "" && verbs.includes("create") && (info.namespace !== "") === namespaced) {
          return create(request);
        }
        break;
      case "PUT":
        if (info.name !== "" && verbs.includes("update")) return update(request);
        break;
      case "PATCH":
        if (info.name !== "" && verbs.includes("patch")) return patch(request);
        break;
      case "DELETE":
        if (info.name !== "" && verbs.includes("delete")) return deleteOne(request);
        if (info.name === "" && verbs.includes("deletecollection") && (info.namespace !== "") === namespaced) {
          return deleteCollection(request);
        }
        break;
      default:
    }
    throw methodNotAllowed();
  }
}

function methodNotAllowed(): ApiError {
  return new ApiError({
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });
}
