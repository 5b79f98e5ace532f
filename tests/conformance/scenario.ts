/**
 * Scenarios: request sequences written once and replayed on any server with the Kubernetes API. Here
 * is what one consists of and the short words to write it with; `scenarios/` holds them by topic.
 *
 * A scenario is data. Texts in it may refer to what happened before: `${ns}` is the scenario's own
 * namespace (it exists before the first step), `${STEP:PATH}` a value of an earlier answer
 * (`${made:metadata.uid}`; `rv`, `uid`, `name` and `continue` are short for their places in
 * metadata), and `${STEP:rv+5}` counts on from a number. A step without an id is called by its
 * position, from 1. What a scenario sends literally is expected back literally; anything else that
 * a server chooses by itself is renamed before comparing (canonical.ts).
 */
import {
  type BuiltinResource,
  type JsonObject,
  type JsonValue,
  listBuiltinResources,
} from "@homeostat/object-model";

export interface Scenario {
  /** Unique in its topic. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** The order of versions is not compared: the objects were made by others, in any order. */
  readonly unordered?: boolean;
}

export type Step = RequestStep | WatchStep | CrowdStep | PauseStep;

export interface RequestStep {
  readonly action: "request";
  readonly id?: string;
  readonly method: string;
  /** Absolute, escaped, without the query. */
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
}

/** Opens a watch, performs other steps meanwhile, and gathers events until it has seen enough. */
export interface WatchStep {
  readonly action: "watch";
  readonly id?: string;
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** So many events are awaited before the steps of `during` begin. */
  readonly first?: number;
  readonly during?: readonly Step[];
  readonly until: Until;
}

/** The server ends it; so many events; the event of the object with this name. */
type Until = "end" | { readonly events: number } | { readonly name: string };

/** Many requests at once; of their answers only the statuses are counted. */
export interface CrowdStep {
  readonly action: "crowd";
  readonly id?: string;
  readonly requests: readonly RequestStep[];
  readonly inFlight: number;
}

export interface PauseStep {
  readonly action: "pause";
  readonly milliseconds: number;
  /** Only kube-apiserver needs the time, to follow its own caches. */
  readonly peerOnly?: boolean;
}

export type Query = Readonly<Record<string, string | readonly string[]>>;

export type Body =
  | { readonly json: JsonValue }
  | { readonly text: string }
  /** The body of an earlier answer, changed by a JSON merge patch. */
  | { readonly edited: string; readonly by: JsonObject };

export interface RequestOptions {
  readonly id?: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
}

export function scenario(name: string, ...steps: readonly (Step | readonly Step[])[]): Scenario {
  return { name, steps: steps.flat() };
}

/** Names a step. */
export function as<T extends RequestStep | WatchStep | CrowdStep>(id: string, step: T): T {
  return { ...step, id };
}

export function get(place: string, options: RequestOptions = {}): RequestStep {
  return { action: "request", method: "GET", path: pathOf(place), ...options };
}

/** Creates; fills in apiVersion and kind where the object says neither. */
export function post(
  place: string,
  object: JsonObject | Body,
  options: RequestOptions = {},
): RequestStep {
  return sending("POST", place, { object, options });
}

export function put(
  place: string,
  object: JsonObject | Body,
  options: RequestOptions = {},
): RequestStep {
  return sending("PUT", place, { object, options });
}

const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
} as const;

export type PatchType = keyof typeof patchTypes;

/** `[type, patch]`: a text is sent as it is. */
export function patch(
  place: string,
  [type, change]: readonly [PatchType, JsonValue],
  options: RequestOptions = {},
): RequestStep {
  const body = typeof change === "string" ? { text: change } : { json: change };
  const headers = { "content-type": patchTypes[type], ...options.headers };
  return {
    action: "request",
    method: "PATCH",
    path: pathOf(place),
    body,
    ...options,
    headers,
  };
}

