/**
 * What a server has done, in kube-apiserver's names and labels. Counting is in place: a request finds
 * its series (request-metrics.ts) and adds numbers to it; texts are only made when somebody reads
 * /metrics, and what makes them (server-metrics.ts) is loaded then. What the process itself uses is not
 * known here: the composer of a server may tell.
 */
import type { AuditLog } from "../audit/audit-log.ts";
import type { Family } from "../figures/figure-family.ts";
import type { RequestsInFlight } from "../filters/requests-in-flight.ts";
import type { FlowControl } from "../flow-control/flow-control.ts";
import type { ObjectCounts } from "../flow-control/object-counts.ts";
import type { PathRoute } from "../path-route.ts";
import type { Plane } from "../registry/plane.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/** A figure of the process: its name, what it is, and its value now. */
export interface ProcessFigure {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface MetricsSources {
  readonly plane: Pick<Plane, "clock" | "store" | "table" | "figures">;
  readonly requests: RequestMetrics;
  readonly reads: RequestsInFlight;
  readonly writes: RequestsInFlight;
  readonly flow: FlowControl | undefined;
  readonly counts: ObjectCounts;
  readonly audit: AuditLog | undefined;
  readonly process: (() => readonly ProcessFigure[]) | undefined;
}

/** What is loaded when somebody reads. */
interface Printing {
  readonly printMetrics: (sources: MetricsSources) => string;
  readonly printFamilies: (families: readonly Family[]) => string;
}

/** `/metrics`, and `/metrics/slis` with what checks of health have found. */
export function metricsRoutes(sources: MetricsSources): readonly PathRoute[] {
  const route = (path: string, print: (printing: Printing) => string): PathRoute => ({
    path,
    answer: async () => {
      const text = print(await import("./server-metrics.ts"));
      const contentType = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";
      return { status: 200, payload: { kind: "text", contentType, text } };
    },
  });
  const { health } = sources.plane.figures;
  return [
    route("/metrics", ({ printMetrics }) => printMetrics(sources)),
    route("/metrics/slis", ({ printFamilies }) => printFamilies(health.families)),
  ];
}
