import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { openAuthority } from "@homeostat/certificates";

/** A real HTTPS server of the attacker, with a certificate that the attacked one is told to trust. */
export interface ListeningServer extends AsyncDisposable {
  readonly port: number;
  /** PEM, base64: what a webhook configuration has as its caBundle. */
  readonly caBundle: string;
  /** Paths that were asked for, each with its body. */
  readonly asked: { readonly url: string; readonly body: string }[];
}

export async function listenAsAttacker(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<ListeningServer> {
  const authority = await openAuthority({ keptIn: "memory" });
  const { certificate, key } = await authority.issue({
    usage: "server",
    subject: { commonName: "attacker" },
    names: ["localhost", "127.0.0.1"],
  });
  const asked: { url: string; body: string }[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined).on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      asked.push({ url: request.url ?? "", body });
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    asked,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
