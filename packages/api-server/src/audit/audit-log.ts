/**
 * The audit log: who asked for what, when, and what became of it. A policy (audit-policy.ts) says how
 * much is told of which request; each stage of a request that is told of becomes one event
 * (request-audit.ts), handed to a sink, which the composer of a server brings. Where there is no policy
 * there is no log, and nothing here runs. Credentials are never part of an event: requests do not carry
 * them this far, and tokens are cut out of objects.
 */
import type { Clock } from "@homeostat/concurrency";
import type { ApiError } from "@homeostat/object-model";
import type { AuditSink } from "./audit-event.ts";
import { type AuditPolicy, orderOf } from "./audit-policy.ts";
import { type AuditedRequest, RequestAudit } from "./request-audit.ts";

export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
}

export class AuditLog {
  readonly #policy: AuditPolicy;
  readonly #sink: AuditSink;
  readonly #clock: Clock;
  /** How many have been handed over. */
  events = 0;

  constructor({ policy, sink }: AuditOptions, clock: Clock) {
    this.#policy = policy;
    this.#sink = sink;
    this.#clock = clock;
  }

  /** Undefined for a request of which nothing is told. */
  begin(about: AuditedRequest): RequestAudit | undefined {
    const audit = this.#auditOf(about);
    audit?.reach("RequestReceived");
    return audit;
  }

  /** A request that was refused before anybody knew whose it is: one event tells all of it. */
  noteRefusal(about: Omit<AuditedRequest, "user">, refused: ApiError): void {
    const audit = this.#auditOf({ ...about, user: {} });
    audit?.isAnswered(refused.httpStatus, refused.toStatus());
    audit?.reach("ResponseStarted");
  }

  #auditOf(about: AuditedRequest): RequestAudit | undefined {
    const order = orderOf(this.#policy, about.user, about.asked);
    if (order.level === "None") return undefined;
    return new RequestAudit(about, order, {
      clock: this.#clock,
      tell: (event) => {
        this.events++;
        this.#sink.write(event);
      },
    });
  }
}
