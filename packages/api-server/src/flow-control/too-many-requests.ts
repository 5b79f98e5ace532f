import type { Answer } from "../answers/answer.ts";

export type RejectReason = "concurrency-limit" | "queue-full" | "time-out" | "cancelled";

/** There is no seat for a request. Not a Status: kube-apiserver answers with a text. */
export class TooManyRequestsError extends Error {
  override readonly name = "TooManyRequestsError";
  readonly code = "too-many-requests";
  readonly reason: RejectReason;
  readonly retryAfter: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    reason: RejectReason,
    { retryAfter, headers = {} }: { retryAfter: number; headers?: Record<string, string> },
  ) {
    super("Too many requests, please try again later.");
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.headers = headers;
  }

  toAnswer(): Answer {
    return {
      status: 429,
      headers: {
        ...this.headers,
        "retry-after": String(this.retryAfter),
        "x-content-type-options": "nosniff",
      },
      payload: {
        kind: "text",
        contentType: "text/plain; charset=utf-8",
        text: `${this.message}\n`,
      },
    };
  }
}
