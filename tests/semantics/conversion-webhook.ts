import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { openAuthority } from "@homeostat/certificates";
import { decodeJson, type JsonObject, type JsonValue } from "@homeostat/object-model";

/** What the webhook makes of a review; a text is answered as it is, with status 500. */
export type Review = (request: ReviewRequest) => JsonValue;

export interface ReviewRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}

export interface ConversionWebhook extends AsyncDisposable {
  /** For `spec.conversion` of a definition. */
  readonly conversion: JsonObject;
  /** How often it was called. */
  readonly calls: () => number;
}

/** A real HTTPS server on a free port, with a certificate of an authority of its own. */
export async function openConversionWebhook(review: Review): Promise<ConversionWebhook> {
  const authority = await openAuthority({ keptIn: "memory" });
  const { certificate, key } = await authority.issue({
    usage: "server",
    subject: { commonName: "webhook" },
    names: ["localhost", "127.0.0.1"],
  });
  let calls = 0;
  const server = createServer({ cert: certificate, key }, (request, response) => {
    calls++;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const asked = decodeJson(Buffer.concat(chunks)) as JsonObject;
      const answer = review(asked["request"] as unknown as ReviewRequest);
      response.writeHead(typeof answer === "string" ? 500 : 200, {
        "content-type": "application/json",
      });
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    conversion: {
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: ["v1"],
        clientConfig: {
          url: `https://127.0.0.1:${port}/convert`,
          caBundle: Buffer.from(authority.certificate).toString("base64"),
        },
      },
    },
    calls: () => calls,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A review that is answered with these objects. */
export function converted(
  { uid }: ReviewRequest,
  convertedObjects: readonly JsonValue[],
): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: { uid, result: { status: "Success" }, convertedObjects: [...convertedObjects] },
  };
}
