import type { JsonValue } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";

export type AuditLevel = "None" | "Metadata" | "Request" | "RequestResponse";
export type AuditStage = "RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic";

export const AUDIT_LEVELS: readonly AuditLevel[] = [
  "None",
  "Metadata",
  "Request",
  "RequestResponse",
];
export const AUDIT_STAGES: readonly AuditStage[] = [
  "RequestReceived",
  "ResponseStarted",
  "ResponseComplete",
  "Panic",
];

/** What is told about one stage of one request: an Event of audit.k8s.io/v1, keys in Go's order. */
export interface AuditEvent {
  readonly kind: "Event";
  readonly apiVersion: "audit.k8s.io/v1";
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: UserInfo;
  readonly impersonatedUser?: UserInfo;
  readonly authenticationMetadata?: { readonly impersonationConstraint: string };
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: AuditObjectReference;
  readonly responseStatus?: AuditResponseStatus;
  readonly requestObject?: JsonValue;
  readonly responseObject?: JsonValue;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface AuditObjectReference {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

export interface AuditResponseStatus {
  readonly metadata: object;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: object;
  readonly code?: number;
}

/**
 * Where events go. Must not throw and must not wait: a sink that cannot keep up drops and says so, or
 * keeps what it was given in its own memory.
 */
export interface AuditSink {
  write(event: AuditEvent): void;
}
