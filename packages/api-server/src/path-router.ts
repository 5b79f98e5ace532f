import { ApiError, type DoorRequest, type KubernetesObject } from "@homeostat/object-model";
import type { Answer } from "./answers/answer.ts";
import { methodNotAllowed, pageNotFound, resourceNotFound } from "./answers/not-found.ts";
import { valuePayload } from "./answers/object-payload.ts";
import { AggregatedAnswers } from "./discovery/aggregated-answers.ts";
import { coreVersions, groupList, groupOf, resourceList } from "./discovery/discovery.ts";
import type { Query } from "./http/query.ts";
import type { PathRoute } from "./path-route.ts";
import { pathRoutes } from "./path-routes.ts";
import type { Plane } from "./registry/plane.ts";
import type { ServedResource } from "./registry/served-resource.ts";
import { versionInfo } from "./version-info.ts";

/** What is not a resource: version, discovery, the routes of path-routes.ts, and those of the server. */
export class PathRouter {
  readonly #plane: Plane;
  readonly #routes: readonly PathRoute[];
  readonly #byPath: ReadonlyMap<string, PathRoute>;
  readonly #aggregated = new AggregatedAnswers();

  constructor(plane: Plane, routes: readonly PathRoute[]) {
    this.#plane = plane;
    this.#routes = [...routes, ...pathRoutes(plane)];
    this.#byPath = new Map(this.#routes.map((route) => [route.path, route]));
  }

  answer(request: DoorRequest, query: Query): Answer | Promise<Answer> {
    const { path } = request;
    const route = this.#byPath.get(path) ?? this.#routes.find((each) => isAbove(each, path));
    if (route !== undefined) return route.answer({ path, request, query });
    const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    const [root = "", group = "", version] = trimmed.slice(1).split("/");
    const readOnly = trimmed === "/version" || root === "api" || version !== undefined;
    const isDeep = trimmed.split("/").length > (root === "api" ? 3 : 4);
    if (readOnly && !isDeep && request.method !== "GET") throw methodNotAllowed();
    if (trimmed === "/version") {
      mustAcceptJson(request.headers?.["accept"]);
      return json(versionInfo());
    }
    if (trimmed.startsWith("/version/")) throw resourceNotFound();
    if ((path === "/" || path === "/index.html") && request.method === "GET") {
      return json({ paths: servedPaths(this.#custom, this.#routes) });
    }
    if (trimmed === "/api" || path === "/apis") {
      const asked = trimmed === "/api" ? "api" : "apis";
      const aggregated = this.#aggregated.answer(asked, request.headers, this.#custom);
      if (aggregated !== undefined) return aggregated;
    }
    const object = this.#discover(trimmed, request);
    if (object !== undefined) return { status: 200, payload: valuePayload(object) };
    const known =
      root === "api" ||
      (root === "apis" && this.#plane.table.hasBuiltinGroup(group) && group !== "");
    if (known) throw resourceNotFound();
    return pageNotFound();
  }

  get #custom(): readonly ServedResource[] {
    return [...this.#plane.table.listCustom()];
  }

  #discover(path: string, request: DoorRequest): KubernetesObject | undefined {
    const [root, group, version, ...rest] = path.slice(1).split("/");
    if (rest.length > 0) return undefined;
    if (root === "api" && version === undefined) {
      if (group === undefined) return coreVersions(request.headers?.["host"] ?? "");
      return resourceList("", group, []);
    }
    if (root !== "apis") return undefined;
    if (group === undefined) return groupList(this.#custom);
    if (version !== undefined) return resourceList(group, version, this.#custom);
    const found = groupOf(group, this.#custom);
    return found && { kind: "APIGroup", apiVersion: "v1", ...found };
  }
}

/** Every address that is no object's. */
function servedPaths(
  custom: readonly ServedResource[],
  routes: readonly PathRoute[],
): readonly string[] {
  const paths = ["/api", "/api/v1", "/apis", "/apis/", "/version"];
  for (const { path, prefix, unlisted } of routes) {
    if (unlisted !== true) paths.push(path, ...(prefix === true ? [`${path}/`] : []));
  }
  for (const { name, versions } of groupList(custom).groups) {
    paths.push(`/apis/${name}`);
    for (const { groupVersion } of versions) paths.push(`/apis/${groupVersion}`);
  }
  return paths.toSorted();
}

function isAbove({ path, prefix }: PathRoute, asked: string): boolean {
  return prefix === true && asked.startsWith(`${path}/`);
}

/** Of what is only to be had as JSON. */
function mustAcceptJson(accept: string | undefined): void {
  if (accept === undefined || accept === "" || /application\/json|\*\/\*/.test(accept)) return;
  throw new ApiError({
    reason: "NotAcceptable",
    message: "406: Not Acceptable\n\nAvailable representations: application/json",
    details: {},
  });
}

function json(value: unknown): Answer {
  const body = JSON.stringify(value, undefined, 2);
  return { status: 200, payload: { kind: "text", contentType: "application/json", text: body } };
}
