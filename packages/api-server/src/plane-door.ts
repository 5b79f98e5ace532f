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
import { withLife } from "./authentication/credential-life.ts";
import { Impersonator } from "./authentication/impersonation.ts";
import { isImpersonation, readImpersonation } from "./authentication/impersonation-headers.ts";
import { attributesOf } from "./authorization/attributes-of.ts";
import { forbidden } from "./authorization/forbidden.ts";
import { lastingRight } from "./authorization/lasting-right.ts";
import type { MemoryLimit } from "./filters/memory-limit.ts";
import { toDoorAnswer } from "./http/door-answer.ts";
import { mediaOfRefusals, negotiateMedia } from "./http/negotiation.ts";
import { Query } from "./http/query.ts";
import { parsePath } from "./http/request-info.ts";
import type { NodeUpgrade } from "./kubelet/node-connector.ts";
import { openPassage } from "./kubelet/open-passage.ts";
import { PathRouter } from "./path-router.ts";
import type { Plane } from "./registry/plane.ts";
import type { Registry } from "./registry/registry.ts";
import { ResourceRouter } from "./resource-router.ts";
import { RequestBody } from "./verbs/request-body.ts";

/** What becomes of a request for another protocol. */
export type ConnectAnswer =
  | { readonly kind: "upgrade"; readonly upgrade: NodeUpgrade }
  | { readonly kind: "refused"; readonly answer: DoorAnswer };

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

  constructor(
    plane: Plane,
    { registry, memory }: { readonly registry: Registry; readonly memory: MemoryLimit | undefined },
  ) {
    this.#plane = plane;
    this.#memory = memory;
    this.#resources = new ResourceRouter(plane, registry);
    this.#paths = new PathRouter(plane);
    this.#impersonator = new Impersonator(plane.authorizer);
  }

  send(request: DoorRequest): Promise<DoorAnswer> {
    return this.#serve(request, (answer) => answer);
  }

  /** Like send, for a caller whose connection is to become another protocol, if that is granted. */
  async connect(request: DoorRequest): Promise<ConnectAnswer> {
    let upgrade: NodeUpgrade | undefined;
    const answer = await this.#serve(request, async (made) => {
      if (made.payload.kind !== "passage") return made;
      const opened = await openPassage(this.#plane.nodes.connector, made.payload.to, request);
      if (opened.kind === "refused") return opened.answer;
      upgrade = opened.upgrade;
      return { status: 101, payload: { kind: "bytes", contentType: "", bytes: new Uint8Array() } };
    });
    return upgrade === undefined ? { kind: "refused", answer } : { kind: "upgrade", upgrade };
  }

  async #serve(
    request: DoorRequest,
    pass: (answer: Answer) => Answer | Promise<Answer>,
  ): Promise<DoorAnswer> {
    if (this.#closed) throw new RequestDoorError("the control plane is closed");
    request.signal?.throwIfAborted();
    let media = mediaOfRefusals(request.headers?.["accept"]);
    const warnings: string[] = [];
    try {
      // Whoever names the user has made sure of it, and follows what it was made sure by.
      const identity =
        request.user === undefined
          ? this.#plane.authenticator.authenticate({
              authorization: request.headers?.["authorization"],
            })
          : { user: request.user };
      if (identity.warnings !== undefined) warnings.push(...identity.warnings);
      const answer = await pass(await this.#answer({ ...request, user: identity.user }, warnings));
      // A watch that was beginning when the plane closed.
      if (this.#closed) this.#resources.endWatches();
      const { kind } = answer.payload;
      if (kind === "object" || kind === "list" || kind === "watch") {
        media = answer.media ?? negotiateMedia(request.headers?.["accept"]);
      }
      const made = await toDoorAnswer(answer, { request, media, warnings, breathe: this.#breathe });
      return identity.life === undefined ? made : withLife(identity.life, made);
    } catch (error) {
      request.signal?.throwIfAborted();
      return toDoorAnswer(refusal(error), { request, media, warnings, breathe: this.#breathe });
    }
  }

  close(): void {
    this.#closed = true;
    this.#resources.endWatches();
  }

  #answer(request: DoorRequest & { user: UserInfo }, warnings: string[]): Answer | Promise<Answer> {
    const info = parsePath(request.path);
    if (info.kind === "malformed") return badRequest();
    const query = Query.of(request.query);
    const { authorizer } = this.#plane;
    const asked = attributesOf(info, request.method, query);
    const wanted = request.impersonate ?? impersonationOf(request);
    const user =
      wanted === undefined
        ? request.user
        : this.#impersonator.impersonate(request.user, wanted, asked);
    const { allowed, reason } = authorizer.authorize(user, asked);
    if (!allowed) throw forbidden(user, asked, reason);
    if (info.kind === "path") return this.#paths.answer(info.path, request, query);
    if (GROWING.has(request.method)) this.#memory?.admitGrowth();
    const { headers, body } = request;
    return this.#resources.answer(info, {
      method: request.method,
      query,
      asked: request,
      user,
      right: asked.verb === "watch" ? lastingRight(authorizer, user, asked) : undefined,
      userAgent: headers?.["user-agent"] ?? "",
      warnings,
      signal: request.signal,
      accept: headers?.["accept"],
      body: new RequestBody(
        headers?.["content-type"] ?? "",
        body === undefined ? undefined : body.kind === "bytes" ? body.bytes : { value: body.value },
        this.#plane.clock,
      ),
    });
  }
}

/** Headers are few, and few of them are these. */
function impersonationOf({ headers = {} }: DoorRequest): UserInfo | undefined {
  for (const name in headers) {
    if (isImpersonation(name)) return readImpersonation(Object.entries(headers));
  }
  return undefined;
}

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

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreClosedError)
    return ApiError.serviceUnavailable("the server is stopping");
  return ApiError.internalError(error instanceof Error ? error : new Error(String(error)));
}

/** The methods that may add to what is stored. */
const GROWING: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
