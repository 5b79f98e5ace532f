import {
  ApiError,
  type DoorAnswer,
  type DoorRequest,
  type RequestDoor,
  RequestDoorError,
} from "@homeostat/object-model";
import { StoreClosedError } from "@homeostat/store";
import type { Answer } from "./answers/answer.ts";
import { valuePayload } from "./answers/object-payload.ts";
import { ANONYMOUS, forbid, isAuthorized } from "./filters/authorize.ts";
import type { MemoryLimit } from "./filters/memory-limit.ts";
import { toDoorAnswer } from "./http/door-answer.ts";
import { type MediaType, negotiate } from "./http/negotiation.ts";
import { Query } from "./http/query.ts";
import { parsePath, type RequestInfo } from "./http/request-info.ts";
import { PathRouter } from "./path-router.ts";
import type { Plane } from "./registry/plane.ts";
import type { Registry } from "./registry/registry.ts";
import { ResourceRouter } from "./resource-router.ts";
import { RequestBody } from "./verbs/request-body.ts";

/** The one way in. Everything that can go wrong becomes an answer; nothing here throws at callers. */
export class PlaneDoor implements RequestDoor {
  readonly #resources: ResourceRouter;
  readonly #paths: PathRouter;
  #closed = false;

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
  }

  async send(request: DoorRequest): Promise<DoorAnswer> {
    if (this.#closed) throw new RequestDoorError("the control plane is closed");
    request.signal?.throwIfAborted();
    let media = mediaOfRefusals(request.headers?.["accept"]);
    const warnings: string[] = [];
    try {
      const answer = await this.#answer(request, warnings);
      // A watch that was beginning when the plane closed.
      if (this.#closed) this.#resources.endWatches();
      if (answer.payload.kind !== "text") media = negotiate(request.headers?.["accept"], "object");
      return await toDoorAnswer(answer, { request, media, warnings });
    } catch (error) {
      request.signal?.throwIfAborted();
      return toDoorAnswer(refusal(error), { request, media, warnings });
    }
  }

  close(): void {
    this.#closed = true;
    this.#resources.endWatches();
  }

  #answer(request: DoorRequest, warnings: string[]): Answer | Promise<Answer> {
    const info = parsePath(request.path);
    if (info.kind === "malformed") return badRequest();
    const query = Query.of(request.query);
    const user = request.user ?? ANONYMOUS;
    if (!isAuthorized(user, info)) throw forbid(user, info, verbOf(request, info, query));
    if (info.kind === "path") return this.#paths.answer(info.path, request, query);
    if (GROWING.has(request.method)) this.#memory?.admitGrowth();
    const { headers, body } = request;
    return this.#resources.answer(info, {
      method: request.method,
      query,
      user,
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

function mediaOfRefusals(accept: string | undefined): MediaType {
  try {
    return negotiate(accept, "object");
  } catch {
    return "application/json";
  }
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

const VERBS: Readonly<Record<string, string>> = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** The verb as authorization names it. */
function verbOf({ method }: DoorRequest, info: RequestInfo, query: Query): string {
  if (info.kind !== "resource") return method.toLowerCase();
  if (method === "DELETE" && info.name === "") return "deletecollection";
  if (method !== "GET" && method !== "HEAD") return VERBS[method] ?? method.toLowerCase();
  if (query.flag("watch") === true || info.legacyWatch) return "watch";
  return info.name === "" ? "list" : "get";
}
