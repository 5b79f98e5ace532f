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

/** The checks that health endpoints name, in their order. */
const CHECKS = ["ping", "log", "etcd"];
const HEALTH = /^\/(healthz|livez|readyz)(?:\/(.+))?$/;

/** What is not a resource: health, version, discovery, and the routes of path-routes.ts. */
export class PathRouter {
  readonly #plane: Plane;
  readonly #routes: readonly PathRoute[];
  readonly #aggregated = new AggregatedAnswers();

  constructor(plane: Plane) {
    this.#plane = plane;
    this.#routes = pathRoutes(plane);
  }

  answer(path: string, request: DoorRequest, query: Query): Answer | Promise<Answer> {
    const route = this.#routes.find((each) => isRouteOf(each, path));
    if (route !== undefined) return route.answer({ path, request, query });
    const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    const health = HEALTH.exec(path);
    if (health !== null) return this.#health(health[1]!, health[2], query);
    const [root = "", group = "", version] = trimmed.slice(1).split("/");
    const readOnly = trimmed === "/version" || root === "api" || version !== undefined;
    const isDeep = trimmed.split("/").length > (root === "api" ? 3 : 4);
    if (readOnly && !isDeep && request.method !== "GET") throw methodNotAllowed();
    if (trimmed === "/version") {
      mustAcceptJson(request.headers?.["accept"]);
      return json(versionInfo());
    }
    if (trimmed.startsWith("/version/")) throw resourceNotFound();
    if (path === "/" && request.method === "GET") {
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

  #health(endpoint: string, check: string | undefined, query: Query): Answer {
    if (check !== undefined && !CHECKS.includes(check)) return pageNotFound();
    if (check !== undefined || !query.has("verbose")) return text("ok");
    const lines = CHECKS.map((name) => `[+]${name} ok`);
    return text(`${lines.join("\n")}\n${endpoint} check passed\n`);
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
  for (const { path, prefix } of routes) paths.push(path, ...(prefix === true ? [`${path}/`] : []));
  for (const { name, versions } of groupList(custom).groups) {
    paths.push(`/apis/${name}`);
    for (const { groupVersion } of versions) paths.push(`/apis/${groupVersion}`);
  }
  for (const endpoint of ["/healthz", "/livez", "/readyz"]) {
    paths.push(endpoint);
    for (const check of CHECKS) paths.push(`${endpoint}/${check}`);
  }
  return paths.toSorted();
}

function isRouteOf({ path, prefix }: PathRoute, asked: string): boolean {
  return path === asked || (prefix === true && asked.startsWith(`${path}/`));
}

function text(body: string): Answer {
  return {
    status: 200,
    headers: { "x-content-type-options": "nosniff" },
    payload: { kind: "text", contentType: "text/plain; charset=utf-8", text: body },
  };
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

/** The version of Kubernetes whose behaviour this is; the suffix says whose it really is. */
function versionInfo(): Readonly<Record<string, string>> {
  return {
    major: "1",
    minor: "36",
    emulationMajor: "1",
    emulationMinor: "36",
    minCompatibilityMajor: "1",
    minCompatibilityMinor: "35",
    gitVersion: "v1.36.3+homeostat",
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: `node${process.version}`,
    compiler: "v8",
    platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
  };
}
