import type { Writable as Output } from "node:stream";
import type { Clock } from "@homeostat/concurrency";
import {
  ApiError,
  type ByteStreamAnswer,
  type DoorAnswer,
  type DoorRequest,
  encodeJsonBytes,
  type RequestDoor,
  RequestDoorError,
} from "@homeostat/object-model";
import { methodNotAllowed } from "../answers/not-found.ts";
import type { Authenticator, Identity } from "../authentication/authenticator.ts";
import { withLife } from "../authentication/credential-life.ts";
import { isImpersonation, readImpersonation } from "../authentication/impersonation-headers.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { Connection } from "./connections.ts";
import type { Deadlines } from "./deadlines.ts";
import type { AnswerHeaders, Exchange } from "./exchange.ts";
import { BodyTimeoutError, IncomingBody } from "./incoming-body.ts";
import type { LargeBodies } from "./large-bodies.ts";
import { headersToPassOn, isPassedOn } from "./pass-on.ts";
import { indent, isForPeople } from "./pretty-json.ts";
import { Query } from "./query.ts";
import { sourceAddresses } from "./source-addresses.ts";
import { warningHeaders } from "./warning-headers.ts";

const GZIP_FROM = 128 * 1024;
/** Bytes of an answer that a client must take in a millisecond, once its patience is over. */
const SLOWEST = 10;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export interface ServeOptions {
  readonly door: RequestDoor;
  readonly authenticator: Authenticator;
  /** For requests that do not get as far as the door. */
  readonly newAuditId: () => string;
  readonly noteUnknown: (request: DoorRequest, refused: ApiError) => void;
  readonly clock: Clock;
  readonly largeBodies: LargeBodies;
  readonly bodyBudget: BodyBudget;
  readonly deadlines: Deadlines;
  readonly limits: ConnectionLimits;
}

/** Carries one exchange through the door and back. Never rejects. */
export async function serveExchange(
  exchange: Exchange,
  options: ServeOptions,
  connection?: Connection,
): Promise<void> {
  const gone = new ClientGone(exchange);
  const body = exchange.hasBody ? new IncomingBody(exchange, options) : undefined;
  try {
    // Before anything is read or kept for it.
    const identity = identify(exchange, options, connection);
    if (!METHODS.has(exchange.method)) throw methodNotAllowed();
    const bytes = body && (await body.read());
    const asked = await ask(exchange, { bytes, gone, identity }, options);
    const answer = withIdentity(asked, identity);
    body?.[Symbol.dispose]();
    const sending = sendAnswer(exchange, answer, options);
    if (sending !== undefined) await sending;
  } catch (error) {
    if (!gone.happened) refuse(exchange, error, options);
  } finally {
    body?.[Symbol.dispose]();
  }
}

/**
 * Who asks. Connections that many requests share are only for clients who say so: others get one
 * request, as kube-apiserver has it, and are not worth opening many streams at once.
 */
export function identify(
  exchange: Exchange,
  { authenticator }: Pick<ServeOptions, "authenticator">,
  connection?: Connection,
): Identity {
  try {
    const identity = authenticator.authenticate(exchange);
    if (isAnonymous(identity)) exchange.endConnection();
    else connection?.know();
    return identity;
  } catch (error) {
    exchange.endConnection();
    throw error;
  }
}

/** What was said to the user about its credentials comes first; what it opened ends with them. */
function withIdentity(answer: DoorAnswer, { life, warnings }: Identity): DoorAnswer {
  const living = life === undefined ? answer : withLife(life, answer);
  if (warnings === undefined || warnings.length === 0) return living;
  const warning = [...warningHeaders(warnings), ...[living.headers["warning"] ?? []].flat()];
  return { ...living, headers: { ...living.headers, warning } };
}

function isAnonymous({ user }: Identity): boolean {
  return (
    user.username === "system:anonymous" || user.groups?.includes("system:unauthenticated") === true
  );
}

/** Whether the client is still there. The signal is made when somebody wants it: most do not. */
export class ClientGone {
  happened = false;
  #controller: AbortController | undefined;

  constructor(exchange: Exchange) {
    exchange.onClose(() => {
      this.happened = true;
      this.#controller?.abort();
    });
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.happened) this.#controller.abort();
    return this.#controller.signal;
  }
}

