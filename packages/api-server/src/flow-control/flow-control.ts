/**
 * API Priority and Fairness: whether a request may run now, waits, or is refused. The stored
 * FlowSchemas say to which level a request belongs (flow-configuration.ts), each level has its part
 * of the server's seats, and who waits for one is chosen fairly (fair-queues.ts). While there are free
 * seats nothing waits, and finding the level is a look into a map. Time is the plane's; there are no
 * timers but those for requests that wait, and for writes that many watch. Limits are moved between levels when a request finds that it
 * is time to, or when it has waited so long.
 */
import type { Timer } from "@homeostat/concurrency";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import type { Query } from "../http/query.ts";
import type { Plane } from "../registry/plane.ts";
import { Occupant } from "./fair-queues.ts";
import { FlowConfiguration } from "./flow-configuration.ts";
import type { FlowFigures, FlowRule } from "./flow-schema.ts";
import { lendSeats } from "./lend-seats.ts";
import { listSeats } from "./list-seats.ts";
import type { ObjectCounts } from "./object-counts.ts";
import { OpenWatches } from "./open-watches.ts";
import type { PriorityLevel } from "./priority-level.ts";
import { type RejectReason, TooManyRequestsError } from "./too-many-requests.ts";
import { type WriteWork, writeWork } from "./write-work.ts";

const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch", "delete"]);
const ONE_SEAT: WriteWork = { seats: 1, after: 0 };
/** How often levels lend and give back. */
const LENDING_PERIOD = 10_000;

export interface FlowRequest {
  readonly user: UserInfo;
  readonly asked: AccessAttributes;
  readonly query: Query;
  /** The monotonic time. */
  readonly now: number;
  /** How long it may wait for a seat, in milliseconds. */
  readonly patience: number;
  readonly signal: AbortSignal | undefined;
}

/** The right to run. Must be given back. */
export interface FlowTicket {
  /** For the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Idempotent. */
  finish(now: number): void;
}

export interface FlowOptions {
  /** How many requests may run at the same time, if each takes one. */
  readonly seats: number;
  readonly counts: ObjectCounts;
}

export class FlowControl implements Disposable {
  readonly #plane: Pick<Plane, "store" | "table" | "clock">;
  readonly #configuration: FlowConfiguration;
  readonly #counts: ObjectCounts;
  /** Whoever opens one tells. */
  readonly watches: OpenWatches = new OpenWatches();
  /** All that wait or have a seat now. */
  readonly present: Set<Seat> = new Set();
  #lentAt: number;
  #lending: Timer | undefined;

  constructor(plane: Pick<Plane, "store" | "table" | "clock">, { seats, counts }: FlowOptions) {
    this.#plane = plane;
    this.#configuration = new FlowConfiguration(plane, seats);
    this.#counts = counts;
    this.#lentAt = plane.clock.monotonic();
  }

  get levels(): readonly PriorityLevel[] {
    return this.#configuration.levels;
  }

  get figures(): readonly FlowFigures[] {
    return this.#configuration.figures;
  }

