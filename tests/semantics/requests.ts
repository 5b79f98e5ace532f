import { equalJson, type JsonObject, type JsonValue } from "@homeostat/object-model";
import { expect } from "vitest";
import { pathOf as pathInScenario } from "../conformance/scenario.ts";
import {
  type PlaneAnswer,
  type PlaneRequest,
  type PlaneUnderTest,
  type PlaneWatch,
  type Query,
  RefusedError,
  type Shown,
} from "./plane-under-test.ts";

/**
 * The short words that tests speak to a plane in. A place is `configmaps`, `configmaps/a`,
 * `deployments/a/scale`, `events.events.k8s.io` (in namespace "default" where the kind has one), or
 * a whole path. Words that return an object throw RefusedError when the plane refuses; `call`
 * returns whatever the answer is.
 */
export class Requests {
  readonly #plane: PlaneUnderTest;

  constructor(plane: PlaneUnderTest) {
    this.#plane = plane;
  }

  call(
    method: PlaneRequest["method"],
    place: string,
    options: Pick<PlaneRequest, "body" | "headers" | "query"> = {},
  ): Promise<PlaneAnswer> {
    return this.#plane.send({ method, path: pathOf(place), ...options });
  }

  get(place: string, query: Query = {}): Promise<Shown> {
    return this.#object("GET", place, { query });
  }

  create(place: string, body: JsonObject, query: Query = {}): Promise<Shown> {
    return this.#object("POST", place, { query, body });
  }

  update(place: string, body: JsonObject | Shown, query: Query = {}): Promise<Shown> {
    return this.#object("PUT", place, { query, body });
  }

  /** A merge patch. */
  merge(place: string, body: JsonObject, query: Query = {}): Promise<Shown> {
    return this.#object("PATCH", place, { query, body, headers: patchType("merge") });
  }

  /** A strategic merge patch. */
  strategic(place: string, body: JsonObject, query: Query = {}): Promise<Shown> {
    return this.#object("PATCH", place, { query, body, headers: patchType("strategic-merge") });
  }

  jsonPatch(place: string, body: JsonValue): Promise<PlaneAnswer> {
    return this.call("PATCH", place, { body, headers: patchType("json") });
  }

  /** Server-side apply. */
  apply(place: string, body: JsonObject, query: Query): Promise<Shown> {
    return this.#object("PATCH", place, { query, body, headers: patchType("apply") });
  }

  delete(place: string, options?: JsonObject, query: Query = {}): Promise<Shown> {
    return this.#object("DELETE", place, { query, ...(options && { body: options }) });
  }

  watch(place: string, query: Query = {}): Promise<PlaneWatch> {
    return this.#plane.watch(pathOf(place), query);
  }

  /** A ConfigMap of this name. */
  map(name: string, more: JsonObject = {}): Promise<Shown> {
    const { metadata, ...rest } = more;
    return this.create("configmaps", { metadata: { name, ...(metadata as JsonObject) }, ...rest });
  }

  /** The names in a list. */
  async names(place: string, query: Query = {}): Promise<readonly string[]> {
    const { items } = await this.get(place, query);
    return items.map(({ metadata }) => metadata.name);
  }

  async #object(
    method: PlaneRequest["method"],
    place: string,
    options: Pick<PlaneRequest, "body" | "headers" | "query">,
  ): Promise<Shown> {
    const answer = await this.call(method, place, options);
    if (answer.status >= 300) throw new RefusedError(`${method} ${place}`, answer);
    return answer.object;
  }
}

/** How scenarios write the namespace that is theirs. */
const OWN_NAMESPACE = "\u0024{ns}";

function pathOf(place: string): string {
  return pathInScenario(place).replace(OWN_NAMESPACE, "default");
}

export function patchType(
  kind: "apply" | "json" | "merge" | "strategic-merge",
): Record<string, string> {
  const form = kind === "apply" ? "yaml" : "json";
  return { "content-type": `application/${kind}-patch+${form}` };
}

/** What a refusal tells; everything else that belongs to one is as it must be. */
export interface Refusal {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: JsonObject;
}

/** Throws when the answer is no Status that refuses. */
export function refusalIn({ status, object, text }: PlaneAnswer): Refusal {
  const {
    kind,
    apiVersion,
    metadata,
    status: outcome,
    ...refusal
  } = object as unknown as JsonObject;
  const rest = { kind, apiVersion, metadata, status: outcome };
  const expected = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
  if (!equalJson(rest, expected) || refusal["code"] !== status) {
    throw new Error(`expected a refusal, got ${status}: ${text}`);
  }
  return refusal as unknown as Refusal;
}

/** A resource version as a number, to compare. */
export function versionOf({ metadata }: Pick<Shown, "metadata">): number {
  expect(metadata.resourceVersion).toMatch(/^[1-9][0-9]*$/);
  return Number(metadata.resourceVersion);
}