/** Applies a configuration, given as an object or as YAML; `manager` "" names none. */
export function apply(
  place: string,
  [manager, configuration]: readonly [string, JsonObject | string],
  options: RequestOptions = {},
): RequestStep {
  const body =
    typeof configuration === "string"
      ? { text: configuration }
      : { json: typed(place, configuration) };
  const query = { ...(manager === "" ? {} : { fieldManager: manager }), ...options.query };
  const headers = { "content-type": "application/apply-patch+yaml", ...options.headers };
  const path = pathOf(place);
  return { action: "request", method: "PATCH", path, body, ...options, query, headers };
}

export function del(
  place: string,
  deleteOptions?: JsonObject,
  options: RequestOptions = {},
): RequestStep {
  const body =
    deleteOptions === undefined
      ? {}
      : { body: { json: { apiVersion: "v1", kind: "DeleteOptions", ...deleteOptions } } };
  return { action: "request", method: "DELETE", path: pathOf(place), ...body, ...options };
}

export function raw(method: string, path: string, options: RequestOptions = {}): RequestStep {
  return { action: "request", method, path, ...options };
}

export function edited(step: string, by: JsonObject = {}): Body {
  return { edited: step, by };
}

export function watch(
  place: string,
  plan: Omit<WatchStep, "action" | "path"> & { readonly options?: RequestOptions },
): WatchStep {
  const { options, ...rest } = plan;
  return { action: "watch", path: pathOf(place), ...options, ...rest };
}

export function crowd(requests: readonly RequestStep[], inFlight = 16): CrowdStep {
  return { action: "crowd", requests, inFlight };
}

export function pause(milliseconds: number): PauseStep {
  return { action: "pause", milliseconds };
}

/** Until kube-apiserver serves what a changed definition says, or has done what it does by itself. */
export function settle(): PauseStep {
  return { action: "pause", milliseconds: 3000, peerOnly: true };
}

function sending(
  method: string,
  place: string,
  given: { object: JsonObject | Body; options: RequestOptions },
): RequestStep {
  return {
    action: "request",
    method,
    path: pathOf(place),
    body: isBody(given.object) ? given.object : { json: typed(place, given.object) },
    ...given.options,
    headers: { "content-type": "application/json", ...given.options.headers },
  };
}

function isBody(value: JsonObject | Body): value is Body {
  return "json" in value || "text" in value || "edited" in value;
}

function typed(place: string, object: JsonObject): JsonObject {
  if (place.startsWith("/") || "kind" in object || "apiVersion" in object) return object;
  const [resourceName = "", , subresourceName] = place.split("/");
  const resource = findResource(resourceName);
  const subresource = resource.subresources.find((each) => each.name === subresourceName);
  const { group, version, kind } = subresource ?? resource;
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind, ...object };
}

/**
 * The path of a place: `configmaps`, `configmaps/a`, `deployments/a/status`, `events.events.k8s.io`
 * (the group behind a point), `horizontalpodautoscalers.v1.autoscaling` (version and group). What
 * lives in namespaces is sought in the scenario's own; what begins with a slash is a path already.
 */
export function pathOf(place: string): string {
  if (place.startsWith("/")) return place;
  const [resourceName = "", ...rest] = place.split("/");
  const { group, version, plural, scope } = findResource(resourceName);
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const middle = scope === "Namespaced" ? "/namespaces/${ns}" : "";
  return [root + middle, plural, ...rest].join("/");
}

export function findResource(text: string): BuiltinResource {
  const [plural = "", ...qualifier] = text.split(".");
  const wanted = qualifier.join(".");
  const candidates = listBuiltinResources().filter((each) => each.plural === plural);
  const found =
    wanted === ""
      ? (candidates.find((each) => each.group === "") ??
        candidates.find((each) => each.preferred) ??
        candidates[0])
      : candidates.find(
          ({ group, version }) => wanted === group || wanted === `${version}.${group}`,
        );
  if (found === undefined) throw new Error(`There is no resource "${text}"`);
  return found;
}
