/** A small client of any API server: JSON over HTTPS with a client certificate; no cache, no types. */
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";

/** Where an API server is, and who asks. PEM. */
export interface ApiAccess {
  readonly url: string;
  readonly authority: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
}

export interface ApiObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

export interface ApiEvent {
  readonly type: string;
  readonly object: ApiObject;
}

interface Sending {
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The server refused. */
export class ApiRefusal extends Error {
  override readonly name: string = "ApiRefusal";
  readonly code = "api-refusal";
  readonly status: number;

  constructor(asked: string, { status, text: shown }: ApiAnswer) {
    super(`${asked}: ${status} ${shown.slice(0, 500)}`);
    this.status = status;
  }
}

export class ApiClient implements Disposable {
  readonly #access: ApiAccess;
  readonly #agent: Agent;

  constructor(access: ApiAccess) {
    this.#access = access;
    const { authority, certificate, key } = access;
    this.#agent = new Agent({
      keepAlive: true,
      ca: authority,
      ...(certificate === undefined ? {} : { cert: certificate, key }),
    });
  }

  /** Of a kubeconfig with one cluster and one user, whose certificates are in it. */
  static accessOf(kubeconfig: string): ApiAccess {
    const field = (name: string): string => {
      const found = new RegExp(`"?${name}"?:\\s*"?([^\\s",}]+)`).exec(kubeconfig);
      if (found === null) throw new Error(`the kubeconfig has no ${name}`);
      return found[1]!;
    };
    const pem = (name: string): string => Buffer.from(field(name), "base64").toString();
    return {
      url: field("server"),
      authority: pem("certificate-authority-data"),
      certificate: pem("client-certificate-data"),
      key: pem("client-key-data"),
    };
  }

  /** Throws ApiRefusal for what is no success. */
  async ask(method: string, path: string, sending: Sending = {}): Promise<ApiObject> {
    const answer = await this.send(method, path, sending);
    if (answer.status >= 300) throw new ApiRefusal(`${method} ${path}`, answer);
    return JSON.parse(answer.text) as ApiObject;
  }

  async send(method: string, path: string, sending: Sending = {}): Promise<ApiAnswer> {
    const response = await this.open(method, path, sending);
    const { statusCode = 0, headers } = response;
    return { status: statusCode, headers, text: await text(response) };
  }

  open(method: string, path: string, sending: Sending = {}): Promise<IncomingMessage> {
    const { body, type = "application/json", headers = {}, signal } = sending;
    const { token } = this.#access;
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#access.url), {
        method,
        agent: this.#agent,
        headers: {
          accept: "application/json",
          // Node would send the body of a DELETE without saying how long it is.
          ...(bytes && { "content-type": type, "content-length": String(bytes.length) }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(signal === undefined ? {} : { signal }),
      });
      sent.once("response", resolve);
      sent.once("error", reject);
      sent.end(bytes);
    });
  }

  async list(path: string): Promise<{ items: readonly ApiObject[]; version: string }> {
    const list = await this.ask("GET", path);
    const items = (list["items"] as ApiObject[] | null) ?? [];
    return { items, version: list.metadata.resourceVersion ?? "" };
  }

  /** Changes after `version`, until the server or the signal ends it. */
  async *watch(path: string, version: string, signal: AbortSignal): AsyncGenerator<ApiEvent> {
    const query = `watch=true&resourceVersion=${version}&allowWatchBookmarks=true`;
    const response = await this.open("GET", `${path}?${query}`, { signal });
    if (response.statusCode !== 200) {
      const answer = { status: response.statusCode ?? 0, headers: {}, text: await text(response) };
      throw new ApiRefusal(`watch ${path}`, answer);
    }
    let open = "";
    const decoder = new TextDecoder();
    for await (const chunk of response) {
      const lines = (open + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
      open = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield JSON.parse(line) as ApiEvent;
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
