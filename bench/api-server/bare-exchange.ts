// The two ways in which a request reaches the bare handler, made one.
import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  Http2ServerRequest,
  Http2ServerResponse,
  IncomingHttpHeaders,
  ServerHttp2Stream,
} from "node:http2";
import type { Writable } from "node:stream";

export interface BareRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  body(): Promise<Buffer>;
}

export interface BareAnswer {
  readonly status: number;
  /** The whole body, or pieces of it in order. */
  readonly body?: Buffer | Iterable<Buffer>;
  /** Called with a stream that stays open; what it answers is called when the stream closes. */
  readonly follow?: (write: (event: Buffer) => void) => () => void;
}

type Handle = (request: BareRequest) => Promise<BareAnswer>;

/** Given what an HTTP/2 server says it is; over HTTP/1.1 it is the ordinary pair. */
export function serveHttp1(
  handle: Handle,
): (request: Http2ServerRequest, response: Http2ServerResponse) => void {
  return (request, response) => {
    const asked = { method: request.method, target: request.url, body: () => readAll(request) };
    const out = response as unknown as ServerResponse;
    void handle(asked).then((answer) => {
      const length = Buffer.isBuffer(answer.body) ? { "content-length": answer.body.length } : {};
      out.writeHead(answer.status, { "content-type": "application/json", ...length });
      if (answer.follow !== undefined) out.flushHeaders();
      return send(out, answer);
    }, forget);
  };
}

export function serveHttp2(
  handle: Handle,
): (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void {
  return (stream, headers) => {
    stream.on("error", () => undefined);
    const asked = {
      method: headers[":method"] as string,
      target: headers[":path"] as string,
      body: () => readAll(stream),
    };
    void handle(asked).then((answer) => {
      if (stream.destroyed) return;
      stream.respond({ ":status": answer.status, "content-type": "application/json" });
      return send(stream, answer);
    }, forget);
  };
}

/** A client that left in the middle of its request wants no answer. */
function forget(): void {}

async function send(out: Writable, { body, follow }: BareAnswer): Promise<void> {
  if (follow !== undefined) {
    const unfollow = follow((event) => void out.write(event));
    out.once("close", unfollow);
    return;
  }
  if (body === undefined || Buffer.isBuffer(body)) {
    out.end(body);
    return;
  }
  for (const piece of body) {
    if (out.destroyed) return;
    if (!out.write(piece)) await drained(out);
  }
  out.end();
}

/** Until there is room again, or nobody to write to. */
function drained(out: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    out.off("drain", done).off("close", done);
    resolve();
  };
  out.once("drain", done).once("close", done);
  return promise;
}

function readAll(input: IncomingMessage | Http2ServerRequest | ServerHttp2Stream): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  input.on("data", (piece: Buffer) => pieces.push(piece));
  input.once("end", () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)));
  input.once("error", reject);
  return promise;
}
