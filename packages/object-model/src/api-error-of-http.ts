import { ApiError } from "./api-error.ts";
import { type GroupResource, printGroupResource } from "./group-version-kind.ts";
import { goQuote } from "./json/go-quote.ts";
import { reasonOfHttpStatus, type StatusReason } from "./status-reason.ts";

/** What is known of a failure when its HTTP status is all that tells the reason. */
export interface HttpFailure {
  readonly httpStatus: number;
  /** The HTTP method of the request. */
  readonly method?: string;
  readonly resource?: GroupResource;
  /** The name of the object, where the request named one. */
  readonly name?: string;
  /** What the other side said: the beginning of a body that is no Status. */
  readonly text?: string;
  /** From the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** Set by clients whose answer came from no API server, but from a proxy or a broken one. */
  readonly unexpected?: boolean;
}

const MESSAGES: { readonly [Reason in StatusReason]?: string } = {
  AlreadyExists: "the server reported a conflict",
  BadRequest: "the server rejected our request for an unknown reason",
  Conflict: "the server reported a conflict",
  Invalid: "the server rejected our request due to an error in our request",
  MethodNotAllowed: "the server does not allow this method on the requested resource",
  NotFound: "the server could not find the requested resource",
  ServiceUnavailable: "the server is currently unable to handle the request",
  Timeout:
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  TooManyRequests: "the server has received too many requests and has asked us to try again later",
  Unauthorized: "the server has asked for the client to provide credentials",
};

/**
 * The error that an HTTP status alone stands for, in apimachinery's words: for clients that got an
 * answer without a Status, and for servers that refuse before they know what was asked.
 */
export function apiErrorOfHttp(failure: HttpFailure): ApiError {
  const { httpStatus, method = "", name = "", text = "", retryAfterSeconds = 0 } = failure;
  const resource = failure.resource ?? { group: "", resource: "" };
  const reason = reasonOf(httpStatus, method);
  const type = printGroupResource(resource);
  const target = `${method.toLowerCase()} ${type}${name === "" ? "" : ` ${name}`}`;
  const cause = { reason: "UnexpectedServerResponse", ...(text === "" ? {} : { message: text }) };
  return new ApiError({
    httpStatus,
    reason,
    message: messageOf(reason, failure) + (type === "" ? "" : ` (${target})`),
    details: {
      name,
      group: resource.group,
      kind: resource.resource,
      causes: failure.unexpected ? [cause] : [],
      retryAfterSeconds,
    },
  });
}

/** Which reason apimachinery infers; for 410 and 413 it infers none. */
function reasonOf(httpStatus: number, method: string): StatusReason | "" {
  if (httpStatus === 410 || httpStatus === 413) return "";
  if (httpStatus === 409 && method === "POST") return "AlreadyExists";
  return reasonOfHttpStatus(httpStatus) ?? (httpStatus >= 500 ? "InternalError" : "");
}

function messageOf(reason: StatusReason | "", { httpStatus, text = "" }: HttpFailure): string {
  switch (reason) {
    case "":
      return `the server responded with the status code ${httpStatus} but did not return more information`;
    case "Forbidden":
    case "UnsupportedMediaType":
      return text;
    case "NotAcceptable":
      return text === "" || text === "unknown"
        ? "the server was unable to respond with a content type that the client supports"
        : text;
    case "InternalError":
      return `an error on the server (${goQuote(text)}) has prevented the request from succeeding`;
    default:
      return MESSAGES[reason]!;
  }
}