function ask(exchange: Exchange, parts: RequestParts, options: ServeOptions): Promise<DoorAnswer> {
  const { bytes, gone } = parts;
  const request = toDoorRequest(exchange, parts);
  const isLarge = bytes !== undefined && options.largeBodies.isLarge(bytes);
  return isLarge ? askInTurn(request, gone.signal, options) : options.door.send(request);
}

/** The turn is over with the answer: sending that takes as long as the client likes. */
async function askInTurn(
  request: DoorRequest,
  gone: AbortSignal,
  { door, largeBodies }: ServeOptions,
): Promise<DoorAnswer> {
  await using _turn = await largeBodies.enter(gone);
  return await door.send(request);
}

export interface RequestParts {
  readonly bytes: Uint8Array | undefined;
  readonly gone: ClientGone;
  readonly identity: Identity;
}

/** What is asked, by whom: credentials stay behind. */
export function toDoorRequest(
  exchange: Exchange,
  { bytes, gone, identity }: RequestParts,
): DoorRequest {
  const { target, accept, contentType, userAgent, host, ifNoneMatch } = exchange;
  const impersonate = impersonationOf(exchange.rawHeaders);
  const auditId = auditIdOf(exchange);
  const question = target.indexOf("?");
  const headers: Record<string, string> = { host };
  if (accept !== undefined) headers["accept"] = accept;
  if (contentType !== undefined) headers["content-type"] = contentType;
  if (userAgent !== undefined) headers["user-agent"] = userAgent;
  if (ifNoneMatch !== undefined) headers["if-none-match"] = ifNoneMatch;
  if (auditId !== "") headers["audit-id"] = auditId;
  const passedOn = isPassedOn(target);
  if (passedOn) Object.assign(headers, headersToPassOn(exchange));
  const request: Writable<DoorRequest> = {
    method: exchange.method as DoorRequest["method"],
    path: question < 0 ? target : target.slice(0, question),
    headers,
    user: identity.user,
    want: "bytes",
    sourceAddresses: () => sourceAddresses(exchange),
  };
  if (question >= 0) request.query = Query.parse(target.slice(question + 1)).toRecord();
  if (bytes !== undefined) request.body = { kind: "bytes", bytes };
  if (impersonate !== undefined) request.impersonate = impersonate;
  // Only reads with options wait for anything: watches, and versions that are still to come.
  if (mayWait(exchange, question >= 0) || passedOn) request.signal = gone.signal;
  return request;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The name that the client gives its request; "" for none. */
function auditIdOf({ rawHeaders }: Exchange): string {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 8 && name[5] === "-" && name.toLowerCase() === "audit-id") {
      return rawHeaders[at + 1]!;
    }
  }
  return "";
}

function impersonationOf(rawHeaders: readonly string[]): DoorRequest["impersonate"] {
  let pairs: [string, string][] | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    // "impersonate-" in any case, told from all others by its first letter and the dash.
    if (name[11] !== "-" || (name[0] !== "I" && name[0] !== "i")) continue;
    const lower = name.toLowerCase();
    if (!isImpersonation(lower)) continue;
    // Node gives one character a byte.
    const value = Buffer.from(rawHeaders[at + 1]!, "latin1").toString();
    (pairs ??= []).push([lower, value]);
  }
  return pairs && readImpersonation(pairs);
}

function mayWait({ method, target }: Exchange, hasQuery: boolean): boolean {
  return method === "GET" && (hasQuery || target.includes("/watch/") || target.includes("%"));
}

type SendOptions = Pick<ServeOptions, "clock" | "deadlines" | "limits">;

/** Sends what the door answered; a promise of that only where it takes more than one write. */
export function sendAnswer(
  exchange: Exchange,
  answer: DoorAnswer,
  options: SendOptions,
): Promise<void> | undefined {
  if (answer.kind === "byte-stream") return stream(exchange, answer, options);
  if (answer.kind === "bytes") whole(exchange, answer, options);
  return undefined;
}

