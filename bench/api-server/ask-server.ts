// One request to a server under load, aside from the load.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import type { LoadedServer } from "../harness/loaded-server.ts";

export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export async function ask(
  server: LoadedServer,
  { method, path, body }: Asked,
): Promise<{ status: number; text: string }> {
  const { ca, clientCertificate, clientKey } = server.files;
  const asked = request(`${server.url}${path}`, {
    method,
    ca: readFileSync(ca),
    cert: readFileSync(clientCertificate),
    key: readFileSync(clientKey),
    agent: false,
    headers: { "content-type": "application/json" },
  });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode!, text: await text(answer) };
}
