/**
 * HTTPS: the only place that knows sockets. HTTP/2 and HTTP/1.1 by ALPN on one port; both become an
 * Exchange (exchange.ts), and serve-exchange.ts carries it through the server's door.
 */
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { type Clock, realClock } from "@homeostat/concurrency";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { ApiServer } from "../api-server.ts";
import { ANONYMOUS } from "../filters/authorize.ts";
import { BodyBudget } from "./body-budget.ts";
import { Http1Exchange } from "./http1-exchange.ts";
import { Http2Exchange } from "./http2-exchange.ts";
import { LargeBodies } from "./large-bodies.ts";
import { type ServeOptions, serveExchange } from "./serve-exchange.ts";

export interface HttpsListenerOptions {
  readonly server: ApiServer;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** PEM: clients with a certificate of this authority are who it says they are. */
  readonly clientAuthority: string;
  /** Default: the real clock. */
  readonly clock?: Clock;
}

export interface HttpsListener extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** New connections get this certificate. */
  setCertificate(certificate: string, key: string): void;
  /** Takes no new connections and lets requests under way finish; after a second it cuts them. */
  close(): Promise<void>;
}

const MAX_STREAMS = 100;
const STREAM_WINDOW = 256 * 1024;
const CONNECTION_WINDOW = 4 * 1024 * 1024;
/** Room for a piece of a long list on each of a connection's streams. */
const SESSION_MEGABYTES = 64;
/** What the HTTP/2 library takes of one header field; more would end the connection. */
const MAX_HTTP2_HEAD_BYTES = 64 * 1024;
/** As kube-apiserver. Node's types do not know that these count beside HTTP/2. */
const HTTP1_OPTIONS: object = { maxHeaderSize: 1024 * 1024, keepAliveTimeout: 120_000 };
const CLOSE_PATIENCE = 1000;

/** Listens until closed. Rejects with the system's error when the port cannot be had. */
export async function listenHttps(options: HttpsListenerOptions): Promise<HttpsListener> {
  const { host = "127.0.0.1", clock = realClock } = options;
  const tls = (certificate: string, key: string): Record<string, unknown> => ({
    cert: certificate,
    key,
    ca: options.clientAuthority,
    requestCert: true,
    rejectUnauthorized: false,
  });
  const secure = createSecureServer({
    ...tls(options.certificate, options.key),
    allowHTTP1: true,
    settings: {
      maxConcurrentStreams: MAX_STREAMS,
      initialWindowSize: STREAM_WINDOW,
      maxHeaderListSize: MAX_HTTP2_HEAD_BYTES,
    },
    ...HTTP1_OPTIONS,
    maxSessionMemory: SESSION_MEGABYTES,
  });
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  serve(secure, {
    sessions,
    sockets,
    serve: {
      door: options.server.door,
      clock,
      largeBodies: new LargeBodies(),
      bodyBudget: new BodyBudget(),
    },
  });
  await listening(secure, { host, port: options.port });
  const close = once(() => closeAll(secure, { sessions, sockets, clock }));
  return {
    host,
    port: (secure.address() as AddressInfo).port,
    setCertificate: (certificate, key) => secure.setSecureContext(tls(certificate, key)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Serving {
  readonly sessions: Set<ServerHttp2Session>;
  readonly sockets: Set<Socket>;
  readonly serve: ServeOptions;
}

function serve(secure: Http2SecureServer, { sessions, sockets, serve: options }: Serving): void {
  // Reading a certificate costs more than a request: once per connection.
  const users = new WeakMap<object, UserInfo | undefined>();
  secure.on("session", (session) => {
    sessions.add(session);
    session.setLocalWindowSize(CONNECTION_WINDOW);
    users.set(session, userOf(session.socket as TLSSocket));
    session.on("error", () => undefined);
    session.once("close", () => sessions.delete(session));
  });
  // From the first packet on: who never speaks TLS must be cut at the end too.
  secure.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  // A connection that cannot be taken, as when there are too many files, is its client's failure only.
  secure.on("error", () => undefined);
  secure.on("secureConnection", (socket: TLSSocket) => {
    // Events and answers leave at once; HTTP/2 sets this by itself, HTTP/1.1 behind it does not.
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
  });
  // A client that breaks off its handshake is no event for us.
  secure.on("tlsClientError", () => undefined);
  secure.on("request", (request, response) => {
    if (request.httpVersionMajor !== 1) return;
    const { socket } = request;
    if (!users.has(socket)) users.set(socket, userOf(socket as TLSSocket));
    const exchange = new Http1Exchange(
      request as unknown as ConstructorParameters<typeof Http1Exchange>[0],
      response as unknown as ConstructorParameters<typeof Http1Exchange>[1],
      users.get(socket),
    );
    void serveExchange(exchange, options);
  });
  // A listener for requests makes Node wrap every HTTP/2 stream for it too; we take streams as they are.
  secure.removeAllListeners("stream");
  secure.on("stream", (stream: ServerHttp2Stream, headers) => {
    const user = stream.session && users.get(stream.session);
    void serveExchange(new Http2Exchange(stream, { headers, user }), options);
  });
}

/** Who a connection belongs to; undefined when it shows a certificate that is not to be trusted. */
function userOf(socket: TLSSocket): UserInfo | undefined {
  const certificate = socket.getPeerCertificate();
  if (certificate === null || Object.keys(certificate).length === 0) return ANONYMOUS;
  if (!socket.authorized) return undefined;
  return userOfCertificate(certificate);
}

function userOfCertificate({ subject, fingerprint256 }: PeerCertificate): UserInfo {
  const { CN, O } = subject as { CN?: string | string[]; O?: string | string[] };
  const groups = O === undefined ? [] : [O].flat();
  const digest = fingerprint256.replaceAll(":", "").toLowerCase();
  return {
    username: [CN ?? ""].flat()[0]!,
    groups: [...groups, "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${digest}`] },
  };
}

function listening(secure: Http2SecureServer, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    secure.once("error", reject);
    secure.listen(at, () => {
      secure.off("error", reject);
      resolve();
    });
  });
}

async function closeAll(
  secure: Http2SecureServer,
  {
    sessions,
    sockets,
    clock,
  }: { sessions: Set<ServerHttp2Session>; sockets: Set<Socket>; clock: Clock },
): Promise<void> {
  const closed = new Promise<void>((resolve) => secure.close(() => resolve()));
  for (const session of sessions) session.close();
  const timer = clock.setTimer(CLOSE_PATIENCE, () => {
    for (const session of sessions) session.destroy();
    for (const socket of sockets) socket.destroy();
  });
  await closed;
  timer.cancel();
}

function once<T>(action: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: action() };
    return result.value;
  };
}
