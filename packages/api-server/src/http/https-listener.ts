/**
 * HTTPS: the only place that knows sockets. HTTP/2 and HTTP/1.1 by ALPN on one port; both become an
 * Exchange (exchange.ts), and serve-exchange.ts carries it through the server's door. What speaks HTTP/2 is
 * loaded with the first connection that does: it takes several milliseconds.
 */

import type { IncomingMessage } from "node:http";
import type { ServerHttp2Session, ServerHttp2Stream, ServerSessionOptions } from "node:http2";
import { createServer, type Server, type ServerOptions } from "node:https";
import type { AddressInfo, BoundSocket, Socket } from "node:net";
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
const HTTP2_OPTIONS: ServerSessionOptions = {
  settings: {
    maxConcurrentStreams: MAX_STREAMS,
    initialWindowSize: STREAM_WINDOW,
    maxHeaderListSize: MAX_HTTP2_HEAD_BYTES,
  },
  maxSessionMemory: SESSION_MEGABYTES,
};
/** Time is kept by connections.ts. */
const HTTP1_OPTIONS: ServerOptions = {
  // Requests without a body need no stream that begins and ends.
  optimizeEmptyRequests: true,
  maxHeaderSize: 1024 * 1024,
  keepAliveTimeout: 0,
  headersTimeout: 0,
  requestTimeout: 0,
  shouldUpgradeCallback: mayUpgrade,
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
  const secure = createServer({
    ...tls,
    ...HTTP1_OPTIONS,
    ALPNProtocols: ["h2", "http/1.1"],
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

function serve(secure: Server, { sessions, connections, serve: options, server }: Serving): void {
  const peers = new WeakMap<TLSSocket, Peer>();
  const peerOf = (socket: TLSSocket): Peer => {
    let peer = peers.get(socket);
    if (peer === undefined) {
      const certificate = clientCertificateOf(socket);
      peer = { certificate, connection: connections.of(socket) };
      peers.set(socket, peer);
    }
    return peer;
  };
  const begin = (exchange: Exchange, connection: Connection | undefined): void => {
    connection?.enter();
    if (connection !== undefined) exchange.onClose(() => connection.leave());
    void serveExchange(exchange, options, connection);
  };
  // From the first packet on: who never speaks TLS must be cut at the end too.
  secure.on("connection", (socket: Socket) => connections.accept(socket));
  // A connection that cannot be taken, as when there are too many files, is its client's failure only.
  secure.on("error", () => undefined);
  const serveHttp2 = (socket: TLSSocket): void => {
    const { performServerHandshake } = process.getBuiltinModule("node:http2");
    const session = performServerHandshake(socket, HTTP2_OPTIONS);
    sessions.add(session);
    session.setLocalWindowSize(CONNECTION_WINDOW);
    const { certificate, connection } = peerOf(socket);
    // A request that is on its way then is sent again elsewhere.
    connection?.closeIdleBy(() => session.close());
    session.on("error", () => undefined);
    session.once("close", () => sessions.delete(session));
    session.on("stream", (stream: ServerHttp2Stream, headers, ...[, rawHeaders]) => {
      begin(new Http2Exchange(stream, { headers, rawHeaders, certificate }), connection);
    });
  };
  // Node's own listener takes every connection for HTTP/1.1.
  const serveHttp1 = secure.listeners("secureConnection")[0]!;
  secure.removeAllListeners("secureConnection");
  secure.on("secureConnection", (socket) => {
    socket.on("error", () => undefined);
    if (socket.alpnProtocol === "h2") serveHttp2(socket);
    else serveHttp1.call(secure, socket);
  });
  // A client that breaks off its handshake is no event for us.
  secure.on("tlsClientError", () => server.noteHandshakeError());
  secure.on("request", (request, response) => {
    if (request.httpVersionMajor < 1) {
      request.socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n400 Bad Request");
      return;
    }
    const socket = request.socket as TLSSocket;
    const { certificate, connection } = peerOf(socket);
    connection?.writeTo(socket);
    begin(new Http1Exchange(request, response, certificate), connection);
  });
  secure.on("upgrade", (request: IncomingMessage, socket: TLSSocket, head: Buffer) => {
    const { certificate, connection } = peerOf(socket);
    // What is upgraded never leaves: it may be silent as long as it likes.
    connection?.enter();
    const attempt = { request, socket, head, certificate };
    void serveUpgrade(attempt, { ...options, server }).then((upgraded) => {
      if (!upgraded) connection?.leave();
    });
  });
}

function listening(secure: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    secure.once("error", reject);
    secure.listen(boundSocket(at) ?? at, () => {
      secure.off("error", reject);
      resolve();
    });
  });
}

/**
 * A socket at the address, where Node can make one before it listens (from 26 on). Else it looks the
 * address up, though it is one, and has a regular expression compiled for that: several milliseconds of a start.
 */
function boundSocket(at: { host: string; port: number }): BoundSocket | undefined {
  const { BoundSocket: Bound, isIPv4 } = process.getBuiltinModule("node:net");
  return typeof Bound === "function" && isIPv4(at.host) ? new Bound(at) : undefined;
}

async function closeAll(
  secure: Server,
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
