import type { IncomingHttpHeaders } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { TimeoutError } from "@homeostat/concurrency";
import {
  ApiError,
  apiErrorOfHttp,
  decodeJson,
  encodeJson,
  type JsonValue,
} from "@homeostat/object-model";
import { checkAddress, checkedLookup } from "./checked-address.ts";
import { explainFailure } from "./explain-failure.ts";
import { type WebhookClient, WebhookError, type WebhookTarget } from "./webhook-client.ts";

/** Above what any review of one object, or of a page of them, can need. */
const MAX_ANSWER = 64 * 1024 * 1024;
/** As much of an answer that is no review is told to the client. */
const MAX_TOLD = 2048;
/** Connections are kept for so many different webhooks. */
const MAX_AGENTS = 200;
const IDLE_MILLISECONDS = 90_000;
const AGENT_NAME = "kube-apiserver-admission";

/** Real HTTPS; connections are kept open for the next call. */
export const httpsWebhookClient: WebhookClient = {
  async post(target, body, { signal } = {}) {
    const url = new URL(target.url);
    // As client-go joins paths: envtest's have two slashes, which webhook servers redirect.
    url.pathname = url.pathname.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
    url.searchParams.set("timeout", `${target.timeoutSeconds}s`);
    const call = { url, target, text: `${encodeJson(body)}\n`, signal };
    const { status, headers, answer } = await exchange(call);
    if (status !== 200 && status !== 201 && status !== 202) throw refusal(status, headers, answer);
    if (answer.length === 0) {
      const type = "content type: application/json";
      throw new WebhookError(`0-length response with status code: ${status} and ${type}`);
    }
    return read(answer);
  },
};

interface Call {
  readonly url: URL;
  readonly target: WebhookTarget;
  readonly text: string;
  readonly signal: AbortSignal | undefined;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly answer: Buffer;
}

function read(answer: Buffer): JsonValue {
  try {
    return decodeJson(answer);
  } catch {
    throw new WebhookError(NO_JSON);
  }
}

const NO_JSON =
  'couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** A Status says it itself; of other texts, the beginning is told where it is one. */
function refusal(status: number, headers: IncomingHttpHeaders, answer: Buffer): Error {
  if (status === 204 || answer.length === 0) {
    if (status < 300) {
      const type = "content type: application/json";
      return new WebhookError(`0-length response with status code: ${status} and ${type}`);
    }
  }
  const said = statusIn(answer, status);
  if (said !== undefined) return new WebhookError(said.message);
  const type = headers["content-type"] ?? "text/plain";
  const text = type.startsWith("text/")
    ? answer.subarray(0, MAX_TOLD).toString().trim()
    : "unknown";
  const { message } = apiErrorOfHttp({ httpStatus: status, method: "POST", text });
  return new WebhookError(message);
}

function statusIn(answer: Buffer, status: number): ApiError | undefined {
  try {
    return ApiError.fromStatus(decodeJson(answer), status);
  } catch {
    return undefined;
  }
}

async function exchange(call: Call): Promise<Answered> {
  const { url, target } = call;
  const failed = (error: unknown): WebhookError => {
    const host = target.address?.host ?? url.hostname;
    const port = target.address?.port ?? Number(url.port || 443);
    const why = explainFailure(error, { host, port });
    return new WebhookError(`Post ${JSON.stringify(url.href)}: ${why}`);
  };
  try {
    return await attempt(call);
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw failed(error);
  }
  try {
    return await attempt(call);
  } catch (error) {
    throw failed(error instanceof StaleConnectionError ? error.cause : error);
  }
}

/** A kept connection that the other side had closed already: nothing was asked. */
class StaleConnectionError extends Error {
  override readonly name: string = "StaleConnectionError";
  readonly code = "stale-connection";
}

function attempt({ url, target, text, signal }: Call): Promise<Answered> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(endOf(signal));
    const sent = request(optionsOf(url, target, text), (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_ANSWER) response.destroy(new Error("the answer is too large"));
        else chunks.push(chunk);
      });
      response.on("end", () => {
        finish();
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, answer: Buffer.concat(chunks) });
      });
      response.on("error", fail);
    });
    const end = (): void => void sent.destroy(endOf(signal!));
    const finish = (): void => signal?.removeEventListener("abort", end);
    const fail = (error: Error & { readonly code?: string }): void => {
      finish();
      // What is written in several parts hears of it at the second.
      const isCut = error.code === "ECONNRESET" || error.code === "EPIPE";
      const isStale = sent.reusedSocket && isCut;
      reject(isStale ? new StaleConnectionError("closed", { cause: error }) : error);
    };
    signal?.addEventListener("abort", end, { once: true });
    sent.on("timeout", () => sent.destroy(new Error("context deadline exceeded")));
    sent.on("error", fail);
    sent.end(text);
  });
}

function endOf({ reason }: AbortSignal): Error {
  const isLate = reason instanceof TimeoutError;
  return new Error(isLate ? "context deadline exceeded" : "context canceled");
}

function optionsOf(url: URL, target: WebhookTarget, text: string): RequestOptions {
  const host = target.address?.host ?? url.hostname.replace(/^\[|\]$/g, "");
  checkAddress(host);
  const serverName = target.serverName ?? (target.address && url.hostname);
  return {
    method: "POST",
    host,
    port: target.address?.port ?? (url.port || 443),
    path: `${url.pathname}${url.search}`,
    agent: agentOf(target),
    lookup: checkedLookup,
    headers: {
      host: url.host,
      "user-agent": AGENT_NAME,
      "content-type": "application/json",
      accept: "application/json, */*",
      "content-length": Buffer.byteLength(text),
    },
    // Nothing at all for so long: the caller's signal is what ends calls in time.
    timeout: target.timeoutSeconds * 1000 + 1000,
    // As in Go, any certificate may be trusted by itself: envtest gives the webhook's own one.
    ...(target.authorities === undefined
      ? {}
      : { ca: target.authorities, allowPartialTrustChain: true }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

const agents = new Map<string, Agent>();

/** Connections are shared by calls that trust the same authorities. */
function agentOf({ authorities = "", serverName = "" }: WebhookTarget): Agent {
  const key = `${serverName} ${authorities}`;
  let agent = agents.get(key);
  if (agent === undefined) {
    agent = new Agent({ keepAlive: true, timeout: IDLE_MILLISECONDS, maxFreeSockets: 25 });
    agents.set(key, agent);
    const [oldest] = agents.keys();
    if (agents.size > MAX_AGENTS) {
      agents.get(oldest!)?.destroy();
      agents.delete(oldest!);
    }
  }
  return agent;
}
