/**
 * HTTPS: the only place that knows sockets. HTTP/2 and HTTP/1.1 by ALPN on one port; both become an
 * Exchange (exchange.ts), and serve-exchange.ts carries it through the server's door.
 */

import type { IncomingMessage } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { SecureContextOptions, TLSSocket, TlsOptions } from "node:tls";
import { type Clock, realClock } from "@homeostat/concurrency";
import type { ApiServer } from "../api-server.ts";
import { BodyBudget } from "./body-budget.ts";
import { clientCertificateOf } from "./client-certificate.ts";
import { type ConnectionLimits, DEFAULT_LIMITS } from "./connection-limits.ts";
import { type Connection, Connections } from "./connections.ts";
import { Deadlines } from "./deadlines.ts";
import type { Exchange } from "./exchange.ts";
import { Http1Exchange } from "./http1-exchange.ts";
import { Http2Exchange } from "./http2-exchange.ts";
import { LargeBodies } from "./large-bodies.ts";
import { type ServeOptions, serveExchange } from "./serve-exchange.ts";
import { mayUpgrade, serveUpgrade } from "./serve-upgrade.ts";

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
  readonly limits?: Partial<ConnectionLimits>;
}

export interface HttpsListener extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** New connections get this certificate. */
  setCertificate(certificate: string, key: string): void;
  /**
   * From now on clients of these authorities (PEM) are known. Those that are connected come anew: who
   * was trusted by then may be no longer. What is under way ends first.
   */
  setClientAuthority(clientAuthority: string): void;
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
/** Node's types do not know that these count beside HTTP/2. Time is kept by connections.ts. */
const HTTP1_OPTIONS: object = {
  // Requests without a body need no stream that begins and ends.
  optimizeEmptyRequests: true,
  maxHeaderSize: 1024 * 1024,
  keepAliveTimeout: 0,
  headersTimeout: 0,
  requestTimeout: 0,
};
const CLOSE_PATIENCE = 1000;

