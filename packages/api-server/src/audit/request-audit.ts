import type { Clock } from "@homeostat/concurrency";
import {
  cloneJson,
  compareBytewise,
  type DoorRequest,
  isStatus,
  type JsonObject,
  type JsonValue,
  microTimeOfMilliseconds,
} from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { NoteOptions } from "../admission/admission.ts";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import type { AuditNotes } from "../verbs/resource-request.ts";
import type {
  AuditEvent,
  AuditObjectReference,
  AuditResponseStatus,
  AuditStage,
} from "./audit-event.ts";
import type { AuditOrder } from "./audit-policy.ts";
import { withoutSecrets } from "./without-secrets.ts";

const LONGEST_AGENT = 1024;

export interface AuditedRequest {
  readonly id: string;
  readonly request: DoorRequest;
  readonly user: UserInfo;
  readonly asked: AccessAttributes;
  /** Wall time. */
  readonly receivedAt: number;
}

/** One request as the audit log sees it: facts are gathered, and each stage tells what is known by then. */
export class RequestAudit implements AuditNotes {
  readonly #about: AuditedRequest;
  readonly #order: AuditOrder;
  readonly #clock: Clock;
  readonly #tell: (event: AuditEvent) => void;
  readonly #annotations = new Map<string, string>();
  #impersonated: UserInfo | undefined;
  #constraint = "";
  #reference: AuditObjectReference | undefined;
  #requestObject: JsonValue | undefined;
  #responseObject: JsonValue | undefined;
  #responseStatus: AuditResponseStatus | undefined;
  #isOver = false;

  constructor(
    about: AuditedRequest,
    order: AuditOrder,
    { clock, tell }: { readonly clock: Clock; readonly tell: (event: AuditEvent) => void },
  ) {
    this.#about = about;
    this.#order = order;
    this.#clock = clock;
    this.#tell = tell;
    this.#reference = about.asked.kind === "resource" ? referenceTo(about.asked) : undefined;
  }

  get wantsRequest(): boolean {
    return this.#order.level === "Request" || this.wantsResponse;
  }

  get wantsResponse(): boolean {
    return this.#order.level === "RequestResponse";
  }

