import { Agent, request } from "node:https";
import type { Target, TargetAnswer, TargetRequest } from "./target.ts";

export interface HttpsTargetOptions {
  readonly name: string;
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  readonly ca: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

/** Any server over HTTPS with a client certificate; HTTP/1.1, so that paths go out as written. */
export class HttpsTarget implements Target {
  readonly name: string;
  readonly #origin: { readonly host: string; readonly port: string };
  readonly #agent: Agent;

  constructor(options: HttpsTargetOptions) {
    this.name = options.name;
    const { hostname, port } = new URL(options.url);
    this.#origin = { host: hostname, port };
    this.#agent = new Agent({
      ca: options.ca,
      cert: options.clientCertificate,
      key: options.clientKey,
      keepAlive: true,
      maxSockets: 200,
    });
  }

  send(wanted: TargetRequest): Promise<TargetAnswer> {
    const { method, path, headers, body, signal } = wanted;
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(body.length) };
      const options = { ...this.#origin, agent: this.#agent, method, path, signal };
      const asked = request({ ...options, headers: { ...headers, ...length } }, (answer) => {
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headersDistinct,
          chunks: answer,
        });
      });
      asked.once("error", (cause: NodeJS.ErrnoException) => {
        // The server closed an idle connection just when it was used again: it has seen nothing.
        if (asked.reusedSocket && cause.code === "ECONNRESET") resolve(this.send(wanted));
        else reject(new Error(`${this.name}: ${method} ${path}: ${cause.message}`, { cause }));
      });
      asked.end(body);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
  }
}
