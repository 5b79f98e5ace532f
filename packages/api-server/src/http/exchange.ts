import type { Writable } from "node:stream";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";

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
  /** Undefined for a client whose certificate is not ours: it is refused. */
  readonly user: UserInfo | undefined;
  /** Whether a body follows. */
  readonly hasBody: boolean;
  /** Where the body comes from. */
  readonly input: NodeJS.ReadableStream & { resume(): unknown };
  /** Sends everything at once. */
  respond(status: number, headers: AnswerHeaders, body: Uint8Array): void;
  /** Sends the head; the body follows through what is returned. */
  begin(status: number, headers: AnswerHeaders): Writable;
  /** Calls back once when the client is gone or the exchange is over. */
  onClose(listener: () => void): void;
  /** Cuts the connection: what was begun cannot be finished. */
  destroy(): void;
}

export type AnswerHeaders = Record<string, string | readonly string[] | number>;