  /** What was noted first stays. What tells of the body is noted where bodies are. */
  annotate(key: string, value: string, { ofBody = false }: NoteOptions = {}): void {
    if (ofBody && !this.wantsRequest) return;
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  /** `constraint`: the verb of a limit under which it does; "" for none. */
  actsAs(user: UserInfo, constraint: string): void {
    this.#impersonated = printedUser(user);
    this.#constraint = constraint;
  }

  /** What the body held; the first that is told counts. Copied: whoever decoded it goes on with it. */
  hasSent(value: JsonValue): void {
    if (this.#requestObject !== undefined || value === null) return;
    if (this.#about.request.method !== "PATCH") this.#name(value);
    this.#keep(() => value);
  }

  /** What its kind makes of the body, defaults included: told instead. */
  hasMeant(object: () => JsonObject): void {
    this.#keep(object);
  }

  #keep(value: () => JsonValue): void {
    if (!this.wantsRequest) return;
    try {
      this.#requestObject = cloneJson(withoutSecrets(value(), this.#reference ?? {}, this.#order));
    } catch (error) {
      // Too deep to be copied: noting a request never changes its answer.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** The answer, and its object where that is wanted. */
  isAnswered(code: number, object?: unknown): void {
    if (isStatus(object)) {
      const { status, message, reason, details } = object;
      this.#responseStatus = {
        metadata: {},
        ...(status && { status }),
        ...(message && { message }),
        ...(reason && { reason }),
        ...(details && { details }),
        code,
      };
    } else this.#responseStatus = { metadata: {}, code };
    if (!this.wantsResponse || object === undefined) return;
    this.#responseObject = withoutSecrets(object as JsonValue, this.#reference ?? {}, this.#order);
  }

  /** It ended without an answer. */
  isCutShort(): void {
    const message = "Connection closed early";
    this.#responseStatus ??= { metadata: {}, status: "Success", message, code: 200 };
    this.reach("ResponseComplete");
  }

  /** What nobody expected. */
  hasFailed(error: unknown): void {
    const what = error instanceof Error ? error.message : String(error);
    this.#responseStatus = {
      metadata: {},
      status: "Failure",
      message: `APIServer panic'd: ${what}`,
      reason: "InternalError",
      code: 500,
    };
    this.reach("Panic");
  }

  /** After the last stage there is none. */
  reach(stage: AuditStage): void {
    if (this.#isOver) return;
    this.#isOver = stage === "ResponseComplete" || stage === "Panic";
    if (!this.#order.omitStages.includes(stage)) this.#tell(this.#event(stage));
  }

  #name(value: JsonValue): void {
    if (typeof value !== "object" || value === null || !("metadata" in value)) return;
    const { metadata } = value as { metadata?: Record<string, unknown> | null };
    if (this.#reference === undefined) return;
    const { resource, apiGroup, apiVersion, subresource, ...said } = this.#reference;
    const either = (told: string | undefined, key: string): string => {
      const given = metadata?.[key];
      return told || (typeof given === "string" ? given : "");
    };
    const namespace = either(said.namespace, "namespace");
    const name = either(said.name, "name");
    const uid = either(said.uid, "uid");
    const resourceVersion = either(said.resourceVersion, "resourceVersion");
    this.#reference = {
      ...(resource && { resource }),
      ...(namespace && { namespace }),
      ...(name && { name }),
      ...(uid && { uid }),
      ...(apiGroup && { apiGroup }),
      ...(apiVersion && { apiVersion }),
      ...(resourceVersion && { resourceVersion }),
      ...(subresource && { subresource }),
    };
  }

  #event(stage: AuditStage): AuditEvent {
    const { id, request, user, asked, receivedAt } = this.#about;
    const at = stage === "RequestReceived" ? receivedAt : this.#clock.now();
    const sources = request.sourceAddresses?.() ?? [];
    const agent = request.headers?.["user-agent"] ?? "";
    const long = agent.length > LONGEST_AGENT;
    const userAgent = long ? `${agent.slice(0, LONGEST_AGENT)}...TRUNCATED` : agent;
    const annotations = [...this.#annotations].toSorted(([a], [b]) => compareBytewise(a, b));
    return {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: this.#order.level,
      auditID: id,
      stage,
      requestURI: uriOf(request),
      verb: asked.verb,
      user: printedUser(user),
      ...(this.#impersonated && { impersonatedUser: this.#impersonated }),
      ...(this.#constraint && {
        authenticationMetadata: { impersonationConstraint: this.#constraint },
      }),
      ...(sources.length > 0 && { sourceIPs: sources }),
      ...(userAgent && { userAgent }),
      ...(this.#reference && { objectRef: this.#reference }),
      ...(this.#responseStatus && { responseStatus: this.#responseStatus }),
      ...(this.#requestObject !== undefined && { requestObject: this.#requestObject }),
      ...(this.#responseObject !== undefined && { responseObject: this.#responseObject }),
      requestReceivedTimestamp: microTimeOfMilliseconds(receivedAt),
      stageTimestamp: microTimeOfMilliseconds(at),
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    };
  }
}

function referenceTo(asked: Extract<AccessAttributes, { kind: "resource" }>): AuditObjectReference {
  const { resource, namespace, name, group, version, subresource } = asked;
  return {
    ...(resource && { resource }),
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(group && { apiGroup: group }),
    ...(version && { apiVersion: version }),
    ...(subresource && { subresource }),
  };
}

function printedUser({ username, uid, groups, extra }: UserInfo): UserInfo {
  return {
    ...(username && { username }),
    ...(uid && { uid }),
    ...(groups && groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

function uriOf({ path, query = {} }: DoorRequest): string {
  const parameters = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  return parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
}