  /** Throws, or rejects with, TooManyRequestsError. Answers at once unless the request has to wait. */
  admit(request: FlowRequest): FlowTicket | Promise<FlowTicket> {
    const { user, asked, now } = request;
    const rule = this.#configuration.ruleOf(user, asked);
    const { level } = rule;
    if (now - this.#lentAt >= LENDING_PERIOD) this.#lend(now);
    if (level.isExempt) {
      this.#countWatches(asked, rule);
      const seat = new Seat(this, { rule, request, work: ONE_SEAT });
      level.queues.enterExempt(seat.occupant, now);
      seat.begin(now);
      return seat;
    }
    const work = this.#workOf(request, rule);
    const seat = new Seat(this, { rule, request, work });
    const namespace = asked.kind === "resource" ? asked.namespace : "";
    const hand = rule.handOf(user.username ?? "", namespace);
    if (level.queues.enter(seat.occupant, hand, now) === undefined) {
      throw this.#refuse(rule, level.queuing === undefined ? "concurrency-limit" : "queue-full");
    }
    if (seat.occupant.state === "seated") {
      seat.begin(now);
      if (level.queuing !== undefined) rule.figures.waited.observe(0);
      return seat;
    }
    return this.#wait(seat, request);
  }

  /** Levels lend what is time to lend, although nobody comes. */
  settle(): void {
    const now = this.#plane.clock.monotonic();
    if (now - this.#lentAt >= LENDING_PERIOD) this.#lend(now);
  }

  leaveLater(milliseconds: number, leave: (now: number) => void): void {
    const { clock } = this.#plane;
    clock.setTimer(milliseconds, () => leave(clock.monotonic())).unref();
  }

  [Symbol.dispose](): void {
    this.#lending?.cancel();
    this.#configuration[Symbol.dispose]();
  }

  #wait(seat: Seat, { now, patience, signal }: FlowRequest): Promise<FlowTicket> {
    const { clock } = this.#plane;
    const { occupant, rule } = seat;
    const { figures } = rule;
    figures.waiting++;
    this.present.add(seat);
    this.#lendInTime(now);
    figures.waitingSeats += occupant.seats;
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const done = (waited: FlowFigures["waited"]): number => {
        timer?.cancel();
        signal?.removeEventListener("abort", leave);
        figures.waiting--;
        figures.waitingSeats -= occupant.seats;
        const at = clock.monotonic();
        waited.observe((at - now) / 1000);
        return at;
      };
      const leave = (): void => {
        this.present.delete(seat);
        rule.level.queues.leave(occupant, done(figures.waitedInVain));
        const reason = signal?.aborted === true ? "cancelled" : "time-out";
        const refused = this.#refuse(rule, reason);
        reject(signal?.aborted === true ? signal.reason : refused);
      };
      occupant.onSeated = () => {
        seat.begin(done(figures.waited));
        resolve(seat);
      };
      timer = clock.setTimer(patience, leave);
      signal?.addEventListener("abort", leave);
    });
  }

  #workOf({ asked, query }: FlowRequest, rule: FlowRule): WriteWork {
    const { level } = rule;
    const watches = this.#countWatches(asked, rule);
    if (watches !== undefined) return writeWork(watches, level.mostSeats);
    const { verb } = asked;
    if (asked.kind === "path" || (verb !== "list" && verb !== "watch")) return ONE_SEAT;
    const { group, resource, name } = asked;
    const kind = this.#plane.table.findStored(group, resource);
    if (kind === undefined) return ONE_SEAT;
    const objects = (): ReturnType<ObjectCounts["of"]> => this.#counts.of(kind);
    const seats = Math.min(level.mostSeats, listSeats(query, { verb, name, objects }));
    return seats === 1 ? ONE_SEAT : { seats, after: 0 };
  }

  /** Of what a write may change; undefined for what is none. */
  #countWatches(asked: AccessAttributes, { figures }: FlowRule): number | undefined {
    if (asked.kind === "path" || !WRITES.has(asked.verb)) return undefined;
    // A token is no object.
    if (asked.subresource === "token" && asked.resource === "serviceaccounts") return undefined;
    const watches = this.watches.interestedIn(asked);
    figures.watches.observe(watches);
    return watches;
  }

  #refuse({ level, figures, headers }: FlowRule, reason: RejectReason): TooManyRequestsError {
    figures.rejected.set(reason, (figures.rejected.get(reason) ?? 0) + 1);
    level.dropped.note(Math.floor(this.#plane.clock.now() / 1000));
    return new TooManyRequestsError(reason, { retryAfter: level.dropped.retryAfter, headers });
  }

  /** Who waits gets what others do not need, although nobody else may come. */
  #lendInTime(now: number): void {
    if (this.#lending !== undefined) return;
    const { clock } = this.#plane;
    const wait = Math.max(0, this.#lentAt + LENDING_PERIOD - now);
    this.#lending = clock.setTimer(wait, () => {
      this.#lending = undefined;
      const at = clock.monotonic();
      this.#lend(at);
      if (this.levels.some(({ queues }) => queues.requestsWaiting > 0)) this.#lendInTime(at);
    });
    this.#lending.unref();
  }

  #lend(now: number): void {
    const periods = Math.floor((now - this.#lentAt) / LENDING_PERIOD);
    if (periods === 0) return;
    this.#lentAt += periods * LENDING_PERIOD;
    lendSeats(this.levels, { now, periods });
  }
}

export class Seat implements FlowTicket {
  readonly rule: FlowRule;
  readonly request: FlowRequest;
  readonly work: WriteWork;
  readonly occupant: Occupant;
  readonly #flow: FlowControl;
  #isRunning = false;
  begunAt = 0;

  constructor(flow: FlowControl, { rule, request, work }: Pick<Seat, "rule" | "request" | "work">) {
    this.#flow = flow;
    this.rule = rule;
    this.request = request;
    this.work = work;
    this.occupant = new Occupant(work.seats);
  }

  get headers(): Readonly<Record<string, string>> {
    return this.rule.headers;
  }

  begin(now: number): void {
    this.#isRunning = true;
    this.begunAt = now;
    const { figures } = this.rule;
    const { seats } = this.work;
    figures.dispatched++;
    figures.executing++;
    figures.executingSeats += seats;
    figures.seats.observe(seats);
    this.#flow.present.add(this);
  }

  finish(now: number): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    const { figures } = this.rule;
    const { seats, after } = this.work;
    figures.executing--;
    figures.executingSeats -= seats;
    const { verb } = this.request.asked;
    const executed = verb === "watch" ? figures.begunWatches : figures.executed;
    executed.observe((now - this.begunAt) / 1000);
    this.#flow.present.delete(this);
    if (after === 0) this.#leave(now);
    else this.#flow.leaveLater(after, (then) => this.#leave(then));
  }

  #leave(now: number): void {
    if (this.occupant.state === "seated") this.rule.level.queues.leave(this.occupant, now);
  }
}
