import { Agent, request } from "node:https";
import { decodeJson, encodeJson, type JsonValue } from "@homeostat/object-model";
import type { WebhookClient, WebhookTarget } from "./webhook-client.ts";

/** Above what any review of one object, or of a page of them, can need. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** Real HTTPS, a connection per call. */
export const httpsWebhookClient: WebhookClient = {
  async post(target, body) {
    const url = new URL(target.url);
    url.searchParams.set("timeout", `${target.timeoutSeconds}s`);
    const text = encodeJson(body);
    const { status, answer } = await exchange(url, target, text);
    if (status !== 200 && status !== 201) {
      throw new WebhookError(`the server returned status ${status} for ${printCall(url)}`);
    }
    return read(answer, url);
  },
};

class WebhookError extends Error {
  override readonly name: string = "WebhookError";
  readonly code = "webhook";
}

function read(answer: Buffer, url: URL): JsonValue {
  try {
    return decodeJson(answer);
  } catch {
    throw new WebhookError(`${printCall(url)}: the answer is no JSON`);
  }
}

function printCall(url: URL): string {
  return `Post ${JSON.stringify(url.href)}`;
}

function exchange(
  url: URL,
  { authorities, serverName, timeoutSeconds }: WebhookTarget,
  text: string,
): Promise<{ status: number; answer: Buffer }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(new WebhookError(`${printCall(url)}: ${error.message}`));
    };
    const sent = request(
      url,
      {
        method: "POST",
        agent: new Agent({ keepAlive: false }),
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "content-length": Buffer.byteLength(text),
        },
        timeout: timeoutSeconds * 1000,
        ...(authorities === undefined ? {} : { ca: authorities }),
        ...(serverName === undefined ? {} : { servername: serverName }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on("data", (chunk: Buffer) => {
          length += chunk.length;
          if (length > MAX_ANSWER) response.destroy(new Error("the answer is too large"));
          else chunks.push(chunk);
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, answer: Buffer.concat(chunks) }),
        );
        response.on("error", fail);
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("context deadline exceeded")));
    sent.on("error", fail);
    sent.end(text);
  });
}
