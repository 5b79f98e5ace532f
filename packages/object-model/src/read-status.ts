import type { Status, StatusCause, StatusDetails } from "./generated/meta-v1.ts";
import type { FailureParts } from "./status.ts";
import { isStatusReason, STATUS_REASONS, UNKNOWN_REASON } from "./status-reason.ts";

/**
 * Reads a Status that came from outside, where any member may be missing or of the wrong type: such
 * members are left out. The HTTP status of the answer stands in for a code the body does not have.
 */
export function readStatus(body: Status, httpStatus: number | undefined): FailureParts {
  const reason = text(body.reason) ?? "";
  const usual = isStatusReason(reason) ? STATUS_REASONS[reason] : UNKNOWN_REASON;
  return {
    message: text(body.message) ?? "",
    reason,
    httpStatus: integer(body.code) ?? httpStatus ?? usual.httpStatus,
    details: isRecord(body.details) ? readDetails(body.details) : undefined,
    continueToken: text(body.metadata?.continue),
  };
}

function readDetails(details: StatusDetails): StatusDetails {
  const causes: unknown = details.causes;
  return withoutUndefined<StatusDetails>({
    name: text(details.name),
    group: text(details.group),
    kind: text(details.kind),
    uid: text(details.uid),
    causes: Array.isArray(causes) ? causes.filter(isRecord).map(readCause) : undefined,
    retryAfterSeconds: integer(details.retryAfterSeconds),
  });
}

function readCause(cause: Record<string, unknown>): StatusCause {
  return withoutUndefined<StatusCause>({
    reason: text(cause["reason"]),
    message: text(cause["message"]),
    field: text(cause["field"]),
  });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function integer(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutUndefined<T extends object>(
  parts: {
    [Key in keyof T]: T[Key] | undefined;
  },
): T {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as T;
}
