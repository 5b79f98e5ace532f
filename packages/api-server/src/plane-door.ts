import {
  ApiError,
  type DoorAnswer,
  type DoorRequest,
  type RequestDoor,
  RequestDoorError,
} from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import { StoreClosedError } from "@homeostat/store";
import type { Answer } from "./answers/answer.ts";
import { valuePayload } from "./answers/object-payload.ts";
import { AuditedBody } from "./audit/audited-body.ts";
import type { Identity } from "./authentication/authenticator.ts";
import { withLife } from "./authentication/credential-life.ts";
import { Impersonator } from "./authentication/impersonation.ts";
import { isImpersonation, readImpersonation } from "./authentication/impersonation-headers.ts";
import { attributesOf } from "./authorization/attributes-of.ts";
import type { AccessAttributes } from "./authorization/authorizer.ts";
import { forbidden } from "./authorization/forbidden.ts";
import { lastingRight } from "./authorization/lasting-right.ts";
import type { MemoryLimit } from "./filters/memory-limit.ts";
import { RequestTimeoutError } from "./filters/request-deadline.ts";
import { type FilterParts, RequestLife } from "./filters/request-life.ts";
import { TooManyRequestsError } from "./flow-control/too-many-requests.ts";
import { toDoorAnswer } from "./http/door-answer.ts";
import { type MediaType, mediaOfRefusals, negotiateMedia } from "./http/negotiation.ts";
import { Query } from "./http/query.ts";
import { parsePath, type RequestInfo } from "./http/request-info.ts";
import type { NodeUpgrade } from "./kubelet/node-connector.ts";
import { openPassage } from "./kubelet/open-passage.ts";
import type { PathRoute } from "./path-route.ts";
import { PathRouter } from "./path-router.ts";
import type { Plane } from "./registry/plane.ts";
import type { Registry } from "./registry/registry.ts";
import { ResourceRouter } from "./resource-router.ts";
import { RequestBody } from "./verbs/request-body.ts";

/** What becomes of a request for another protocol. */
export type ConnectAnswer =
  | { readonly kind: "upgrade"; readonly upgrade: NodeUpgrade }
  | { readonly kind: "refused"; readonly answer: DoorAnswer };

export interface DoorParts {
  readonly registry: Registry;
  readonly memory: MemoryLimit | undefined;
  readonly filters: FilterParts;
  /** Beside those that the plane has by itself. */
  readonly routes: readonly PathRoute[];
}

/** The one way in. Everything that can go wrong becomes an answer; nothing here throws at callers. */
export class PlaneDoor implements RequestDoor {
  readonly #resources: ResourceRouter;
  readonly #paths: PathRouter;
  readonly #impersonator: Impersonator;
  #closed = false;
  readonly #breathe = (): Promise<void> =>
    new Promise((resolve) => this.#plane.clock.endOfTurn(resolve));

  readonly #plane: Plane;
  readonly #memory: MemoryLimit | undefined;
  readonly #filters: FilterParts;

  constructor(plane: Plane, { registry, memory, filters, routes }: DoorParts) {
    this.#plane = plane;
    this.#memory = memory;
    this.#filters = filters;
    this.#resources = new ResourceRouter(plane, registry);
    this.#paths = new PathRouter(plane, routes);
    this.#impersonator = new Impersonator(plane.authorizer);
  }

  send(request: DoorRequest): Promise<DoorAnswer> {
    return this.#serve(request, (answer) => answer);
  }

  /** Like send, for a caller whose connection is to become another protocol, if that is granted. */
  async connect(request: DoorRequest): Promise<ConnectAnswer> {
    let upgrade: NodeUpgrade | undefined;
    const answer = await this.#serve(request, async (made, life) => {
      if (made.payload.kind !== "passage") return made;
      const opened = await openPassage(this.#plane.nodes.connector, made.payload.to, request);
      if (opened.kind === "refused") return opened.answer;
      upgrade = opened.upgrade;
      upgrade.stream.once("close", life.goOn());
      return { status: 101, payload: { kind: "bytes", contentType: "", bytes: new Uint8Array() } };
    });
    return upgrade === undefined ? { kind: "refused", answer } : { kind: "upgrade", upgrade };
  }

