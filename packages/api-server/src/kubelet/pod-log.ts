import { ApiError, apiErrorOfHttp } from "@homeostat/object-model";
import type { Pod } from "@homeostat/object-model/core-v1";
import { chooseContainer } from "./container-choice.ts";
import { type KubeletQuestion, locateKubelet } from "./kubelet-location.ts";
import type { LogOptions } from "./log-options.ts";
import {
  type Destination,
  type NodeAnswer,
  NodeConnectionError,
  type NodeConnector,
} from "./node-connector.ts";

/** What is read of a refusal. */
const MAX_REFUSAL = 50_000;

/** Undefined for a pod without a node, which has no log yet. */
export function locateLog(
  pod: Pod,
  { options, ...question }: KubeletQuestion & { readonly options: LogOptions },
): Destination | undefined {
  const container = chooseContainer(pod, options.container);
  const nodeName = pod.spec?.nodeName ?? "";
  if (nodeName === "") return undefined;
  const kubelet = locateKubelet(nodeName, question);
  const { namespace = "", name = "" } = pod.metadata ?? {};
  const { parameters } = options;
  const path = `/containerLogs/${namespace}/${name}/${container}`;
  return {
    scheme: "https",
    ...kubelet,
    target: parameters === "" ? path : `${path}?${parameters}`,
    peer: options.insecureSkipTLSVerifyBackend ? "unverified-kubelet" : "kubelet",
    globalOnly: false,
  };
}

/** The log as it comes; `name` is the pod's, for refusals. */
export async function openLog(
  connector: NodeConnector,
  to: Destination,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal | undefined },
): Promise<AsyncIterable<Uint8Array>> {
  const request = { method: "GET", headers: {}, ...(signal === undefined ? {} : { signal }) };
  let answer: NodeAnswer;
  try {
    answer = await connector.exchange(to, request);
  } catch (error) {
    if (error instanceof NodeConnectionError) throw failed(to, error.message);
    throw error;
  }
  if (answer.status >= 200 && answer.status <= 206) return answer.chunks;
  const text = await beginningOf(answer.chunks);
  if (answer.status >= 300 && answer.status < 400) throw failed(to, "redirects forbidden");
  if (answer.status === 500) throw ApiError.internalError(new Error(text));
  if (answer.status === 400) throw ApiError.badRequest(text);
  const resource = { group: "", resource: "pods/log" };
  throw apiErrorOfHttp({ httpStatus: answer.status, resource, name, text });
}

function failed({ scheme, host, port, target }: Destination, why: string): ApiError {
  const at = host.includes(":") ? `[${host}]` : host;
  const url = JSON.stringify(`${scheme}://${at}:${port}${target}`);
  return new ApiError({ message: `Get ${url}: ${why}`, httpStatus: 500 });
}

async function beginningOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk.subarray(0, MAX_REFUSAL - length));
    length += chunk.length;
    if (length >= MAX_REFUSAL) break;
  }
  return Buffer.concat(parts).toString();
}
