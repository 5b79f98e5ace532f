import { ApiError } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import type { ResourceRequest } from "../verbs/resource-request.ts";
import { type Destination, NodeConnectionError, type NodeHeaders } from "./node-connector.ts";
import { headersToCaller, headersToNode } from "./passed-headers.ts";
import type { ProxyPlace } from "./proxy-location.ts";
import { escapePath, rewriteLocation } from "./proxy-path.ts";

export interface ProxiedRequest {
  readonly method: string;
  readonly at: ProxyPlace;
  /** This server's part of the path, and what is asked for behind it; both unescaped. */
  readonly prefix: string;
  readonly path: string;
}

/**
 * Sends a request on as it is and its answer back. Where the caller wishes for another protocol the
 * answer is the way there, and nothing has been dialled.
 */
export async function answerByProxy(
  request: ResourceRequest,
  { method, at, prefix, path }: ProxiedRequest,
): Promise<Answer> {
  const { headers = {}, query = {} } = request.asked;
  const parameters = printQuery(query);
  const to: Destination = { ...at, target: `${escapePath(path) || "/"}${parameters}` };
  if (headers["upgrade"] !== undefined && /upgrade/i.test(headers["connection"] ?? "")) {
    return { status: 101, payload: { kind: "passage", to } };
  }
  if (path === "" && (method === "GET" || method === "HEAD")) {
    const location = `${prefix}/${parameters}`;
    return { status: 301, headers: { location }, payload: { kind: "stream", chunks: nothing() } };
  }
  const { signal, body, plane } = request;
  const answer = await plane.nodes.connector
    .exchange(to, {
      method,
      headers: { ...headersToNode(headers), "x-forwarded-uri": forwardedUri(prefix, path) },
      ...(body.isEmpty ? {} : { body: body.bytes }),
      ...(signal === undefined ? {} : { signal }),
    })
    .catch(refuse);
  if (method === "HEAD") answer.cancel();
  const chunks = method === "HEAD" ? nothing() : answer.chunks;
  const hosts = [`${to.host}:${to.port}`, to.host, headers["host"] ?? ""];
  return {
    status: answer.status,
    headers: { "cache-control": "", ...withLocation(answer.headers, { prefix, hosts }) },
    payload: { kind: "stream", chunks },
  };
}

function withLocation(
  given: NodeHeaders,
  behind: Parameters<typeof rewriteLocation>[1],
): Record<string, string | readonly string[]> {
  const headers = headersToCaller(given);
  const { location } = headers;
  if (typeof location !== "string") return headers;
  return { ...headers, location: rewriteLocation(location, behind) };
}

function forwardedUri(prefix: string, path: string): string {
  return escapePath(`${prefix}${path}`);
}

function printQuery(query: NonNullable<ResourceRequest["asked"]["query"]>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  const text = new URLSearchParams(parameters).toString();
  return text === "" ? "" : `?${text}`;
}

/** What the caller is told of a workload that is not there. */
function refuse(error: unknown): never {
  if (!(error instanceof NodeConnectionError)) throw error;
  if (error.code !== "node-unreachable") throw ApiError.badRequest(error.message);
  throw ApiError.serviceUnavailable(`error trying to reach service: ${error.message}`);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
