/**
 * Real connections to kubelets and workloads: one per request, no proxy of the environment between,
 * redirects left to the caller. A name is resolved once; the address that was checked is the one dialled.
 */
import { lookup as lookUp } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import {
  type Destination,
  type NodeAnswer,
  NodeConnectionError,
  type NodeConnector,
  type NodeHeaders,
  type NodeRequest,
} from "../kubelet/node-connector.ts";
import { isGlobalAddress } from "./global-address.ts";

/** What the server shows to kubelets, and whom it takes for one. PEM. */
export interface KubeletCredentials {
  readonly certificate: string;
  readonly key: string;
  /** Undefined: certificates of kubelets are not verified, as kube-apiserver has it by default. */
  readonly authority?: string | undefined;
}

export interface NodeConnectorOptions {
  /** Asked for each connection, since certificates rotate. Default: none are shown. */
  readonly credentials?: () => KubeletCredentials | Promise<KubeletCredentials>;
}

const MAX_HEAD_BYTES = 64 * 1024;
const DIAL_LIMIT = 30_000;

export function httpsNodeConnector(options: NodeConnectorOptions = {}): NodeConnector {
  const credentialsFor = async ({ peer }: Destination): Promise<KubeletCredentials | undefined> =>
    peer === "workload" ? undefined : options.credentials?.();
  return {
    async exchange(to, request) {
      const credentials = await credentialsFor(to);
      const sent = dial(to, request, credentials);
      const answer = answered(sent, to);
      sent.end(request.body);
      return answer;
    },
    async upgrade(to, request) {
      const credentials = await credentialsFor(to);
      const sent = dial(to, request, credentials);
      const changed = upgraded(sent);
      const answer = answered(sent, to).then((each) => ({ kind: "answer", answer: each }) as const);
      sent.end();
      return Promise.race([changed, answer]);
    },
  };
}

function dial(
  to: Destination,
  { method, headers, body, signal }: NodeRequest,
  credentials: KubeletCredentials | undefined,
): ClientRequest {
  if (to.globalOnly && isIP(to.host) !== 0 && !isGlobalAddress(to.host)) throw notAllowed();
  const request = (to.scheme === "https" ? httpsRequest : httpRequest)({
    host: to.host,
    port: to.port,
    method,
    path: to.target,
    headers: {
      ...(headers as Record<string, string | string[]>),
      ...(body === undefined ? {} : { "content-length": String(body.length) }),
    },
    agent: false,
    maxHeaderSize: MAX_HEAD_BYTES,
    ...(to.scheme === "https" ? tlsOptions(to, credentials) : {}),
    ...(to.globalOnly ? { lookup: checkedLookup } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
  request.once("socket", limitDial);
  return request;
}

function tlsOptions(
  { peer, host }: Destination,
  credentials: KubeletCredentials | undefined,
): Record<string, unknown> {
  // Said always: Node would take it from the Host header, which is the caller's.
  const servername = isIP(host) === 0 ? host : "";
  if (credentials === undefined) {
    return { rejectUnauthorized: false, servername };
  }
  const { certificate, key, authority } = credentials;
  const isVerified = peer === "kubelet" && authority !== undefined;
  return {
    cert: certificate,
    key,
    rejectUnauthorized: isVerified,
    ...(isVerified ? { ca: authority } : {}),
    servername,
  };
}

/** Until the connection stands; after that, silence is the other side's right. */
function limitDial(socket: Socket): void {
  socket.setTimeout(DIAL_LIMIT, () => socket.destroy(new Error("i/o timeout")));
  const ready = (): void => void socket.setTimeout(0);
  socket.once("encrypted" in socket ? "secureConnect" : "connect", ready);
}

const checkedLookup: LookupFunction = (name, options, done) => {
  lookUp(name, { ...options, all: true }, (error, addresses) => {
    if (error !== null) done(error, "", 0);
    else if (!addresses.every(({ address }) => isGlobalAddress(address))) done(notAllowed(), "", 0);
    else if (options.all === true) done(null, addresses);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  });
};

function notAllowed(): NodeConnectionError {
  return new NodeConnectionError("node-address-not-allowed", "address not allowed");
}

function answered(request: ClientRequest, to: Destination): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    request.once("response", (response) => {
      response.on("error", () => undefined);
      if (response.statusCode === 101) {
        // Passed on, the caller would take what follows for something else than we do.
        response.destroy();
        const wanted = JSON.stringify(response.headers.upgrade ?? "");
        reject(unreachable(`backend tried to switch protocol ${wanted} when "" was requested`));
        return;
      }
      resolve({
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        chunks: chunksOf(response),
        cancel: () => void response.destroy(),
      });
    });
    // Stays: an error after the answer is the body's, and told there.
    request.on("error", (error) => reject(asConnectionError(error, to)));
  });
}

function upgraded(
  request: ClientRequest,
): Promise<{ kind: "upgrade"; upgrade: { headers: NodeHeaders; stream: Socket } }> {
  return new Promise((resolve) => {
    request.once("upgrade", (response, stream, head) => {
      if (head.length > 0) stream.unshift(head);
      stream.setNoDelay(true);
      resolve({ kind: "upgrade", upgrade: { headers: headersOf(response), stream } });
    });
  });
}

/** Read as fast as they are taken. A reader that leaves cuts the connection, even one that waits. */
function chunksOf(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const iterator = response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  const leave = (): Promise<IteratorResult<Buffer, undefined>> => {
    response.destroy();
    return Promise.resolve({ done: true, value: undefined });
  };
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next(), return: leave }) };
}

function headersOf({ headersDistinct }: IncomingMessage): NodeHeaders {
  const entries = Object.entries(headersDistinct).map(
    ([name, values = []]): [string, string | string[]] => [
      name,
      values.length === 1 ? values[0]! : values,
    ],
  );
  return Object.fromEntries(entries);
}

/** In Go's words, which people know. */
function asConnectionError(error: Error, to: Destination): unknown {
  if (error instanceof NodeConnectionError || error.name === "AbortError") return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const { host, port, globalOnly } = to;
  const at = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  switch (code) {
    case "ECONNREFUSED":
      return unreachable(`dial tcp ${at}: connect: connection refused`);
    case "EHOSTUNREACH":
      return unreachable(`dial tcp ${at}: connect: no route to host`);
    case "ENETUNREACH":
      return unreachable(`dial tcp ${at}: connect: network is unreachable`);
    case "ETIMEDOUT":
      return unreachable(`dial tcp ${at}: connect: connection timed out`);
    case "ECONNRESET":
      return unreachable("EOF");
    case "ENOTFOUND":
    case "EAI_AGAIN": {
      const lookup = `lookup ${host}: no such host`;
      if (globalOnly) return new NodeConnectionError("node-lookup-failed", lookup);
      return unreachable(`dial tcp: ${lookup}`);
    }
    default:
      return unreachable(message === "i/o timeout" ? `dial tcp ${at}: ${message}` : message);
  }
}

function unreachable(message: string): NodeConnectionError {
  return new NodeConnectionError("node-unreachable", message);
}
