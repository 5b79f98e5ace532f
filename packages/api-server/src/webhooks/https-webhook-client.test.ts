import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { openAuthority } from "@homeostat/certificates";
import { TimeoutError } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { httpsWebhookClient } from "./https-webhook-client.ts";
import type { WebhookTarget } from "./webhook-client.ts";

interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly authority: string;
  /** How many connections were opened. */
  readonly connections: () => number;
  readonly server: Server;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(handle: Handle): Promise<TestServer> {
  const authority = await openAuthority({ keptIn: "memory" });
  const { certificate, key } = await authority.issue({
    usage: "server",
    subject: { commonName: "webhook" },
    names: ["localhost", "127.0.0.1", "hook.default.svc"],
  });
  let connections = 0;
  const server = createServer({ cert: certificate, key }, (request, response) => {
    request.resume();
    request.on("end", () => handle(request, response));
  });
  server.on("secureConnection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    server,
    authority: authority.certificate,
    connections: () => connections,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const answer =
  (status: number, text: string, headers: Record<string, string> = {}): Handle =>
  (_, response) =>
    void response.writeHead(status, headers).end(text);

function targetOf(
  { port, authority }: TestServer,
  more: Partial<WebhookTarget> = {},
): WebhookTarget {
  return {
    url: `https://127.0.0.1:${port}/hook`,
    authorities: authority,
    serverName: undefined,
    timeoutSeconds: 30,
    ...more,
  };
}

test("a webhook is asked with its timeout, and connections are used again", async () => {
  const seen: unknown[] = [];
  await using server = await serve((request, response) => {
    const { method, url, headers } = request;
    seen.push([method, url, headers["content-type"], headers["user-agent"]]);
    response.end('{"a":1}');
  });
  for (const _ of [1, 2, 3]) {
    expect(await httpsWebhookClient.post(targetOf(server), { x: 1 })).toEqual({ a: 1 });
  }
  const call = ["POST", "/hook?timeout=30s", "application/json", "kube-apiserver-admission"];
  expect(seen).toEqual([call, call, call]);
  expect(server.connections()).toBe(1);
});

test.for([10, 3_000_000])(
  "a kept connection that was closed meanwhile is replaced, for %i bytes too",
  async (size) => {
    await using server = await serve(answer(200, "{}"));
    await httpsWebhookClient.post(targetOf(server), {});
    server.server.closeAllConnections();
    const body = { text: "x".repeat(size) };
    expect(await httpsWebhookClient.post(targetOf(server), body)).toEqual({});
  },
);

test("a Service's webhook is reached at an address, by its name", async () => {
  await using server = await serve(answer(200, "{}"));
  const target = targetOf(server, {
    url: "https://hook.default.svc:443/hook",
    serverName: "hook.default.svc",
    address: { host: "127.0.0.1", port: server.port },
  });
  expect(await httpsWebhookClient.post(target, {})).toEqual({});
  const other = { ...target, serverName: "other.default.svc" };
  await expect(httpsWebhookClient.post(other, {})).rejects.toThrow(
    "tls: failed to verify certificate: x509: certificate is valid for",
  );
});

test.each([
  [500, "boom", {}, 'an error on the server ("boom") has prevented the request from succeeding'],
  [
    500,
    "{}",
    { "content-type": "application/json" },
    'an error on the server ("unknown") has prevented the request from succeeding',
  ],
  [404, "no", {}, "the server could not find the requested resource"],
  [
    302,
    "",
    { location: "https://127.0.0.1/" },
    "the server responded with the status code 302 but did not return more information",
  ],
  [200, "", {}, "0-length response with status code: 200 and content type: application/json"],
  [204, "", {}, "0-length response with status code: 204 and content type: application/json"],
  [
    500,
    '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"st","code":500}',
    {},
    "st",
  ],
])("status %i with %j is a failure", async (...[status, text, headers, why]) => {
  await using server = await serve(answer(status, text, headers));
  await expect(httpsWebhookClient.post(targetOf(server), {})).rejects.toThrow(
    expect.objectContaining({ message: why, code: "webhook" }),
  );
});

test("who is not trusted is not asked", async () => {
  await using server = await serve(answer(200, "{}"));
  const target = targetOf(server, { authorities: undefined });
  await expect(httpsWebhookClient.post(target, {})).rejects.toThrow(
    `Post "https://127.0.0.1:${server.port}/hook?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  );
});

test("where nobody listens, the connection is refused in Go's words", async () => {
  const server = await serve(answer(200, "{}"));
  await server[Symbol.asyncDispose]();
  await expect(httpsWebhookClient.post(targetOf(server), {})).rejects.toThrow(
    `Post "https://127.0.0.1:${server.port}/hook?timeout=30s": dial tcp 127.0.0.1:${server.port}: connect: connection refused`,
  );
});

test("a signal ends the call: for its deadline, or because nobody waits any more", async () => {
  await using server = await serve(() => undefined);
  for (const [reason, text] of [
    [new TimeoutError(1), "context deadline exceeded"],
    [new Error("gone"), "context canceled"],
  ] as const) {
    const controller = new AbortController();
    const called = httpsWebhookClient.post(targetOf(server), {}, { signal: controller.signal });
    controller.abort(reason);
    await expect(called).rejects.toThrow(
      `Post "https://127.0.0.1:${server.port}/hook?timeout=30s": ${text}`,
    );
  }
});

test.each([
  "https://169.254.169.254/latest",
  "https://0.0.0.0/",
  "https://[fe80::1]/",
  "https://[::ffff:169.254.169.254]/",
  "https://224.0.0.1/",
])("%s is no address of a webhook", async (url) => {
  const target = { url, authorities: undefined, serverName: undefined, timeoutSeconds: 1 };
  await expect(httpsWebhookClient.post(target, {})).rejects.toThrow(
    "is not an address of a webhook",
  );
});
