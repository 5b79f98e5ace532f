import type { AuditIds } from "../audit/audit-ids.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import { FlowControl } from "../flow-control/flow-control.ts";
import { flowDumps } from "../flow-control/flow-dumps.ts";
import { ObjectCounts } from "../flow-control/object-counts.ts";
import type { MetricsSources } from "../metrics/metrics-route.ts";
import { RequestMetrics, type RequestSeries } from "../metrics/request-metrics.ts";
import type { PathRoute } from "../path-route.ts";
import type { Plane } from "../registry/plane.ts";
import { MaxInFlight } from "./max-in-flight.ts";
import type { FilterParts, RequestQuestion } from "./request-life.ts";
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from "./request-limits.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";

type ResourceAttributes = Extract<AccessAttributes, { kind: "resource" }>;

export interface TrafficOptions {
  readonly limits: Partial<RequestLimits> | undefined;
  readonly audit: AuditLog | undefined;
  readonly auditIds: AuditIds;
}

/** Everything that requests of one plane share on their way: limits, counters, the audit log. */
export class TrafficControl implements Disposable {
  readonly parts: FilterParts;
  readonly figures: Omit<MetricsSources, "plane" | "audit" | "process">;
  /** What it tells of itself to people. */
  readonly routes: readonly PathRoute[];
  readonly #flow: FlowControl | undefined;
  readonly #counts: ObjectCounts;

  constructor(plane: Plane, { limits: given, audit, auditIds }: TrafficOptions) {
    const limits = { ...DEFAULT_REQUEST_LIMITS, ...given };
    const { maxRequestsInflight, maxMutatingRequestsInflight, requestTimeout } = limits;
    const counts = new ObjectCounts(plane.store);
    const seats = maxRequestsInflight + maxMutatingRequestsInflight;
    const flow = limits.priorityAndFairness ? new FlowControl(plane, { seats, counts }) : undefined;
    const requests = new RequestMetrics();
    const isServed = servedIn(plane);
    const inFlight = { reads: new RequestsInFlight(), writes: new RequestsInFlight() };
    this.routes = flow === undefined ? [] : flowDumps(flow, plane.clock);
    this.#flow = flow;
    this.#counts = counts;
    this.figures = { requests, ...inFlight, flow, counts };
    this.parts = {
      clock: plane.clock,
      auditIds,
      audit,
      requestTimeout,
      limits:
        flow ??
        new MaxInFlight({ reads: maxRequestsInflight, writes: maxMutatingRequestsInflight }),
      watches: flow?.watches,
      ...inFlight,
      seriesOf: (question) => seriesOf(question, requests, isServed),
    };
  }

  /** Reads what it would read with the first request. */
  prepare(): void {
    void this.#flow?.levels;
  }

  [Symbol.dispose](): void {
    this.#flow?.[Symbol.dispose]();
    this.#counts[Symbol.dispose]();
  }
}

/** Paths that are counted, and how kube-apiserver calls them. */
const COUNTED_PATHS: ReadonlyMap<string, string> = new Map([
  ["/healthz", "/healthz"],
  ["/livez", "/livez"],
  ["/readyz", "/readyz"],
  ["/api", "api"],
  ["/apis", "apis"],
  ["/openapi/v3", "openapi/v3"],
]);

function seriesOf(
  question: RequestQuestion,
  requests: RequestMetrics,
  isServed: (asked: ResourceAttributes) => boolean,
): RequestSeries | undefined {
  const { request, asked } = question;
  if (asked.kind === "resource") return requests.ofResource(asked, question, isServed);
  const name = COUNTED_PATHS.get(asked.path);
  return name === undefined ? undefined : requests.ofPath(name, request);
}

function servedIn({ table }: Plane): (asked: ResourceAttributes) => boolean {
  return ({ group, version, resource, subresource }) => {
    const served = table.find(group, version, resource);
    if (served === undefined) return false;
    const { subresources } = served.definition;
    return subresource === "" || subresources.some(({ name }) => name === subresource);
  };
}
