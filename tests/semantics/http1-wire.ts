import type { IncomingMessage } from "node:http";
import { Agent, request as ask } from "node:https";
import type { Identity, Wire, WireAnswer, WireRequest } from "./wire.ts";

/** HTTP/1.1, as many connections as it takes. */
export class Http1Wire implements Wire {
  readonly #agent: Agent;
  readonly #port: number;

  constructor({ port, authority, certificate, key }: Identity) {
    this.#port = port;
    this.#agent = new Agent({
      ca: authority,
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(key === undefined ? {} : { key }),
      keepAlive: true,
      maxCachedSessions: 0,
    });
  }

  send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(body.length) };
      const target = { host: "127.0.0.1", port: this.#port, agent: this.#agent, method, path };
      const asked = ask({ ...target, headers: { ...headers, ...length } }, (answer) => {
        let stopped = false;
        const stop = (): void => {
          stopped = true;
          answer.destroy();
        };
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          chunks: unlessStopped(answer, () => stopped),
          stop,
          stopped: () => stopped,
        });
      });
      asked.once("error", reject);
      asked.end(body);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
  }
}

/** The end that the reader itself asked for is an ordinary one. */
async function* unlessStopped(
  answer: IncomingMessage,
  isStopped: () => boolean,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of answer) yield chunk as Uint8Array;
  } catch (error) {
    if (!isStopped()) throw error;
  }
}
