import type { Writable } from "node:stream";
import type { Clock } from "@homeostat/concurrency";
import {
  ApiError,
  type ByteStreamAnswer,
  type DoorAnswer,
  type DoorBody,
  type DoorRequest,
  encodeJsonBytes,
  type RequestDoor,
  RequestDoorError,
} from "@homeostat/object-model";
import { methodNotAllowed } from "../answers/not-found.ts";
import { MAX_BODY_BYTES, tooLarge } from "../verbs/request-body.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { AnswerHeaders, Exchange } from "./exchange.ts";
import type { LargeBodies } from "./large-bodies.ts";
import { Query } from "./query.ts";

const GZIP_FROM = 128 * 1024;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export interface ServeOptions {
  readonly door: RequestDoor;
  readonly clock: Clock;
  readonly largeBodies: LargeBodies;
  readonly bodyBudget: BodyBudget;
}

/** Carries one exchange through the door and back. Never rejects. */
export async function serveExchange(exchange: Exchange, options: ServeOptions): Promise<void> {
  const gone = new ClientGone(exchange);
  using body = new IncomingBody(exchange, options.bodyBudget);
  try {
    if (exchange.user === undefined) throw ApiError.unauthorized("Unauthorized");
    if (!METHODS.has(exchange.method)) throw methodNotAllowed();
    const bytes = exchange.hasBody ? await body.read() : undefined;
    const answer = await ask(exchange, { bytes, gone }, options);
    body[Symbol.dispose]();
    if (answer.kind === "byte-stream") await stream(exchange, answer, options.clock);
    else if (answer.kind === "bytes") whole(exchange, answer);
  } catch (error) {
    if (!gone.happened) refuse(exchange, error);
  }
}

/** Whether the client is still there. The signal is made when somebody wants it: most do not. */
class ClientGone {
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

/** A large body's turn is over with the answer: sending that takes as long as the client likes. */
async function ask(
  exchange: Exchange,
  { bytes, gone }: { bytes: Uint8Array | undefined; gone: ClientGone },
  { door, largeBodies }: ServeOptions,
): Promise<DoorAnswer> {
  const request = toDoorRequest(exchange, { bytes, gone });
  if (bytes === undefined || !largeBodies.isLarge(bytes)) return door.send(request);
  await using _turn = await largeBodies.enter(gone.signal);
  return await door.send(request);
}

function toDoorRequest(
  exchange: Exchange,
  { bytes, gone }: { bytes: Uint8Array | undefined; gone: ClientGone },
): DoorRequest {
  const { target, accept, contentType, userAgent, host, user } = exchange;
  const question = target.indexOf("?");
  const headers: Record<string, string> = { host };
  if (accept !== undefined) headers["accept"] = accept;
  if (contentType !== undefined) headers["content-type"] = contentType;
  if (userAgent !== undefined) headers["user-agent"] = userAgent;
  const body: DoorBody | undefined = bytes && { kind: "bytes", bytes };
  return {
    method: exchange.method as DoorRequest["method"],
    path: question < 0 ? target : target.slice(0, question),
    ...(question < 0 ? {} : { query: Query.parse(target.slice(question + 1)).toRecord() }),
    headers,
    ...(body === undefined ? {} : { body }),
    user: user!,
    want: "bytes",
    // Only reads with options wait for anything: watches, and versions that are still to come.
    ...(mayWait(exchange, question >= 0) ? { signal: gone.signal } : {}),
  };
}

function mayWait({ method, target }: Exchange, hasQuery: boolean): boolean {
  return method === "GET" && (hasQuery || target.includes("/watch/") || target.includes("%"));
}

/** A body on its way in, counted until its request has been answered. */
class IncomingBody implements Disposable {
  readonly #exchange: Exchange;
  readonly #budget: BodyBudget;
  #taken = 0;

  constructor(exchange: Exchange, budget: BodyBudget) {
    this.#exchange = exchange;
    this.#budget = budget;
  }

  /** The whole body; more than a limit is refused as soon as it is seen. */
  read(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let refused = false;
      const { input } = this.#exchange;
      input.on("data", (chunk: Buffer) => {
        if (refused) return;
        try {
          this.#take(chunk.length);
          chunks.push(chunk);
        } catch (error) {
          refused = true;
          chunks.length = 0;
          reject(error);
        }
      });
      input.on("end", () =>
        resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.#taken)),
      );
      input.on("error", reject);
      this.#exchange.onClose(() => reject(new Error("the client went away")));
    });
  }

  #take(bytes: number): void {
    if (this.#taken + bytes > MAX_BODY_BYTES) throw tooLarge();
    this.#budget.take(bytes);
    this.#taken += bytes;
  }

  [Symbol.dispose](): void {
    this.#budget.release(this.#taken);
    this.#taken = 0;
  }
}

function whole(exchange: Exchange, answer: Extract<DoorAnswer, { kind: "bytes" }>): void {
  const { status, bytes } = answer;
  const headers = toWire(answer.headers);
  if (exchange.method === "HEAD") {
    exchange.respond(status, { ...headers, "content-length": bytes.length }, bytes.subarray(0, 0));
  } else if (bytes.length > GZIP_FROM && wantsGzip(exchange)) {
    const zip = beginGzip(exchange, answer);
    zip.end(bytes);
  } else exchange.respond(status, headers, bytes);
}

async function stream(exchange: Exchange, answer: ByteStreamAnswer, clock: Clock): Promise<void> {
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
      if (!out.write(chunk)) await drained(out);
      else if (!isWatch) await new Promise<void>((resolve) => clock.endOfTurn(resolve));
    }
    out.end();
  } catch {
    // The head is out, so the only honest end is a broken one.
    exchange.destroy();
  }
}

function beginGzip(exchange: Exchange, answer: DoorAnswer): Writable {
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

/** A copy. Warnings may quote any text and leave as UTF-8, which Node wants as one character a byte. */
function toWire(headers: DoorAnswer["headers"]): AnswerHeaders {
  const { warning } = headers;
  if (warning === undefined) return { ...headers };
  return {
    ...headers,
    warning: [warning].flat().map((text) => Buffer.from(text).toString("latin1")),
  };
}

function wantsGzip({ acceptEncoding }: Exchange): boolean {
  return acceptEncoding?.split(",").some((each) => each.trim() === "gzip") === true;
}

function drained(out: Writable): Promise<void> {
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

function refuse(exchange: Exchange, error: unknown): void {
  const refused =
    error instanceof ApiError
      ? error
      : error instanceof RequestDoorError
        ? ApiError.serviceUnavailable("the server is stopping")
        : ApiError.internalError(error instanceof Error ? error : new Error(String(error)));
  const bytes = encodeJsonBytes(refused.toStatus());
  exchange.respond(
    refused.httpStatus,
    { "content-type": "application/json", "cache-control": "no-cache, private" },
    bytes,
  );
  exchange.input.resume();
}
