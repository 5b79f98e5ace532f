/**
 * Status bodies: what an API server answers when there is no object to answer with, above all for a
 * refused request. Members are in the order Kubernetes prints them, and what is empty is left out.
 */

import type { Status, StatusDetails } from "./generated/meta-v1.ts";

/** A refusal. `metadata` is always there; it holds a token only for an expired list. */
export interface FailureStatus extends Status {
  apiVersion: "v1";
  kind: "Status";
  status: "Failure";
  code: number;
}

/** The body of a request that succeeded and has no object to show, such as a finished delete. */
export interface SuccessStatus extends Status {
  apiVersion: "v1";
  kind: "Status";
  status: "Success";
}

export interface FailureParts {
  readonly message: string;
  /** "" where none is known. */
  readonly reason: string;
  readonly httpStatus: number;
  readonly details?: StatusDetails | undefined;
  /** The token with which an expired list can be continued all the same. */
  readonly continueToken?: string | undefined;
}

export function failureStatus(parts: FailureParts): FailureStatus {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: parts.continueToken ? { continue: parts.continueToken } : {},
    status: "Failure",
    ...(parts.message === "" ? {} : { message: parts.message }),
    ...(parts.reason === "" ? {} : { reason: parts.reason }),
    ...(parts.details === undefined ? {} : { details: statusDetails(parts.details) }),
    code: parts.httpStatus,
  };
}

export function successStatus(details?: StatusDetails): SuccessStatus {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    ...(details === undefined ? {} : { details: statusDetails(details) }),
  };
}

/** Details in Kubernetes' order, without what is empty. */
export function statusDetails(details: StatusDetails): StatusDetails {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes?.length ? { causes } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}

/** Whether an answer's body is a Status, of whichever outcome. */
export function isStatus(body: unknown): body is Status {
  if (typeof body !== "object" || body === null) return false;
  const { kind, apiVersion } = body as { kind?: unknown; apiVersion?: unknown };
  return kind === "Status" && (apiVersion === "v1" || apiVersion === "meta.k8s.io/v1");
}