  async #serve(
    request: DoorRequest,
    pass: (answer: Answer, life: RequestLife) => Answer | Promise<Answer>,
  ): Promise<DoorAnswer> {
    if (this.#closed) throw new RequestDoorError("the control plane is closed");
    request.signal?.throwIfAborted();
    const breathe = this.#breathe;
    const warnings: string[] = [];
    const accept = request.headers?.["accept"];
    let media: MediaType | undefined;
    const info = parsePath(request.path);
    if (info.kind === "malformed") {
      return toDoorAnswer(badRequest(), { request, media: ANY_MEDIA, warnings, breathe });
    }
    const query = Query.of(request.query);
    const asked = attributesOf(info, request.method, query);
    const life = new RequestLife(this.#filters, { request, asked, query });
    try {
      life.setDeadline();
      const identity = this.#identify(request);
      if (identity.warnings !== undefined) warnings.push(...identity.warnings);
      life.beginAudit(identity.user);
      const user = this.#actingUser(identity.user, { request, asked, life });
      const seated = life.takeSeat(user);
      if (seated !== undefined) await seated;
      this.#authorize(user, { request, asked, life });
      if (info.kind === "path" || !info.isBeyond) life.isLetIn();
      const answering = this.#answer({ info, request, asked, query, user, warnings, life });
      const given = answering instanceof Promise ? await life.inTime(answering) : answering;
      const passing = pass(given, life);
      const answer = life.follow(passing instanceof Promise ? await passing : passing);
      // A watch that was beginning when the plane closed.
      if (this.#closed) this.#resources.endWatches();
      const { kind } = answer.payload;
      if (kind === "object" || kind === "list" || kind === "watch") {
        media = answer.media ?? negotiateMedia(accept);
      }
      const { headers, onLine } = life;
      const form = { request, media: media ?? ANY_MEDIA, warnings, breathe, headers, onLine };
      const forming = toDoorAnswer(answer, form);
      const formed = forming instanceof Promise ? await forming : forming;
      const made = life.answered(formed, answer);
      return identity.life === undefined ? made : withLife(identity.life, made);
    } catch (error) {
      if (request.signal?.aborted === true) {
        life.abandon();
        request.signal.throwIfAborted();
      }
      life.refuse(error);
      const answer = refusal(error);
      if (isUnexpected(error)) life.audit?.hasFailed(error);
      const { headers } = life;
      media ??= mediaOfRefusals(accept);
      const made = await toDoorAnswer(answer, { request, media, warnings, breathe, headers });
      return life.answered(made, answer);
    }
  }

  /** A request that was refused on its way here, as nobody knew whose it is. */
  noteUnknown(request: DoorRequest, refused: ApiError): void {
    this.#plane.figures.access.isUnknown();
    const info = this.#filters.audit === undefined ? undefined : parsePath(request.path);
    if (info === undefined || info.kind === "malformed") return;
    const query = Query.of(request.query);
    const asked = attributesOf(info, request.method, query);
    new RequestLife(this.#filters, { request, asked, query }).refuse(refused);
  }

  close(): void {
    this.#closed = true;
    this.#resources.endWatches();
  }

  /** Whoever names the user has made sure of it, and follows what it was made sure by. */
  #identify(request: DoorRequest): Identity {
    const { authenticator, figures } = this.#plane;
    const authorization = request.headers?.["authorization"];
    try {
      const identity =
        request.user === undefined
          ? authenticator.authenticate({ authorization })
          : { user: request.user };
      figures.access.isKnown(identity.user.username ?? "");
      return identity;
    } catch (error) {
      figures.access.isUnknown();
      throw error;
    }
  }

  /** The user to go on with. Throws the refusal. */
  #actingUser(requestor: UserInfo, { request, asked, life }: RequestParts): UserInfo {
    const wanted = request.impersonate ?? impersonationOf(request);
    if (wanted === undefined) return requestor;
    const user = this.#impersonator.impersonate(requestor, wanted, asked);
    life.audit?.actsAs(user, this.#impersonator.constraintOf(requestor));
    return user;
  }

  #authorize(user: UserInfo, { asked, life }: RequestParts): void {
    const { allowed, reason } = this.#plane.authorizer.authorize(user, asked);
    life.audit?.annotate("authorization.k8s.io/decision", allowed ? "allow" : "forbid");
    life.audit?.annotate("authorization.k8s.io/reason", reason);
    const { access } = this.#plane.figures;
    if (!allowed) {
      access.isRefused();
      throw forbidden(user, asked, reason);
    }
    access.isAllowed();
  }

  #answer(parts: Asked): Answer | Promise<Answer> {
    const { info, request, asked, query, user, warnings, life } = parts;
    if (info.kind === "path" || info.isBeyond) return this.#paths.answer(request, query);
    if (GROWING.has(request.method)) this.#memory?.admitGrowth();
    const { headers } = request;
    const { authorizer } = this.#plane;
    return this.#resources.answer(info, {
      method: request.method,
      query,
      asked: request,
      user,
      right: asked.verb === "watch" ? lastingRight(authorizer, user, asked) : undefined,
      userAgent: headers?.["user-agent"] ?? "",
      warnings,
      signal: request.signal,
      deadline: life.deadline,
      accept: headers?.["accept"],
      body: this.#bodyOf(request, life),
      ...(life.audit === undefined ? {} : { audit: life.audit }),
    });
  }

  #bodyOf({ headers, body }: DoorRequest, { audit }: RequestLife): RequestBody {
    const type = headers?.["content-type"] ?? "";
    const content =
      body === undefined ? undefined : body.kind === "bytes" ? body.bytes : { value: body.value };
    const { clock } = this.#plane;
    if (audit === undefined) return new RequestBody(type, content, clock);
    return new AuditedBody([type, content, clock], audit);
  }
}