/** Listens until closed. Rejects with the system's error when the port cannot be had. */
export async function listenHttps(options: HttpsListenerOptions): Promise<HttpsListener> {
  const { host = "127.0.0.1", clock = realClock } = options;
  let tls: SecureContextOptions & TlsOptions = {
    cert: options.certificate,
    key: options.key,
    ca: options.clientAuthority,
    requestCert: true,
    rejectUnauthorized: false,
  };
  const secure = createSecureServer({
    ...tls,
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
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const deadlines = new Deadlines(clock);
  const connections = new Connections(limits, deadlines);
  serve(secure, {
    sessions,
    connections,
    server: options.server,
    serve: {
      door: options.server.door,
      authenticator: options.server.authenticator,
      newAuditId: () => options.server.newAuditId(),
      noteUnknown: (request, refused) => options.server.noteUnknown(request, refused),
      clock,
      limits,
      deadlines,
      largeBodies: new LargeBodies(),
      bodyBudget: new BodyBudget(),
    },
  });
  // What cannot be used leaves everything as it was.
  const change = (changes: SecureContextOptions): void => {
    const changed = { ...tls, ...changes };
    secure.setSecureContext(changed);
    tls = changed;
  };
  await listening(secure, { host, port: options.port });
  const close = once(() => closeAll(secure, { sessions, connections, deadlines, clock }));
  return {
    host,
    port: (secure.address() as AddressInfo).port,
    setCertificate: (cert, key) => change({ cert, key }),
    setClientAuthority: (ca) => {
      change({ ca });
      for (const session of sessions) session.close();
      connections.retireAll();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Serving {
  readonly sessions: Set<ServerHttp2Session>;
  readonly connections: Connections;
  readonly serve: ServeOptions;
  readonly server: ApiServer;
}

/** What is known of the other end of a connection; found out once. */
interface Peer {
  readonly certificate: Exchange["certificate"];
  /** Undefined for one that is gone already. */
  readonly connection: Connection | undefined;
}

function serve(
  secure: Http2SecureServer,
  { sessions, connections, serve: options, server }: Serving,
): void {
  const peers = new WeakMap<object, Peer>();
  const peerOf = (socket: TLSSocket, holder: object = socket): Peer => {
    let peer = peers.get(holder);
    if (peer === undefined) {
      const certificate = clientCertificateOf(socket);
      peer = { certificate, connection: connections.of(socket) };
      peers.set(holder, peer);
    }
    return peer;
  };
  secure.on("session", (session) => {
    sessions.add(session);
    session.setLocalWindowSize(CONNECTION_WINDOW);
    const { connection } = peerOf(session.socket as TLSSocket, session);
    // A request that is on its way then is sent again elsewhere.
    connection?.closeIdleBy(() => session.close());
    session.on("error", () => undefined);
    session.once("close", () => sessions.delete(session));
  });
  const begin = (exchange: Exchange, connection: Connection | undefined): void => {
    connection?.enter();
    if (connection !== undefined) exchange.onClose(() => connection.leave());
    void serveExchange(exchange, options, connection);
  };
  // From the first packet on: who never speaks TLS must be cut at the end too.
  secure.on("connection", (socket: Socket) => connections.accept(socket));
  // A connection that cannot be taken, as when there are too many files, is its client's failure only.
  secure.on("error", () => undefined);
  secure.on("secureConnection", (socket: TLSSocket) => {
    // Events and answers leave at once; HTTP/2 sets this by itself, HTTP/1.1 behind it does not.
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
  });
  // A client that breaks off its handshake is no event for us.
  secure.on("tlsClientError", () => server.noteHandshakeError());
  secure.on("request", (request, response) => {
    if (request.httpVersionMajor > 1) return;
    if (request.httpVersionMajor < 1) {
      request.socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n400 Bad Request");
      return;
    }
    const socket = request.socket as TLSSocket;
    const { certificate, connection } = peerOf(socket);
    connection?.writeTo(socket);
    const exchange = new Http1Exchange(
      request as unknown as ConstructorParameters<typeof Http1Exchange>[0],
      response as unknown as ConstructorParameters<typeof Http1Exchange>[1],
      certificate,
    );
    begin(exchange, connection);
  });
  // Node asks it here only: HTTP/2 servers take no such option.
  Object.assign(secure, { shouldUpgradeCallback: mayUpgrade });
  secure.on("upgrade", (request: IncomingMessage, socket: TLSSocket, head: Buffer) => {
    const { certificate, connection } = peerOf(socket);
    // What is upgraded never leaves: it may be silent as long as it likes.
    connection?.enter();
    const attempt = { request, socket, head, certificate };
    void serveUpgrade(attempt, { ...options, server }).then((upgraded) => {
      if (!upgraded) connection?.leave();
    });
  });
  // A listener for requests makes Node wrap every HTTP/2 stream for it too; we take streams as they are.
  secure.removeAllListeners("stream");
  secure.on("stream", (stream: ServerHttp2Stream, headers, ...[, rawHeaders]) => {
    const { certificate, connection } = (stream.session && peers.get(stream.session)) ?? NO_PEER;
    begin(new Http2Exchange(stream, { headers, rawHeaders, certificate }), connection);
  });
}

const NO_PEER: Peer = { certificate: "untrusted", connection: undefined };

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
    connections,
    deadlines,
    clock,
  }: {
    sessions: Set<ServerHttp2Session>;
    connections: Connections;
    deadlines: Deadlines;
    clock: Clock;
  },
): Promise<void> {
  const closed = new Promise<void>((resolve) => secure.close(() => resolve()));
  for (const session of sessions) session.close();
  const timer = clock.setTimer(CLOSE_PATIENCE, () => {
    for (const session of sessions) session.destroy();
    connections.cutAll();
  });
  await closed;
  timer.cancel();
  deadlines[Symbol.dispose]();
}

function once<T>(action: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: action() };
    return result.value;
  };
}
