/**
 * A kubelet for tests: the HTTPS endpoints that an API server calls, and beside it (node-agent.ts) the
 * loop that keeps nodes ready and brings pods to life. No container engine: exec runs a command of this
 * machine, attach echoes, port-forward goes to this machine's ports, logs are what tests put there.
 * It speaks to any API server, ours or another.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Clock } from "@homeostat/concurrency";
import { type CommandStreams, spdyStreams, webSocketStreams } from "./command-streams.ts";
import { ContainerLog } from "./container-log.ts";
import { forwardPorts, tunnelOf } from "./forward-ports.ts";
import { runCommand } from "./run-command.ts";
import { webSocketAccept } from "./websocket-connection.ts";

export interface FakeKubeletOptions {
  readonly clock: Clock;
  /** PEM: what it shows. */
  readonly certificate: string;
  readonly key: string;
  /** PEM: clients must have a certificate of this authority. */
  readonly clientAuthority: string;
  /** Where commands run. */
  readonly folder: string;
}

/** A request as it came, for tests to look at. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** Common name of the client's certificate. */
  readonly client: string;
}

const REFUSED = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const STREAM_PROTOCOL = "x-stream-protocol-version";

export class FakeKubelet implements AsyncDisposable {
  readonly requests: SeenRequest[] = [];
  /** Answered to upgrades instead of what they want. */
  upgradeAnswer: string | undefined;
  /** Older kubelets speak WebSocket to nobody who asks for these protocols. */
  speaksWebSocket = true;
  /** Answers in place of the endpoints; false where it does not want to. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  readonly #options: FakeKubeletOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #logs = new Map<string, ContainerLog>();
  #pods: readonly object[] = [];

  private constructor(options: FakeKubeletOptions) {
    this.#options = options;
    this.#server = createServer({
      cert: options.certificate,
      key: options.key,
      ca: options.clientAuthority,
      requestCert: true,
      rejectUnauthorized: true,
    });
    this.#server.on("secureConnection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("request", (request, response) => this.#answer(request, response));
    this.#server.on("upgrade", (request, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      this.#upgrade(request, socket);
    });
  }

  static async start(options: FakeKubeletOptions): Promise<FakeKubelet> {
    const kubelet = new FakeKubelet(options);
    await new Promise<void>((done) => void kubelet.#server.listen(0, "127.0.0.1", done));
    return kubelet;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get sockets(): ReadonlySet<Duplex> {
    return this.#sockets;
  }

  /** `namespace/pod/container`. */
  log(container: string): ContainerLog {
    let log = this.#logs.get(container);
    if (log === undefined) {
      log = new ContainerLog(this.#options.clock);
      this.#logs.set(container, log);
    }
    return log;
  }

  /** What /pods tells. */
  setPods(pods: readonly object[]): void {
    this.#pods = pods;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((done) => void this.#server.close(() => done()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #see(request: IncomingMessage): URL {
    const { method = "", url = "", headers } = request;
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    this.requests.push({ method, url, headers, client: String(subject.CN) });
    return new URL(url, "https://kubelet");
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = this.#see(request);
    if (this.intercept(request, response)) return;
    const [, endpoint, ...rest] = pathname.split("/");
    if (endpoint === "containerLogs") {
      const log = this.#logs.get(rest.join("/"));
      if (log === undefined) {
        response.writeHead(404).end(`container ${rest[2] ?? ""} has no log\n`);
        return;
      }
      if (searchParams.get("previous") === "true") {
        response.writeHead(400);
        response.end(
          `previous terminated container "${rest[2] ?? ""}" in pod "${rest[1] ?? ""}" not found`,
        );
        return;
      }
      response.writeHead(200, { "content-type": "text/plain" });
      response.flushHeaders();
      const stop = log.write(searchParams, response);
      response.once("close", stop);
    } else if (endpoint === "pods") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ kind: "PodList", apiVersion: "v1", items: this.#pods }));
    } else if (endpoint === "healthz") response.writeHead(200).end("ok");
    else response.writeHead(404).end("404 page not found\n");
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const { pathname, searchParams } = this.#see(request);
    socket.on("error", () => undefined);
    const endpoint = pathname.split("/")[1];
    const isWebSocket = request.headers.upgrade?.toLowerCase() === "websocket";
    const refusal =
      this.upgradeAnswer ?? (isWebSocket && !this.speaksWebSocket ? REFUSED : undefined);
    if (refusal !== undefined) {
      socket.end(refusal);
      return;
    }
    const chosen = isWebSocket ? switchToWebSocket(request, socket) : switchToSpdy(request, socket);
    if (chosen === undefined) return;
    if (endpoint === "portForward") {
      forwardPorts(isWebSocket ? tunnelOf(socket) : socket);
      return;
    }
    const wanted = {
      stdin: searchParams.get("input") === "1",
      stdout: searchParams.get("output") === "1",
      stderr: searchParams.get("error") === "1",
    };
    const opening = isWebSocket
      ? Promise.resolve(webSocketStreams(socket, chosen.startsWith("v5")))
      : spdyStreams(socket, wanted);
    void opening.then((streams) => {
      if (endpoint === "exec") {
        runCommand(searchParams.getAll("command"), streams, this.#options.folder);
      } else attach(streams);
    });
  }
}

/** Prints what it is told until there is nothing more. */
function attach(streams: CommandStreams): void {
  streams.stdout(Buffer.from("attached\n"));
  streams.stdin.on("data", streams.stdout);
  streams.stdin.once("end", () => streams.finish({ metadata: {}, status: "Success" }));
}

/** The protocol chosen, or undefined after a refusal. */
function switchToWebSocket({ headers }: IncomingMessage, socket: Duplex): string | undefined {
  const offered = new Set((headers["sec-websocket-protocol"] ?? "").split(/\s*,\s*/));
  const known = ["v5.channel.k8s.io", "v4.channel.k8s.io", "SPDY/3.1+portforward.k8s.io"];
  const chosen = known.find((each) => offered.has(each));
  if (chosen === undefined) {
    socket.end(REFUSED);
    return undefined;
  }
  const accept = webSocketAccept(headers["sec-websocket-key"] ?? "");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${chosen}\r\n\r\n`,
  );
  return chosen;
}

function switchToSpdy({ headers }: IncomingMessage, socket: Duplex): string | undefined {
  const offered = [headers[STREAM_PROTOCOL] ?? ""]
    .flat()
    .join(",")
    .split(/\s*,\s*/);
  const chosen = offered.find((each) => /^(?:v4\.channel|portforward)\.k8s\.io$/.test(each));
  if (chosen === undefined) {
    socket.end(REFUSED);
    return undefined;
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n${STREAM_PROTOCOL}: ${chosen}\r\n\r\n`,
  );
  return chosen;
}
