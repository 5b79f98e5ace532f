import type { FlowSchema, FlowSchemaSpec } from "@homeostat/object-model/flowcontrol-v1";
import { Histogram } from "../figures/histogram.ts";
import type { PriorityLevel } from "./priority-level.ts";
import { dealHand } from "./shuffle-sharding.ts";
import type { RejectReason } from "./too-many-requests.ts";

/** Flows that are known by name; of more, all are forgotten and found again. */
const MAX_FLOWS = 10_000;
const SECONDS: readonly number[] = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const SEATS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 100];
const WATCHES: readonly number[] = [0, 1, 10, 100, 1000, 10_000];
const NOBODY: readonly number[] = [];

/** What has become of the requests of a schema on its level. */
export interface FlowFigures {
  readonly schema: string;
  readonly level: string;
  dispatched: number;
  executing: number;
  executingSeats: number;
  waiting: number;
  waitingSeats: number;
  readonly rejected: Map<RejectReason, number>;
  readonly waited: Histogram;
  readonly waitedInVain: Histogram;
  readonly executed: Histogram;
  /** Until they had begun. */
  readonly begunWatches: Histogram;
  /** Of each request that was seated. */
  readonly seats: Histogram;
  /** Of what was written, by each write. */
  readonly watches: Histogram;
}

/** Which requests belong together, and on which level. */
export class FlowRule {
  readonly name: string;
  readonly spec: FlowSchemaSpec;
  readonly level: PriorityLevel;
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly figures: FlowFigures;
  readonly #hands = new Map<string, readonly number[]>();

  constructor({ metadata, spec }: FlowSchema, level: PriorityLevel, figures: FlowFigures) {
    this.name = metadata.name ?? "";
    this.spec = spec ?? { priorityLevelConfiguration: { name: level.name } };
    this.level = level;
    this.headers = {
      "x-kubernetes-pf-flowschema-uid": metadata.uid ?? "",
      "x-kubernetes-pf-prioritylevel-uid": level.uid,
    };
    this.figures = figures;
  }

  /** What tells those apart that do not stand in line behind one another. */
  flowOf(username: string, namespace: string): string {
    const type = this.spec.distinguisherMethod?.type;
    return type === "ByUser" ? username : type === "ByNamespace" ? namespace : "";
  }

  /** The queues of those requests that stand in line behind one another. */
  handOf(username: string, namespace: string): readonly number[] {
    const { queuing } = this.level;
    if (queuing === undefined) return NOBODY;
    const flow = this.flowOf(username, namespace);
    const known = this.#hands.get(flow);
    if (known !== undefined) return known;
    const hand = dealHand(`${this.name}\0${flow}`, queuing);
    if (this.#hands.size >= MAX_FLOWS) this.#hands.clear();
    this.#hands.set(flow, hand);
    return hand;
  }
}

export function newFigures(schema: string, level: string): FlowFigures {
  return {
    schema,
    level,
    dispatched: 0,
    executing: 0,
    executingSeats: 0,
    waiting: 0,
    waitingSeats: 0,
    rejected: new Map(),
    waited: new Histogram(SECONDS),
    waitedInVain: new Histogram(SECONDS),
    executed: new Histogram(SECONDS),
    begunWatches: new Histogram(SECONDS),
    seats: new Histogram(SEATS),
    watches: new Histogram(WATCHES),
  };
}
