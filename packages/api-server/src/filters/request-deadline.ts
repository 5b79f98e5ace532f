import type { Clock } from "@homeostat/concurrency";
import {
  ApiError,
  DurationError,
  durationToMilliseconds,
  parseDuration,
} from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import type { Query } from "../http/query.ts";

/** The request has taken too long. What it began may still happen. */
export class RequestTimeoutError extends Error {
  override readonly name = "RequestTimeoutError";
  readonly code = "request-timeout";

  constructor() {
    super("request did not complete within the allotted timeout");
  }

  /** A Status without its kind, and as text: so it is sent by kube-apiserver. */
  toAnswer(): Answer {
    const {
      kind: _kind,
      apiVersion: _version,
      ...status
    } = ApiError.timeout(this.message).toStatus();
    return {
      status: 504,
      payload: {
        kind: "text",
        contentType: "text/plain; charset=utf-8",
        text: `${JSON.stringify({ ...status, details: {} })}\n`,
      },
    };
  }
}

/** How many milliseconds a request may take: what it asks for, or what every request has at most. */
export function timeoutOf(query: Query, longest: number): number {
  const text = query.get("timeout");
  if (text === "") return longest;
  try {
    const wanted = durationToMilliseconds(parseDuration(text));
    return wanted > 0 && wanted < longest ? wanted : longest;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw ApiError.badRequest(`invalid timeout specified in the request URL - ${error.message}`);
  }
}

/** What the work gives, or RequestTimeoutError when that takes longer than so many milliseconds. */
export function within<T>(milliseconds: number, work: Promise<T>, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(milliseconds, () => reject(new RequestTimeoutError()));
    timer.unref();
    work.then(
      (value) => {
        timer.cancel();
        resolve(value);
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
}
