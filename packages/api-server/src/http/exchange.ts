import type { Writable } from "node:stream";
import type { ClientCertificate } from "../authentication/authenticator.ts";

/** One request and its answer on a socket, the same for HTTP/1.1 and HTTP/2. */
export interface Exchange {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly host: string;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  readonly userAgent: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Secret: for authentication only, never passed on and never logged. */
  readonly authorization: string | undefined;
  /** The protocols of a request that becomes a WebSocket: a token may be among them. */
  readonly webSocketProtocols: string | undefined;
  /** What the certificate of the connection says. */
  readonly certificate: ClientCertificate | "untrusted" | undefined;
  /** Every header as it came, names and values in turns: one given twice is there twice. */
  readonly rawHeaders: readonly string[];
  /** The other end of the connection; "" when it is gone. */
  readonly remoteAddress: string;
  /** Whether a body follows. */
  readonly hasBody: boolean;
  /** Where the body comes from. */
  readonly input: NodeJS.ReadableStream & { resume(): unknown };
  /** Sends everything at once; the length goes along. */
  respond(status: number, headers: AnswerHeaders, body: Uint8Array): void;
  /** Sends the head; the body follows through what is returned. */
  begin(status: number, headers: AnswerHeaders): Writable;
  /** Calls back once when the client is gone or the exchange is over; at once if that was before. */
  onClose(listener: () => void): void;
  /** No further request on this connection, where requests share one. */
  endConnection(): void;
  /** Cuts the connection: what was begun cannot be finished. */
  destroy(): void;
}

export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | number>>;