interface RequestParts {
  readonly request: DoorRequest;
  readonly asked: AccessAttributes;
  readonly life: RequestLife;
}

/** A request that has been let in, and what is known of it by then. */
interface Asked extends RequestParts {
  readonly info: Exclude<RequestInfo, { kind: "malformed" }>;
  readonly query: Query;
  readonly user: UserInfo;
  readonly warnings: string[];
}

/** Headers are few, and few of them are these. */
function impersonationOf({ headers = {} }: DoorRequest): UserInfo | undefined {
  for (const name in headers) {
    if (isImpersonation(name)) return readImpersonation(Object.entries(headers));
  }
  return undefined;
}

/** Of what has a media type of its own. */
const ANY_MEDIA: MediaType = "application/json";

/** What HTTP servers say before any API is reached. */
function badRequest(): Answer {
  const payload = {
    kind: "text",
    contentType: "text/plain; charset=utf-8",
    text: "400 Bad Request",
  } as const;
  return { status: 400, headers: { "cache-control": "" }, payload };
}

function refusal(error: unknown): Answer {
  if (error instanceof TooManyRequestsError || error instanceof RequestTimeoutError) {
    return error.toAnswer();
  }
  const refused = asApiError(error);
  const { retryAfterSeconds } = refused;
  return {
    status: refused.httpStatus,
    ...(retryAfterSeconds === undefined
      ? {}
      : { headers: { "retry-after": String(retryAfterSeconds) } }),
    payload: valuePayload(refused.toStatus()),
  };
}

/** What no part of the server means to answer with. */
function isUnexpected(error: unknown): boolean {
  return !(
    error instanceof ApiError ||
    error instanceof StoreClosedError ||
    error instanceof TooManyRequestsError ||
    error instanceof RequestTimeoutError
  );
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreClosedError)
    return ApiError.serviceUnavailable("the server is stopping");
  // Objects are worked on by recursion, before anything is written.
  if (error instanceof RangeError && error.message.includes("call stack"))
    return ApiError.badRequest("the object is nested too deeply");
  return ApiError.internalError(error instanceof Error ? error : new Error(String(error)));
}

/** The methods that may add to what is stored. */
const GROWING: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
