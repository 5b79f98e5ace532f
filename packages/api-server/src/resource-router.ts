import { ApiError, type DoorRequest, type ResourceVerb } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { Answer } from "./answers/answer.ts";
import { methodNotAllowed, pageNotFound, resourceNotFound } from "./answers/not-found.ts";
import type { LastingRight } from "./authorization/lasting-right.ts";
import { negotiate, PLAIN_JSON } from "./http/negotiation.ts";
import type { Query } from "./http/query.ts";
import type { RequestInfo } from "./http/request-info.ts";
import { nodeAnswer } from "./kubelet/node-answer.ts";
import type { Plane } from "./registry/plane.ts";
import type { Registry } from "./registry/registry.ts";
import type { ServedResource } from "./registry/served-resource.ts";
import { offerOf, represent } from "./tables/represent.ts";
import { create } from "./verbs/create.ts";
import { deleteOne } from "./verbs/delete.ts";
import { deleteCollection } from "./verbs/delete-collection.ts";
import { get } from "./verbs/get.ts";
import { list } from "./verbs/list.ts";
import { patch } from "./verbs/patch.ts";
import { isApply, Patch } from "./verbs/patched-object.ts";
import type { RequestBody } from "./verbs/request-body.ts";
import type { AuditNotes, ResourceRequest } from "./verbs/resource-request.ts";
import { specialAnswer } from "./verbs/subresource.ts";
import { update } from "./verbs/update.ts";
import { watch } from "./verbs/watch.ts";
import { ChangeCache, type WatchSession } from "./watch/watch-session.ts";

export interface RoutedRequest {
  readonly method: DoorRequest["method"];
  readonly query: Query;
  /** As it came. */
  readonly asked: DoorRequest;
  readonly user: UserInfo;
  /** Given for what lasts. */
  readonly right: LastingRight | undefined;
  /** What the client calls itself; "" for nothing. */
  readonly userAgent: string;
  readonly body: RequestBody;
  /** Refused before anything is done when nothing it accepts is served. */
  readonly accept: string | undefined;
  /** Where warnings for the client are left, also those before a refusal. */
  readonly warnings: string[];
  /** Where notes for the audit log are left, if there is one. */
  readonly audit?: AuditNotes;
  readonly signal: AbortSignal | undefined;
  /** When its time is over, by the monotonic clock. */
  readonly deadline: number;
}

type ResourceInfo = Extract<RequestInfo, { kind: "resource" }>;

/** Finds the verb for a resource path, and refuses what the resource does not offer. */
export class ResourceRouter {
  readonly #plane: Plane;
  readonly #registry: Registry;
  readonly #changes = new ChangeCache();
  readonly #sessions = new Set<WatchSession>();
  #willEndForbidden = false;

