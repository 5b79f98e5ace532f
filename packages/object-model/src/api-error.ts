/**
 * A refused request, on either side of the API: servers throw these and answer with
 * {@link ApiError.toStatus}, clients read answers back with {@link ApiError.fromStatus}. The makers
 * below are named after the reasons of the table in `status-reason.ts`, and their messages are
 * those of Kubernetes, because people and programs match them.
 */

import { type FieldError, printFieldErrors } from "./field-error.ts";
import type { StatusCause, StatusDetails } from "./generated/meta-v1.ts";
import {
  type GroupKind,
  type GroupResource,
  printGroupKind,
  printGroupResource,
} from "./group-version-kind.ts";
import { goQuote } from "./json/go-quote.ts";
import { readStatus } from "./read-status.ts";
import { type FailureStatus, failureStatus, isStatus, statusDetails } from "./status.ts";
import {
  isStatusReason,
  reasonOfHttpStatus,
  STATUS_REASONS,
  type StatusReason,
  type StatusReasonInfo,
  UNKNOWN_REASON,
} from "./status-reason.ts";

const OBJECT_MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";

export interface ApiErrorOptions {
  readonly message: string;
  /** Any text: servers may know reasons that we do not. Default: none. */
  readonly reason?: string;
  /** Default: that of the reason. */
  readonly httpStatus?: number;
  readonly details?: StatusDetails | undefined;
  readonly continueToken?: string | undefined;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** `api-not-found` and so on, one per reason; `api-unknown` for what the table does not have. */
  readonly code: StatusReasonInfo["code"];
  /** As the server said it; "" when it said none. To decide by it use {@link ApiError.is}. */
  readonly reason: string;
  readonly httpStatus: number;
  /** Whether sending the same request again may succeed; a server that says when, says so. */
  readonly retryable: boolean;
  /** What can be done about it. */
  readonly remedy: string;
  readonly details: StatusDetails | undefined;
  /** For an expired list: continues it, at the price of consistency. */
  readonly continueToken: string | undefined;

  constructor(options: ApiErrorOptions) {
    super(options.message, "cause" in options ? { cause: options.cause } : {});
    this.reason = options.reason ?? "";
    const named = isStatusReason(this.reason) ? STATUS_REASONS[this.reason] : undefined;
    this.httpStatus = options.httpStatus ?? (named ?? UNKNOWN_REASON).httpStatus;
    const meant = reasonOfHttpStatus(this.httpStatus);
    const info = named ?? (meant === undefined ? UNKNOWN_REASON : STATUS_REASONS[meant]);
    this.code = info.code;
    this.remedy = info.remedy;
    this.details = options.details && statusDetails(options.details);
    this.retryable = info.retryable || this.retryAfterSeconds !== undefined;
    this.continueToken = options.continueToken;
  }

  /** How long the server asks to wait before the next try. */
  get retryAfterSeconds(): number | undefined {
    return this.details?.retryAfterSeconds;
  }

  /** By the named reason or, where the answer names none that is known, by the HTTP status. */
  is(reason: StatusReason): boolean {
    return this.code === STATUS_REASONS[reason].code;
  }

  /** For `catch`, where anything may come: whether it is an API error with this reason. */
  static is(error: unknown, reason: StatusReason): error is ApiError {
    return error instanceof ApiError && error.is(reason);
  }

  /** Whether a cause of this kind is given, such as `ResourceVersionTooLarge`. */
  hasCause(reason: string): boolean {
    return this.details?.causes?.some((cause) => cause.reason === reason) ?? false;
  }

  toStatus(): FailureStatus {
    return failureStatus(this);
  }

  /** From an answer's body; undefined for a body that is no Status, or one of success. */
  static fromStatus(body: unknown, httpStatus?: number): ApiError | undefined {
    if (!isStatus(body) || body.status === "Success") return undefined;
    return new ApiError(readStatus(body, httpStatus));
  }

  static badRequest(message: string): ApiError {
    return refuse("BadRequest", message);
  }

  static unauthorized(message = "not authorized"): ApiError {
    return refuse("Unauthorized", message);
  }

  /** Both resource and name may be empty, for requests that are not about an object. */
  static forbidden(resource: GroupResource, name: string, why: string): ApiError {
    const type = printGroupResource(resource);
    const what = type === "" ? "" : `${type}${name === "" ? "" : ` ${goQuote(name)}`} is `;
    return refuse("Forbidden", `${what}forbidden: ${why}`, aboutObject(resource, name));
  }

