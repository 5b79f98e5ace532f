import type { DoorRequest } from "@homeostat/object-model";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import { Histogram } from "../figures/histogram.ts";
import type { Query } from "../http/query.ts";

const SECONDS: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
  60,
];
const SLI_SECONDS: readonly number[] = SECONDS.slice(2);
const RESPONSE_BYTES: readonly number[] = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

type ResourceAttributes = Extract<AccessAttributes, { kind: "resource" }>;

/** What one label set has seen. Everything is made with the first such request, and then counted in. */
export class RequestSeries {
  readonly labels: RequestLabels;
  readonly codes: { readonly code: number; count: number }[] = [];
  readonly terminations: { readonly code: number; count: number }[] = [];
  readonly durations: Histogram = new Histogram(SECONDS);
  readonly sliDurations: Histogram = new Histogram(SLI_SECONDS);
  readonly sizes: Histogram | undefined;
  /** Those of long-running requests that are open now. */
  open = 0;
  /** How many lines watches have sent. */
  events = 0;
  wasOpen = false;

  constructor(labels: RequestLabels) {
    this.labels = labels;
    const { verb } = labels;
    this.sizes = verb === "GET" || verb === "LIST" ? new Histogram(RESPONSE_BYTES) : undefined;
  }

  count(code: number): void {
    countIn(this.codes, code);
  }

  /** The server gave up on a request to save itself. */
  terminate(code: number): void {
    countIn(this.terminations, code);
  }

  /** `waited`: seconds of it that were spent in a queue. */
  observe(
    code: number,
    seconds: number,
    { waited, bytes }: { waited: number; bytes: number },
  ): void {
    this.count(code);
    this.durations.observe(seconds);
    if (this.labels.dryRun === "") this.sliDurations.observe(seconds - waited);
    this.sizes?.observe(bytes);
  }

  begin(): void {
    this.open++;
    this.wasOpen = true;
  }

  end(): void {
    this.open--;
  }
}

/** In the order in which they are written. */
export interface RequestLabels {
  readonly component: string;
  readonly dryRun: string;
  readonly group: string;
  readonly resource: string;
  readonly scope: string;
  readonly subresource: string;
  readonly verb: string;
  readonly version: string;
}

/**
 * What has become of requests, by what they asked. Only what is served is a label, never what somebody
 * makes up: a request that reaches no resource is not counted.
 */
export class RequestMetrics {
  /** By resource; a path is one without. */
  readonly #series = new Map<string, RequestSeries[]>();

  *all(): Iterable<RequestSeries> {
    for (const each of this.#series.values()) yield* each;
  }

  /** Undefined for what has not been asked before, and is not served. */
  ofResource(
    asked: ResourceAttributes,
    { request, query }: { readonly request: DoorRequest; readonly query: Query },
    isServed: (asked: ResourceAttributes) => boolean,
  ): RequestSeries | undefined {
    const scope = scopeOf(asked);
    const verb = verbOf(asked, request, scope);
    const dryRun = dryRunOf(query);
    const { resource, subresource, group, version } = asked;
    const known = this.#series.get(resource);
    if (known !== undefined) {
      for (const series of known) {
        const { labels } = series;
        if (
          labels.verb === verb &&
          labels.subresource === subresource &&
          labels.scope === scope &&
          labels.group === group &&
          labels.version === version &&
          labels.dryRun === dryRun
        ) {
          return series;
        }
      }
    }
    if (!isServed(asked)) return undefined;
    const component = "apiserver";
    return this.#add({ component, dryRun, group, resource, scope, subresource, verb, version });
  }

  /** A path that is served. */
  ofPath(path: string, { method }: Pick<DoorRequest, "method">): RequestSeries {
    const verb = method === "HEAD" ? "GET" : method;
    const isDiscovery = path === "api" || path === "apis";
    const known = this.#series.get("")?.find(({ labels }) => {
      return labels.subresource === path && labels.verb === verb;
    });
    if (known !== undefined) return known;
    return this.#add({
      component: isDiscovery ? "apiserver" : "",
      dryRun: "",
      group: "",
      resource: "",
      scope: "",
      subresource: path,
      verb,
      version: "",
    });
  }

  #add(labels: RequestLabels): RequestSeries {
    const series = new RequestSeries(labels);
    const known = this.#series.get(labels.resource);
    if (known === undefined) this.#series.set(labels.resource, [series]);
    else known.push(series);
    return series;
  }
}

function countIn(counts: { readonly code: number; count: number }[], code: number): void {
  for (const each of counts) {
    if (each.code === code) {
      each.count++;
      return;
    }
  }
  counts.push({ code, count: 1 });
}

function scopeOf({ name, verb, namespace }: ResourceAttributes): string {
  if (name !== "" || verb === "create") return "resource";
  return namespace === "" ? "cluster" : "namespace";
}

const CONNECTS: ReadonlySet<string> = new Set(["log", "exec", "portforward", "attach", "proxy"]);

function verbOf(asked: ResourceAttributes, request: DoorRequest, scope: string): string {
  if (asked.subresource !== "" && CONNECTS.has(asked.subresource)) return "CONNECT";
  if (asked.verb === "watch") return "WATCH";
  switch (request.method) {
    case "GET":
    case "HEAD":
      return scope === "resource" ? "GET" : "LIST";
    case "PATCH": {
      const isApply = request.headers?.["content-type"] === "application/apply-patch+yaml";
      return isApply ? "APPLY" : "PATCH";
    }
    case "OPTIONS":
      return "other";
    default:
      return request.method;
  }
}

function dryRunOf(query: Query): string {
  if (!query.has("dryRun")) return "";
  return query.all("dryRun").every((each) => each === "All") ? "All" : "invalid";
}