  constructor(plane: Plane, registry: Registry) {
    this.#plane = plane;
    this.#registry = registry;
    plane.table.whenRetired((retired) => {
      for (const session of this.#sessions) if (retired.has(session.served)) session.end();
    });
    plane.authorizer.whenChanged(() => this.#endForbiddenSoon());
  }

  /** Many rights may change in one turn; whoever is told something before its end is looked at then. */
  #endForbiddenSoon(): void {
    if (this.#willEndForbidden) return;
    this.#willEndForbidden = true;
    this.#plane.clock.endOfTurn(() => {
      this.#willEndForbidden = false;
      for (const session of this.#sessions) session.endIfForbidden();
    });
  }

  endWatches(): void {
    for (const session of this.#sessions) session.end();
    this.#sessions.clear();
  }

  answer(info: ResourceInfo, routed: RoutedRequest): Answer | Promise<Answer> {
    const served = this.#plane.table.find(info.group, info.version, info.resource);
    if (served === undefined) {
      if (!this.#plane.table.hasBuiltinGroup(info.group)) return pageNotFound();
      throw resourceNotFound();
    }
    const { namespaced } = served.stored;
    if (served.custom !== undefined && !isPlacedRight(info, routed, namespaced)) {
      return pageNotFound();
    }
    if ((info.namespace !== "" || info.lacksNamespace) && !namespaced) throw resourceNotFound();
    const request: ResourceRequest = {
      plane: this.#plane,
      registry: this.#registry,
      served,
      repository: this.#registry.of(served.stored),
      namespace: info.namespace,
      name: info.name,
      subresource: info.subresource,
      query: routed.query,
      asked: routed.asked,
      body: routed.body,
      user: routed.user,
      right: routed.right,
      userAgent: routed.userAgent,
      signal: routed.signal,
      deadline: routed.deadline,
      warnings: routed.warnings,
      audit: routed.audit,
      changes: this.#changes,
      sessions: this.#sessions,
    };
    if (info.name !== "" && namespaced && info.namespace === "" && !info.lacksNamespace) {
      throw resourceNotFound();
    }
    if (served.custom?.unusable === true) {
      throw ApiError.internalError(new Error("error resolving resource"));
    }
    const verbs = verbsOf(served, info.subresource);
    if (verbs === undefined) {
      if (served.custom === undefined) throw resourceNotFound();
      throw ApiError.notFound(served.stored.groupResource, info.name);
    }
    if (info.name !== "" && info.subresource === "" && !verbs.includes("get"))
      throw resourceNotFound();
    const whole = info.name === "" && namespaced && info.namespace === "" && !info.lacksNamespace;
    if (whole && !verbs.includes("list")) throw resourceNotFound();
    const passed = nodeAnswer(request, routed.method);
    if (passed !== undefined) return passed;
    const verb = verbOf(routed, info);
    // What can only be listed says itself that it cannot be watched.
    const isListed = verb === "watch" && verbs.includes("list");
    if (verb === undefined || !(verbs.includes(verb) || isListed)) {
      if (served.custom === undefined || verb === undefined) throw methodNotAllowed();
      throw ApiError.methodNotAllowed(served.stored.groupResource, verb);
    }
    // A namespaced object can only be made, and its collection only emptied, in a namespace.
    if (whole && verb !== "list" && verb !== "watch") throw methodNotAllowed();
    checkKey(info);
    const representation = negotiate(routed.accept, offerOf(request, verb));
    // What has not the form of a request is refused without a word about the resource.
    if (verb === "patch" && !isApply(routed.body)) {
      Patch.typeOf(routed.body, { isCustom: served.custom !== undefined });
    }
    if (served.custom !== undefined) routed.warnings.push(...served.custom.warnings);
    const deprecation = deprecationOf(info);
    if (deprecation !== undefined) {
      routed.warnings.push(deprecation);
      const { group, resource, subresource, version } = info;
      this.#plane.figures.deprecated.of(group, "", resource, subresource, version).value = 1;
      routed.audit?.annotate("k8s.io/deprecated", "true");
    }
    if (info.lacksNamespace && (info.name !== "" || verb === "deletecollection")) {
      throw ApiError.badRequest("Namespace parameter required.");
    }
    const answer = specialAnswer(request, routed.method) ?? this.#answerVerb(verb, request);
    if (representation === PLAIN_JSON) return answer;
    return answer instanceof Promise
      ? answer.then((made) => represent(made, representation, request))
      : represent(answer, representation, request);
  }

  #answerVerb(verb: ResourceVerb, request: ResourceRequest): Answer | Promise<Answer> {
    switch (verb) {
      case "get":
        return get(request);
      case "list":
        return list(request);
      case "watch":
        return watch(request);
      case "create":
        return create(request);
      case "update":
        return update(request);
      case "patch":
        return patch(request);
      case "delete":
        return deleteOne(request);
      case "deletecollection":
        return deleteCollection(request);
    }
  }
}

/** Whether the path has a namespace where the resource has one; lists may leave it out. */
function isPlacedRight(info: ResourceInfo, routed: RoutedRequest, namespaced: boolean): boolean {
  if (info.namespace !== "") return namespaced;
  return !namespaced || (info.name === "" && routed.method === "GET");
}

/** What clients of an old resource are told with every answer. */
function deprecationOf({ group, resource }: ResourceInfo): string | undefined {
  if (group !== "") return undefined;
  switch (resource) {
    case "endpoints":
      return "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
    case "componentstatuses":
      return "v1 ComponentStatus is deprecated in v1.19+";
    default:
      return undefined;
  }
}

/** Names that are steps in a path cannot be part of a key. */
function checkKey({ resource, namespace, name }: ResourceInfo): void {
  const isStep = name === "." || name === "..";
  if (isStep || name.includes("%")) {
    const problem = isStep ? `may not be '${name}'` : "may not contain '%'";
    throw ApiError.badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);
  }
  if (namespace !== "." && namespace !== "..") return;
  const key = ["", resource, namespace, ...(name === "" ? [] : [name])];
  throw new ApiError({ message: `invalid key: ${JSON.stringify(key.join("/"))}`, httpStatus: 500 });
}

/** What can be done with a resource or one of its subresources; undefined when there is no such. */
function verbsOf(
  { definition }: ServedResource,
  subresource: string,
): readonly ResourceVerb[] | undefined {
  if (subresource === "") return definition.verbs;
  return definition.subresources.find(({ name }) => name === subresource)?.verbs;
}

/** Undefined where the method means nothing at this place. */
function verbOf({ method, query }: RoutedRequest, info: ResourceInfo): ResourceVerb | undefined {
  const collection = info.name === "";
  if (info.legacyWatch) return method === "GET" ? "watch" : undefined;
  switch (method) {
    case "GET":
      if (!collection) return "get";
      return query.flag("watch") === true ? "watch" : "list";
    case "POST":
      return collection || info.subresource !== "" ? "create" : undefined;
    case "PUT":
      return collection ? undefined : "update";
    case "PATCH":
      return collection ? undefined : "patch";
    case "DELETE":
      return collection ? "deletecollection" : "delete";
    default:
      return undefined;
  }
}
