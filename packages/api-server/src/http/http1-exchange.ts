import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import type { AnswerHeaders, Exchange } from "./exchange.ts";
import { ExchangeEnd } from "./exchange-end.ts";

/**
 * Up to here a body is sent as text, which Node puts behind the head into one write: that is cheaper
 * than to have both gathered, as long as the copy is small.
 */
const SENT_AS_TEXT = 8 * 1024;

/** One request on an HTTP/1.1 connection. */
export class Http1Exchange implements Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly certificate: Exchange["certificate"];
  readonly #end = new ExchangeEnd();

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    certificate: Exchange["certificate"],
  ) {
    this.#request = request;
    this.#response = response;
    this.certificate = certificate;
    response.on("error", ignore);
    request.on("error", ignore);
    response.on("close", this.#end.reach);
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
    const head = lines(headers);
    if (status !== 304 && headers["content-length"] === undefined) {
      head.push("content-length", body.length);
    }
    this.#response.writeHead(status, head);
    if (body.length === 0 || body.length > SENT_AS_TEXT) this.#response.end(body);
    else this.#response.end(byteText(body), "latin1");
  }

  begin(status: number, headers: AnswerHeaders): Writable {
    this.#response.writeHead(status, lines(headers));
    this.#response.flushHeaders();
    return this.#response;
  }

  onClose(listener: () => void): void {
    this.#end.tell(listener);
  }

  endConnection(): void {
    // One after the other: nothing is shared.
  }

  destroy(): void {
    this.#request.destroy();
  }
}

/** A client that leaves is no error of ours; "close" tells of it. */
function ignore(): void {}

/** Names and values in turns, as Node takes them without another copy. */
function lines(headers: AnswerHeaders): OutgoingHttpHeader[] {
  const head: OutgoingHttpHeader[] = [];
  for (const name in headers) head.push(name, headers[name] as OutgoingHttpHeader);
  return head;
}

/** One character a byte. */
function byteText(bytes: Uint8Array): string {
  const { buffer, byteOffset, length } = bytes;
  return (Buffer.isBuffer(bytes) ? bytes : Buffer.from(buffer, byteOffset, length)).toString(
    "latin1",
  );
}
