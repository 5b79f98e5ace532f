/**
 * What happens to every request around its verb, in kube-apiserver's order: it gets a name, a deadline,
 * a place in the audit log, a seat; and when its answer has left, all of that is given back and
 * counted. A request that asks for nothing special and finds a free seat never waits here.
 */
import type { Clock } from "@homeostat/concurrency";
import { ApiError, type DoorAnswer, type DoorRequest } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { Answer, WatchPayload } from "../answers/answer.ts";
import type { AuditIds } from "../audit/audit-ids.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { RequestAudit } from "../audit/request-audit.ts";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import type { FlowRequest, FlowTicket } from "../flow-control/flow-control.ts";
import type { OpenWatches } from "../flow-control/open-watches.ts";
import { TooManyRequestsError } from "../flow-control/too-many-requests.ts";
import type { Query } from "../http/query.ts";
import type { RequestSeries } from "../metrics/request-metrics.ts";
import { isLongRunning } from "./long-running.ts";
import { RequestTimeoutError, timeoutOf, within } from "./request-deadline.ts";
import { isMutating, type RequestsInFlight } from "./requests-in-flight.ts";

/** No request waits longer for a seat, however much time it has. */
const LONGEST_WAIT = 60_000;

export interface FilterParts {
  readonly clock: Clock;
  readonly auditIds: AuditIds;
  readonly audit: AuditLog | undefined;
  /** Milliseconds that a request may take that is not long-running. */
  readonly requestTimeout: number;
  readonly limits: { admit(request: FlowRequest): FlowTicket | Promise<FlowTicket> };
  /** Who watches what; undefined where that costs nobody anything. */
  readonly watches: OpenWatches | undefined;
  readonly reads: RequestsInFlight;
  readonly writes: RequestsInFlight;
  /** Undefined for what is not counted: that which is not served. */
  readonly seriesOf: (asked: RequestQuestion) => RequestSeries | undefined;
}

export interface RequestQuestion {
  readonly request: DoorRequest;
  readonly asked: AccessAttributes;
  readonly query: Query;
}

export class RequestLife {
  readonly #id: string;
  readonly isLongRunning: boolean;
  audit: RequestAudit | undefined;
  readonly #parts: FilterParts;
  readonly #question: RequestQuestion;
  readonly #begunAt: number;
  #timeout = 0;
  #waited = 0;
  #ticket: FlowTicket | undefined;
  #flowHeaders: FlowTicket["headers"] | undefined;
  #series: RequestSeries | undefined;
  #endWatch: (() => void) | undefined;
  /** Whose it is. */
  #isKnown = false;
  #isLasting = false;
  #isOver = false;

  constructor(parts: FilterParts, question: RequestQuestion) {
    this.#parts = parts;
    this.#question = question;
    this.#begunAt = parts.clock.monotonic();
    this.isLongRunning = isLongRunning(question.asked);
    const { "audit-id": given = "" } = question.request.headers ?? {};
    this.#id = given === "" ? parts.auditIds.next() : given;
  }

