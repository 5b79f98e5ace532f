import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import type { AnswerHeaders, Exchange } from "./exchange.ts";

/** One request on an HTTP/1.1 connection. */
export class Http1Exchange implements Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly certificate: Exchange["certificate"];

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    certificate: Exchange["certificate"],
  ) {
    this.#request = request;
    this.#response = response;
    this.certificate = certificate;
    response.on("error", () => undefined);
    request.on("error", () => undefined);
  }

  get method(): string {
    return this.#request.method ?? "GET";
  }

  get target(): string {
    return this.#request.url ?? "/";
  }

  get host(): string {
    return this.#request.headers.host ?? "";
  }

  get accept(): string | undefined {
    return this.#request.headers.accept;
  }

  get contentType(): string | undefined {
    return this.#request.headers["content-type"];
  }

  get userAgent(): string | undefined {
    return this.#request.headers["user-agent"];
  }

  get ifNoneMatch(): string | undefined {
    return this.#request.headers["if-none-match"];
  }

  get acceptEncoding(): string | undefined {
    return this.#request.headers["accept-encoding"];
  }

  get authorization(): string | undefined {
    return this.#request.headers.authorization;
  }

  get webSocketProtocols(): string | undefined {
    const { headers } = this.#request;
    const isWebSocket = headers.upgrade?.toLowerCase() === "websocket";
    return isWebSocket ? headers["sec-websocket-protocol"] : undefined;
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  get remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? "";
  }

  get hasBody(): boolean {
    const { headers } = this.#request;
    if (headers["transfer-encoding"] !== undefined) return true;
    return headers["content-length"] !== undefined && headers["content-length"] !== "0";
  }

  get input(): IncomingMessage {
    return this.#request;
  }

  respond(status: number, headers: AnswerHeaders, body: Uint8Array): void {
    if (this.#response.destroyed) return;
    if (status !== 304) headers["content-length"] ??= body.length;
    this.#response.writeHead(status, headers as OutgoingHttpHeaders);
    this.#response.end(body);
  }

  begin(status: number, headers: AnswerHeaders): Writable {
    this.#response.writeHead(status, headers as OutgoingHttpHeaders);
    this.#response.flushHeaders();
    return this.#response;
  }

  onClose(listener: () => void): void {
    this.#response.once("close", listener);
  }

  endConnection(): void {
    // One after the other: nothing is shared.
  }

  destroy(): void {
    this.#request.destroy();
  }
}