  static notFound(resource: GroupResource, name: string): ApiError {
    const message = `${printGroupResource(resource)} ${goQuote(name)} not found`;
    return refuse("NotFound", message, aboutObject(resource, name));
  }

  static methodNotAllowed(resource: GroupResource, action: string): ApiError {
    const type = goQuote(printGroupResource(resource));
    const message = `${action} is not supported on resources of kind ${type}`;
    return refuse("MethodNotAllowed", message, aboutObject(resource));
  }

  static notAcceptable(accepted: readonly string[]): ApiError {
    const list = accepted.join(", ");
    return refuse("NotAcceptable", `only the following media types are accepted: ${list}`);
  }

  static alreadyExists(resource: GroupResource, name: string): ApiError {
    const message = `${printGroupResource(resource)} ${goQuote(name)} already exists`;
    return refuse("AlreadyExists", message, aboutObject(resource, name));
  }

  /** Every name made from `generateName` was taken; the caller may try again. */
  static generateNameConflict(resource: GroupResource, name: string): ApiError {
    const message = `${printGroupResource(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
    const details = { ...aboutObject(resource, name), retryAfterSeconds: 1 };
    return refuse("AlreadyExists", message, details);
  }

  /** An update of an object that changed since it was read, unless `why` says otherwise. */
  static conflict(resource: GroupResource, name: string, why: string = OBJECT_MODIFIED): ApiError {
    const what = `${printGroupResource(resource)} ${goQuote(name)}`;
    const message = `Operation cannot be fulfilled on ${what}: ${why}`;
    return refuse("Conflict", message, aboutObject(resource, name));
  }

  /** Server-side apply of fields that others manage: a cause for each. */
  static applyConflict(message: string, causes: readonly StatusCause[]): ApiError {
    return refuse("Conflict", message, { causes: [...causes] });
  }

  static gone(message: string): ApiError {
    return refuse("Gone", message);
  }

  /** What was asked for lies before the history that is kept. */
  static expired(message: string, continueToken?: string): ApiError {
    return new ApiError({ reason: "Expired", message, continueToken });
  }

  static requestEntityTooLarge(why: string): ApiError {
    return refuse("RequestEntityTooLarge", `Request entity too large: ${why}`);
  }

  static unsupportedMediaType(accepted: readonly string[]): ApiError {
    const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
    return refuse("UnsupportedMediaType", message);
  }

  static invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
    const why = errors.length === 0 ? "" : `: ${printFieldErrors(errors)}`;
    const message = `${printGroupKind(kind)} ${goQuote(name)} is invalid${why}`;
    const causes = errors.map(({ type, body, field }) => ({ reason: type, message: body, field }));
    return refuse("Invalid", message, { name, group: kind.group, kind: kind.kind, causes });
  }

  static tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
    return refuse("TooManyRequests", message, { retryAfterSeconds });
  }

  static internalError(cause: Error): ApiError {
    return new ApiError({
      reason: "InternalError",
      message: `Internal error occurred: ${cause.message}`,
      details: { causes: [{ message: cause.message }] },
      cause,
    });
  }

  static serverTimeout(
    resource: GroupResource,
    operation: string,
    retryAfterSeconds: number,
  ): ApiError {
    const what = `The ${operation} operation against ${printGroupResource(resource)}`;
    const message = `${what} could not be completed at this time, please try again.`;
    return refuse("ServerTimeout", message, {
      ...aboutObject(resource, operation),
      retryAfterSeconds,
    });
  }

  static storageReadError(message: string, details?: StatusDetails): ApiError {
    return refuse("StorageReadError", message, details);
  }

  static serviceUnavailable(message: string): ApiError {
    return refuse("ServiceUnavailable", message);
  }

  static timeout(message: string, retryAfterSeconds = 0): ApiError {
    return refuse("Timeout", `Timeout: ${message}`, { retryAfterSeconds });
  }

  /** The server has not reached the resource version that was asked for. */
  static tooLargeResourceVersion(
    wanted: string,
    current: string,
    retryAfterSeconds: number,
  ): ApiError {
    const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
    const cause = { reason: "ResourceVersionTooLarge", message: "Too large resource version" };
    return refuse("Timeout", message, { causes: [cause], retryAfterSeconds });
  }
}

function refuse(reason: StatusReason, message: string, details?: StatusDetails): ApiError {
  return new ApiError({ reason, message, details });
}

/** Details say `kind` and mean the resource: Kubernetes has done so from the start. */
function aboutObject({ group, resource }: GroupResource, name = ""): StatusDetails {
  return { name, group, kind: resource };
}