  /** For its answer, as far as it has come: new ones, each time. */
  get headers(): Record<string, string> {
    return { "audit-id": this.#id, ...this.#flowHeaders };
  }

  /** Throws what is wrong with the time that the request asks for. */
  setDeadline(): void {
    const { requestTimeout } = this.#parts;
    this.#timeout = this.isLongRunning
      ? requestTimeout
      : timeoutOf(this.#question.query, requestTimeout);
  }

  beginAudit(user: UserInfo): void {
    this.#isKnown = true;
    const { audit, clock } = this.#parts;
    if (audit === undefined) return;
    const { request, asked } = this.#question;
    this.audit = audit.begin({ id: this.#id, request, user, asked, receivedAt: clock.now() });
  }

  /** A promise only where the request has to wait. Throws or rejects when there is no seat. */
  takeSeat(user: UserInfo): Promise<void> | undefined {
    const { asked, query, request } = this.#question;
    if (this.isLongRunning && asked.verb !== "watch") return undefined;
    // Nothing before has waited.
    const now = this.#begunAt;
    const patience = Math.min(this.#timeout / 4, LONGEST_WAIT);
    const { signal } = request;
    const ticket = this.#parts.limits.admit({ user, asked, query, now, patience, signal });
    if (!(ticket instanceof Promise)) {
      this.#begin(ticket, now);
      return undefined;
    }
    return ticket.then((seated) => {
      const seatedAt = this.#parts.clock.monotonic();
      this.#waited = seatedAt - now;
      this.#begin(seated, seatedAt);
    });
  }

  /** From here on it counts as a request for what it asks. */
  isLetIn(): void {
    this.#series = this.#parts.seriesOf(this.#question);
    if (!this.isLongRunning) return;
    this.#series?.begin();
    const { asked, query } = this.#question;
    if (asked.verb === "watch" && asked.kind === "resource") {
      this.#endWatch = this.#parts.watches?.add(asked, query);
    }
  }

  /** What a verb gives, unless that takes too long. */
  inTime<T>(work: Promise<T>): Promise<T> {
    if (this.isLongRunning) return work;
    const { clock } = this.#parts;
    return within(Math.max(0, this.deadline - clock.monotonic()), work, clock);
  }

  /** When its time is over, by the monotonic clock. */
  get deadline(): number {
    return this.isLongRunning ? Number.POSITIVE_INFINITY : this.#begunAt + this.#timeout;
  }

  /** It goes on when it is answered; what is returned ends it. */
  goOn(): () => void {
    this.#isLasting = true;
    return () => this.#end(101, 0);
  }

  /** The answer, with an end of it that is noticed where it is a watch. */
  follow(answer: Answer): Answer {
    const { payload } = answer;
    if (payload.kind !== "watch") return answer;
    return { ...answer, payload: new FollowedWatch(payload, () => this.#end(answer.status, 0)) };
  }

  /** Counts lines that a watch sends. */
  get onLine(): (() => void) | undefined {
    const series = this.#series;
    return series && this.isLongRunning ? () => void series.events++ : undefined;
  }

  /** Tells what was answered, and gives back what was taken: at once, or when a stream has ended. */
  answered(made: DoorAnswer, { payload }: Answer): DoorAnswer {
    const { status } = made;
    if (this.audit !== undefined) {
      const wantsObject =
        payload.kind === "object" || (payload.kind === "list" && this.audit.wantsResponse);
      this.audit.isAnswered(status, wantsObject ? payload.object() : undefined);
      if (this.isLongRunning) this.audit.reach("ResponseStarted");
    }
    if (this.#isLasting) return made;
    if (payload.kind === "watch") {
      // A watch has a seat until it has begun.
      this.#giveBack(this.#parts.clock.monotonic());
      return made;
    }
    if (made.kind === "byte-stream" && this.#question.request.method !== "HEAD") {
      // One that nobody reads holds no seat for longer than a request may take.
      const { clock } = this.#parts;
      const timer = clock.setTimer(this.#timeout, () => this.#giveBack(clock.monotonic()));
      timer.unref();
      const end = (bytes: number): void => {
        timer.cancel();
        this.#end(status, bytes);
      };
      return { ...made, chunks: new FollowedChunks(made.chunks, end) };
    }
    this.#end(status, made.kind === "bytes" ? made.bytes.length : 0);
    return made;
  }

  /** The request failed in a way that has an answer. */
  refuse(error: unknown): void {
    if (!this.#isKnown && error instanceof ApiError) {
      const { audit, clock } = this.#parts;
      const { request, asked } = this.#question;
      audit?.noteRefusal({ id: this.#id, request, asked, receivedAt: clock.now() }, error);
    }
    const isBusy = error instanceof TooManyRequestsError;
    if (!isBusy && !(error instanceof RequestTimeoutError)) return;
    const series = this.#series ?? this.#parts.seriesOf(this.#question);
    series?.terminate(isBusy ? 429 : 504);
    if (isBusy) series?.count(429);
    // What is begun goes on; its seat is free for others.
    if (this.#series !== undefined && this.isLongRunning) this.#series.end();
    this.#series = undefined;
  }

  /** It ends without an answer. */
  abandon(): void {
    this.audit?.isCutShort();
    this.#end(0, 0);
  }

  #begin(ticket: FlowTicket, now: number): void {
    this.#ticket = ticket;
    this.#flowHeaders = ticket.headers;
    this.#inFlight.change(1, now);
  }

  get #inFlight(): RequestsInFlight {
    const { reads, writes } = this.#parts;
    return isMutating(this.#question.asked) ? writes : reads;
  }

  #giveBack(now: number): void {
    if (this.#ticket === undefined) return;
    this.#ticket.finish(now);
    this.#ticket = undefined;
    this.#inFlight.change(-1, now);
  }

  #end(status: number, bytes: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const now = this.#parts.clock.monotonic();
    this.#giveBack(now);
    this.audit?.reach("ResponseComplete");
    this.#endWatch?.();
    const series = this.#series;
    if (series === undefined) return;
    if (this.isLongRunning) series.end();
    const seconds = (now - this.#begunAt) / 1000;
    series.observe(status, seconds, { waited: this.#waited / 1000, bytes });
  }
}

class FollowedWatch implements WatchPayload {
  readonly kind = "watch";
  readonly #source: WatchPayload;
  readonly #onEnd: () => void;

  constructor(source: WatchPayload, onEnd: () => void) {
    this.#source = source;
    this.#onEnd = onEnd;
  }

  next(): ReturnType<WatchPayload["next"]> {
    return this.#source.next();
  }

  end(): void {
    this.#source.end();
    this.#onEnd();
  }
}

/** The same stream; `onEnd` is told once how many bytes it had, whoever ended it. */
class FollowedChunks implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #onEnd: (bytes: number) => void;
  #bytes = 0;

  constructor(source: AsyncIterable<Uint8Array>, onEnd: (bytes: number) => void) {
    this.#source = source[Symbol.asyncIterator]();
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    try {
      const { done, value } = await this.#source.next();
      if (done === true) return this.#ended();
      this.#bytes += value.length;
      return { done: false, value };
    } catch (error) {
      this.#onEnd(this.#bytes);
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#onEnd(this.#bytes);
    await this.#source.return?.();
    return this.#ended();
  }

  #ended(): { done: true; value: undefined } {
    this.#onEnd(this.#bytes);
    return { done: true, value: undefined };
  }
}
