import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Writable } from "node:stream";
import type { AnswerHeaders, Exchange } from "./exchange.ts";
import { ExchangeEnd } from "./exchange-end.ts";

export interface Http2Head {
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

/** One stream of an HTTP/2 connection. */
export class Http2Exchange implements Exchange {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  /** Upgrades are HTTP/1.1's. */
  readonly webSocketProtocols: undefined = undefined;
  readonly rawHeaders: readonly string[];
  readonly certificate: Exchange["certificate"];
  readonly #end = new ExchangeEnd();

  constructor(
    stream: ServerHttp2Stream,
    { headers, rawHeaders, certificate }: Http2Head & Pick<Exchange, "certificate">,
  ) {
    this.#stream = stream;
    this.#headers = headers;
    this.rawHeaders = rawHeaders;
    this.certificate = certificate;
    stream.on("error", ignore);
    stream.on("close", () => this.#close());
    stream._destroy = destroyQuietly;
  }

  get method(): string {
    return (this.#headers as Record<string, string>)[":method"] ?? "GET";
  }

  get target(): string {
    return (this.#headers as Record<string, string>)[":path"] ?? "/";
  }

  get host(): string {
    return (this.#headers as Record<string, string>)[":authority"] ?? "";
  }

  get accept(): string | undefined {
    return this.#headers.accept;
  }

  get contentType(): string | undefined {
    return this.#headers["content-type"];
  }

  get userAgent(): string | undefined {
    return this.#headers["user-agent"];
  }

  get ifNoneMatch(): string | undefined {
    return this.#headers["if-none-match"];
  }

  get acceptEncoding(): string | undefined {
    return this.#headers["accept-encoding"];
  }

  get authorization(): string | undefined {
    return this.#headers.authorization;
  }

  get remoteAddress(): string {
    return this.#stream.session?.socket.remoteAddress ?? "";
  }

  get hasBody(): boolean {
    return !this.#stream.endAfterHeaders;
  }

  get input(): ServerHttp2Stream {
    return this.#stream;
  }

  respond(status: number, headers: AnswerHeaders, body: Uint8Array): void {
    if (this.#stream.destroyed || this.#stream.closed) return;
    const { length } = body;
    this.#stream.respond(
      status === 304
        ? { ":status": status, ...headers }
        : { ":status": status, "content-length": length, ...headers },
    );
    this.#stream.end(body);
  }

  begin(status: number, headers: AnswerHeaders): Writable {
    this.#head(status, headers);
    return this.#stream;
  }

  onClose(listener: () => void): void {
    this.#end.tell(listener);
  }

  endConnection(): void {
    this.#stream.session?.close();
  }

  destroy(): void {
    // Without an error the client would take what it has for the whole.
    this.#stream.destroy(new Error("the answer cannot be finished"));
  }

  /**
   * To V8's quick collections, whatever a native handle refers to is alive, closed or not: what hangs on
   * the stream's listeners would be carried along until the next full one.
   */
  #close(): void {
    this.#end.reach();
    for (const event of ["data", "end", "close"]) this.#stream.removeAllListeners(event);
  }

  #head(status: number, headers: AnswerHeaders): void {
    if (this.#stream.destroyed || this.#stream.closed) return;
    this.#stream.respond({ ":status": status, ...headers });
  }
}

/**
 * Node makes an error for every stream that closes before it knows that its last bytes have left, which
 * is every answer with a body, and shows it to nobody. Without a stack it costs next to nothing.
 */
function destroyQuietly(
  this: ServerHttp2Stream,
  error: Error | null,
  callback: (error?: Error | null) => void,
): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    (Object.getPrototypeOf(this) as ServerHttp2Stream)._destroy.call(this, error, callback);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A reset by the client is no error of ours; "close" tells of it. */
function ignore(): void {}
