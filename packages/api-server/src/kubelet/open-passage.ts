import { ApiError, type DoorRequest } from "@homeostat/object-model";
import type { Answer } from "../answers/answer.ts";
import {
  type Destination,
  NodeConnectionError,
  type NodeConnector,
  type NodeUpgrade,
} from "./node-connector.ts";
import { headersToCaller, upgradeHeadersToNode } from "./passed-headers.ts";

export type OpenedPassage =
  | { readonly kind: "upgrade"; readonly upgrade: NodeUpgrade }
  /** What the other side said instead: a refusal, or it would be no answer to this question. */
  | { readonly kind: "refused"; readonly answer: Answer };

/**
 * Dials for a caller that wants another protocol. Whatever the other side answers but a change of
 * protocol ends the connection: nobody else's request may ever be sent over it.
 */
export async function openPassage(
  connector: NodeConnector,
  to: Destination,
  request: DoorRequest,
): Promise<OpenedPassage> {
  const { method, headers = {}, signal } = request;
  const opened = await connector
    .upgrade(to, {
      method,
      headers: upgradeHeadersToNode(headers),
      ...(signal === undefined ? {} : { signal }),
    })
    .catch(refuse);
  if (opened.kind === "upgrade") return opened;
  const { answer } = opened;
  if (answer.status < 400) {
    answer.cancel();
    throw new ApiError({
      message: `invalid upgrade response: status code ${answer.status}`,
      httpStatus: 500,
    });
  }
  const passed = { "cache-control": "", ...headersToCaller(answer.headers), connection: "close" };
  const payload = { kind: "stream", chunks: answer.chunks } as const;
  return { kind: "refused", answer: { status: answer.status, headers: passed, payload } };
}

function refuse(error: unknown): never {
  if (!(error instanceof NodeConnectionError)) throw error;
  if (error.code === "node-address-not-allowed") throw ApiError.badRequest(error.message);
  throw new ApiError({ message: `error dialing backend: ${error.message}`, httpStatus: 500 });
}
