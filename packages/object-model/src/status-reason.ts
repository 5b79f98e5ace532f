/**
 * The error table: every reason an API server gives for refusing a request, what it means over HTTP,
 * whether the same request may succeed later, and what to do about it. One row per
 * `metav1.StatusReason`; everything else about API errors is derived from here.
 */
export interface StatusReasonInfo {
  /** The code of the {@link ApiError} with this reason. */
  readonly code: `api-${string}`;
  readonly httpStatus: number;
  /** Whether sending the very same request again, later, may succeed. */
  readonly retryable: boolean;
  /** What the user or the program can do. */
  readonly remedy: string;
}

const TABLE = {
  BadRequest: {
    code: "api-bad-request",
    httpStatus: 400,
    retryable: false,
    remedy: "Correct the request: it can never succeed as it is.",
  },
  Unauthorized: {
    code: "api-unauthorized",
    httpStatus: 401,
    retryable: false,
    remedy: "Present valid credentials; renew the token or certificate if it has expired.",
  },
  Forbidden: {
    code: "api-forbidden",
    httpStatus: 403,
    retryable: false,
    remedy: "Grant the user the permission the message names, or satisfy the policy it names.",
  },
  NotFound: {
    code: "api-not-found",
    httpStatus: 404,
    retryable: false,
    remedy: "Check the name and namespace; check that the resource type is installed and served.",
  },
  MethodNotAllowed: {
    code: "api-method-not-allowed",
    httpStatus: 405,
    retryable: false,
    remedy: "Use a verb that this resource supports; discovery lists them.",
  },
  NotAcceptable: {
    code: "api-not-acceptable",
    httpStatus: 406,
    retryable: false,
    remedy: "Accept one of the media types the message lists.",
  },
  AlreadyExists: {
    code: "api-already-exists",
    httpStatus: 409,
    retryable: false,
    remedy: "Read the existing object and update it, or choose another name.",
  },
  Conflict: {
    code: "api-conflict",
    httpStatus: 409,
    retryable: false,
    remedy: "Read the object again, make the change to what was read, and send it again.",
  },
  Gone: {
    code: "api-gone",
    httpStatus: 410,
    retryable: false,
    remedy: "List again and go on from the resource version of that list.",
  },
  Expired: {
    code: "api-expired",
    httpStatus: 410,
    retryable: false,
    remedy: "List again and go on from the resource version of that list.",
  },
  RequestEntityTooLarge: {
    code: "api-request-entity-too-large",
    httpStatus: 413,
    retryable: false,
    remedy: "Send less: split the data over several objects, or shorten it.",
  },
  UnsupportedMediaType: {
    code: "api-unsupported-media-type",
    httpStatus: 415,
    retryable: false,
    remedy: "Send the body in one of the media types the message lists.",
  },
  Invalid: {
    code: "api-invalid",
    httpStatus: 422,
    retryable: false,
    remedy: "Correct the fields named in the causes.",
  },
  TooManyRequests: {
    code: "api-too-many-requests",
    httpStatus: 429,
    retryable: true,
    remedy: "Wait as long as the answer says, then send the request again.",
  },
  InternalError: {
    code: "api-internal-error",
    httpStatus: 500,
    retryable: true,
    remedy: "Look at the server's log. The request may or may not have taken effect.",
  },
  ServerTimeout: {
    code: "api-server-timeout",
    httpStatus: 500,
    retryable: true,
    remedy: "Send the request again; the server was busy.",
  },
  StorageReadError: {
    code: "api-storage-read-error",
    httpStatus: 500,
    retryable: false,
    remedy: "Stored data cannot be read. Restore it, or delete the objects the causes name.",
  },
  ServiceUnavailable: {
    code: "api-service-unavailable",
    httpStatus: 503,
    retryable: true,
    remedy: "Wait until the server is up, then send the request again.",
  },
  Timeout: {
    code: "api-timeout",
    httpStatus: 504,
    retryable: true,
    remedy:
      "Send the request again, with a longer timeout if it had one. It may have taken effect.",
  },
} as const;

export type StatusReason = keyof typeof TABLE;

/** The rows, in order of HTTP status. */
export const STATUS_REASONS: Readonly<Record<StatusReason, StatusReasonInfo>> = TABLE;

/** For an answer with a reason that is not in the table, or none. */
export const UNKNOWN_REASON: StatusReasonInfo = {
  code: "api-unknown",
  httpStatus: 500,
  retryable: false,
  remedy: "The server gave no known reason: see the message, and the server's log.",
};

export function isStatusReason(reason: string): reason is StatusReason {
  return Object.hasOwn(TABLE, reason);
}

/**
 * Which reason an HTTP status stands for where an answer names no reason that we know. The statuses
 * that several reasons share mean the general one, as in apimachinery's `Is...` functions.
 */
export function reasonOfHttpStatus(httpStatus: number): StatusReason | undefined {
  return BY_HTTP_STATUS.get(httpStatus);
}

const SPECIAL: ReadonlySet<string> = new Set<StatusReason>([
  "AlreadyExists",
  "Expired",
  "ServerTimeout",
  "StorageReadError",
]);

const BY_HTTP_STATUS: ReadonlyMap<number, StatusReason> = new Map(
  Object.entries(TABLE)
    .filter(([reason]) => !SPECIAL.has(reason))
    .map(([reason, { httpStatus }]) => [httpStatus, reason as StatusReason]),
);