function whole(
  exchange: Exchange,
  answer: Extract<DoorAnswer, { kind: "bytes" }>,
  { deadlines, limits }: SendOptions,
): void {
  const { status, bytes } = answer;
  // Nobody is told when it has been taken, but that it is over.
  const patience = limits.answer + bytes.length / SLOWEST;
  const deadline = deadlines.set(patience, () => exchange.destroy());
  exchange.onClose(() => deadline.release());
  const headers = toWire(answer.headers);
  if (exchange.method === "HEAD") {
    exchange.respond(status, { ...headers, "content-length": bytes.length }, bytes.subarray(0, 0));
  } else if (bytes.length > GZIP_FROM && wantsGzip(exchange)) {
    const zip = beginGzip(exchange, answer);
    zip.end(bytes);
  } else exchange.respond(status, headers, bytes);
}

async function stream(
  exchange: Exchange,
  answer: ByteStreamAnswer,
  { clock, deadlines, limits }: SendOptions,
): Promise<void> {
  // A list's first chunk is above the limit for compression; a watch is never compressed.
  const isWatch = answer.openEnded;
  const gzip = !isWatch && wantsGzip(exchange);
  const out = gzip
    ? beginGzip(exchange, answer)
    : exchange.begin(answer.status, toWire(answer.headers));
  if (exchange.method === "HEAD") {
    out.end();
    return;
  }
  try {
    for await (const chunk of answer.chunks) {
      if (out.destroyed) return;
      if (!out.write(chunk)) {
        const deadline = deadlines.set(limits.answer, () => exchange.destroy());
        await drained(out);
        deadline.release();
      } else if (!isWatch) await new Promise<void>((resolve) => clock.endOfTurn(resolve));
    }
    out.end();
  } catch {
    // The head is out, so the only honest end is a broken one.
    exchange.destroy();
  }
}

function beginGzip(exchange: Exchange, answer: DoorAnswer): Output {
  const headers = {
    ...toWire(answer.headers),
    "content-encoding": "gzip",
    vary: "Accept-Encoding",
  };
  // Loaded when the first client asks for it.
  const { constants, createGzip } = process.getBuiltinModule("node:zlib");
  const zip = createGzip({ level: constants.Z_BEST_SPEED });
  // Once nobody takes what it makes, a pipe stands still without an end.
  exchange.onClose(() => zip.destroy());
  zip.pipe(exchange.begin(answer.status, headers));
  return zip;
}

/** Warnings may quote any text and leave as UTF-8, which Node wants as one character a byte. */
function toWire(headers: DoorAnswer["headers"]): AnswerHeaders {
  const { warning } = headers;
  if (warning === undefined) return headers;
  return {
    ...headers,
    warning: [warning].flat().map((text) => Buffer.from(text).toString("latin1")),
  };
}

function wantsGzip({ acceptEncoding }: Exchange): boolean {
  return acceptEncoding?.split(",").some((each) => each.trim() === "gzip") === true;
}

function drained(out: Output): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      out.off("drain", done);
      out.off("close", done);
      resolve();
    };
    out.on("drain", done);
    out.on("close", done);
  });
}

/** What is told of a request that nobody looks into. */
function requestOfUnknown(exchange: Exchange, auditId: string): DoorRequest {
  const [path = "", query = ""] = exchange.target.split("?", 2);
  return {
    method: exchange.method as DoorRequest["method"],
    path,
    query: Query.parse(query).toRecord(),
    headers: { "audit-id": auditId, "user-agent": exchange.userAgent ?? "" },
    want: "bytes",
    sourceAddresses: () => sourceAddresses(exchange),
  };
}

/** Answers with what is wrong. */
export function refuse(
  exchange: Exchange,
  error: unknown,
  { newAuditId, noteUnknown }: Pick<ServeOptions, "newAuditId" | "noteUnknown">,
): void {
  // What it goes on sending would be read without an end.
  if (error instanceof BodyTimeoutError) return exchange.destroy();
  const refused =
    error instanceof ApiError
      ? error
      : error instanceof RequestDoorError
        ? ApiError.serviceUnavailable("the server is stopping")
        : ApiError.internalError(error instanceof Error ? error : new Error(String(error)));
  const auditId = auditIdOf(exchange) || newAuditId();
  const request = requestOfUnknown(exchange, auditId);
  if (refused.httpStatus === 401) noteUnknown(request, refused);
  const json = encodeJsonBytes(refused.toStatus());
  const bytes = isForPeople(request) ? indent(json) : json;
  exchange.respond(
    refused.httpStatus,
    {
      "audit-id": auditId,
      "content-type": "application/json",
      "cache-control": "no-cache, private",
    },
    bytes,
  );
  exchange.input.resume();
}
