import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { openAuthority } from "@homeostat/certificates";
import { type Clock, realClock } from "@homeostat/concurrency";
import { openMemoryStore } from "@homeostat/store";
import { beforeAll, expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";
import { parseTokenFile } from "../authentication/static-tokens.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { type HttpsListener, listenHttps } from "./https-listener.ts";

/** Once time runs, it passes faster by this much, for limits; sockets are real. */
const HASTE = 100;

let authority: Awaited<ReturnType<typeof openAuthority>>;
let serving: { certificate: string; key: string };

beforeAll(async () => {
  authority = await openAuthority({ keptIn: "memory" });
  const subject = { commonName: "server" };
  serving = await authority.issue({ subject, usage: "server", names: ["127.0.0.1"] });
});

/** Nothing but what a test sets is ever too late, on a busy machine too. */
const PATIENT: ConnectionLimits = {
  connections: 1000,
  firstHead: 3_600_000,
  idle: 3_600_000,
  idleUnknown: 3_600_000,
  body: 3_600_000,
  answer: 3_600_000,
};

interface Bench extends AsyncDisposable {
  /** The administrator, without sockets. */
  ask(method: "POST" | "DELETE", path: string, value?: unknown): Promise<unknown>;
  readonly listener: HttpsListener;
  /** Lets time run; until then nobody is late, however slowly connections are made. */
  hurry(): void;
}

async function openBench(set: Partial<ConnectionLimits> = {}): Promise<Bench> {
  const limits = { ...PATIENT, ...set };
  let start: number | undefined;
  const clock: Clock = {
    ...realClock,
    monotonic: () => (start === undefined ? 0 : (realClock.monotonic() - start) * HASTE),
    setTimer: (delay, fire) => realClock.setTimer(delay / HASTE, fire),
  };
  const store = openMemoryStore();
  const staticTokens = parseTokenFile("root,root,1,system:masters\n");
  const server = await createApiServer({ store, authentication: { staticTokens } });
  const { certificate, key } = serving;
  const clientAuthority = authority.certificate;
  const pair = { certificate, key, clientAuthority };
  const listener = await listenHttps({ server, port: 0, ...pair, clock, limits });
  return {
    listener,
    hurry() {
      start = realClock.monotonic();
    },
    async ask(method, path, value) {
      const user = { username: "admin", groups: ["system:masters"] };
      const body = value === undefined ? {} : { body: { kind: "value", value } as const };
      const answer = await server.door.send({ method, path, user, want: "object", ...body });
      return answer.kind === "object" ? answer.object : undefined;
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await listener.close();
      await store.close();
    },
  };
}

async function openTls({ listener }: Bench): Promise<TLSSocket> {
  const socket = connectTls({
    port: listener.port,
    host: "127.0.0.1",
    ca: authority.certificate,
    ALPNProtocols: ["http/1.1"],
  });
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  return socket;
}

function openHttp2({ listener }: Bench): ClientHttp2Session {
  const url = `https://127.0.0.1:${listener.port}`;
  const client = connectHttp2(url, { ca: authority.certificate });
  client.on("error", () => undefined);
  return client;
}

/** Everything that comes until the other side ends it. */
async function untilClosed(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  // Not by `once` of node:events: whoever writes as he is cut hears of it as an error too.
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

async function untilText(socket: Socket, wanted: string): Promise<string> {
  let text = "";
  while (!text.includes(wanted)) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    text += chunk.toString("latin1");
  }
  return text;
}

/** Writes a little again and again, for as long as the socket is open. */
function drip(socket: Socket, text: string): void {
  if (socket.destroyed) return;
  socket.write(text);
  realClock.setTimer(20, () => drip(socket, text));
}

const asRoot = "Host: x\r\nAuthorization: Bearer root\r\n";

test("who connects and says nothing is cut", async () => {
  await using bench = await openBench({ firstHead: 100_000 });
  const silent = connectTcp(bench.listener.port, "127.0.0.1");
  const secure = await openTls(bench);
  bench.hurry();
  expect(await untilClosed(silent)).toBe("");
  expect(await untilClosed(secure)).toBe("");
});

test("a head that never ends is cut, however it trickles", async () => {
  await using bench = await openBench({ firstHead: 100_000 });
  const socket = await openTls(bench);
  socket.write("GET /version HTTP/1.1\r\nHost: x\r\n");
  drip(socket, "X-Drip: 1\r\n");
  bench.hurry();
  expect(await untilClosed(socket)).toBe("");
});

test("a body that never ends is cut over HTTP/1.1, however it trickles", async () => {
  await using bench = await openBench({ body: 20_000 });
  const socket = await openTls(bench);
  const path = "/api/v1/namespaces/default/configmaps";
  socket.write(`POST ${path} HTTP/1.1\r\n${asRoot}Content-Length: 1000\r\n\r\n{`);
  drip(socket, " ");
  bench.hurry();
  expect(await untilClosed(socket)).toBe("");
});

test("a body that never ends is reset over HTTP/2, and the connection goes on", async () => {
  await using bench = await openBench({ body: 20_000 });
  const client = openHttp2(bench);
  const headers = {
    authorization: "Bearer root",
    ":method": "POST",
    ":path": "/api/v1/namespaces",
  };
  const slow = client.request(headers);
  slow.on("error", () => undefined);
  slow.write("{");
  bench.hurry();
  await new Promise((resolve) => slow.once("close", resolve));
  expect(slow.rstCode).not.toBe(constants.NGHTTP2_NO_ERROR);
  const next = client.request({ authorization: "Bearer root", ":path": "/version" });
  const [answer] = (await once(next, "response")) as [Record<string, unknown>];
  expect(answer[":status"]).toBe(200);
  client.destroy();
});

test("a client without a name may not idle as long as one with a name", async () => {
  await using bench = await openBench({ idleUnknown: 5000 });
  const unknown = await openTls(bench);
  const known = await openTls(bench);
  unknown.write("GET /version HTTP/1.1\r\nHost: x\r\n\r\n");
  known.write(`GET /version HTTP/1.1\r\n${asRoot}\r\n`);
  await untilText(known, "gitVersion");
  bench.hurry();
  expect(await untilClosed(unknown)).toContain("200 OK");
  expect(known.closed).toBe(false);
  known.write(`GET /version HTTP/1.1\r\n${asRoot}\r\n`);
  await untilText(known, "gitVersion");
  known.destroy();
});

test("a connection that idles too long is closed; a watch on it is no idling", async () => {
  await using bench = await openBench({ idle: 5000 });
  const idle = await openTls(bench);
  idle.write(`GET /version HTTP/1.1\r\n${asRoot}\r\n`);
  const watching = await openTls(bench);
  watching.write(`GET /api/v1/namespaces?watch=1 HTTP/1.1\r\n${asRoot}\r\n`);
  await untilText(watching, "kube-system");
  bench.hurry();
  expect(await untilClosed(idle)).toContain("200 OK");
  expect(watching.closed).toBe(false);
  watching.destroy();
});

test("an HTTP/2 connection that idles too long is told to go", async () => {
  await using bench = await openBench({ idle: 5000 });
  const client = openHttp2(bench);
  const told = once(client, "goaway");
  const stream = client.request({ ":path": "/version", authorization: "Bearer root" });
  stream.resume();
  bench.hurry();
  const [code] = (await told) as [number];
  expect(code).toBe(constants.NGHTTP2_NO_ERROR);
  if (!client.closed) await once(client, "close");
});

test("one connection too many is closed at once, and there is room again when another goes", async () => {
  await using bench = await openBench({ connections: 2 });
  const [one, two] = [await openTls(bench), await openTls(bench)];
  const third = connectTcp(bench.listener.port, "127.0.0.1");
  third.on("error", () => undefined);
  expect(await untilClosed(third)).toBe("");
  two.destroy();
  await once(two, "close");
  await expect
    .poll(async () => {
      const again = connectTcp(bench.listener.port, "127.0.0.1");
      again.on("error", () => undefined);
      await once(again, "connect");
      const isClosed = await Promise.race([
        once(again, "close").then(() => true),
        new Promise((resolve) => realClock.setTimer(50, () => resolve(false))),
      ]);
      again.destroy();
      return isClosed;
    })
    .toBe(false);
  one.destroy();
});

test("over HTTP/2 who shows nothing, or something wrong, gets one answer and no more", async () => {
  await using bench = await openBench();
  for (const [authorization, status] of [
    [undefined, 200],
    ["Bearer bad", 401],
  ] as const) {
    const client = openHttp2(bench);
    const gone = once(client, "goaway");
    const stream = client.request({ ":path": "/version", ...(authorization && { authorization }) });
    const [answer] = (await once(stream, "response")) as [Record<string, unknown>];
    expect(answer[":status"]).toBe(status);
    await gone;
    stream.resume();
    if (!client.closed) await once(client, "close");
  }
});

test("a wrong token is refused before the body is there", async () => {
  await using bench = await openBench();
  const socket = await openTls(bench);
  const head = "Host: x\r\nAuthorization: Bearer bad\r\nContent-Length: 1000\r\n";
  socket.write(`POST /api/v1/namespaces HTTP/1.1\r\n${head}\r\n`);
  expect(await untilText(socket, '"code":401')).toMatch(/^HTTP\/1.1 401 Unauthorized/);
  socket.destroy();
});

test("a client is warned of what is odd about its credentials", async () => {
  await using bench = await openBench();
  const socket = await openTls(bench);
  socket.write("GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer  root\r\n\r\n");
  expect(await untilText(socket, "gitVersion")).toContain(
    'warning: 299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
  );
  socket.destroy();
});

test("an answer that nobody takes is cut", async () => {
  await using bench = await openBench({ answer: 5000 });
  const client = connectHttp2(`https://127.0.0.1:${bench.listener.port}`, {
    ca: authority.certificate,
    // No byte of an answer may be sent.
    settings: { initialWindowSize: 0 },
  });
  client.on("error", () => undefined);
  const stream = client.request({ ":path": "/version", authorization: "Bearer root" });
  stream.on("error", () => undefined);
  bench.hurry();
  await new Promise((resolve) => stream.once("close", resolve));
  expect(stream.rstCode).not.toBe(constants.NGHTTP2_NO_ERROR);
  client.destroy();
});

test("at most 100 streams at a time are offered, and rapid resets end the connection", async () => {
  await using bench = await openBench();
  const client = openHttp2(bench);
  const [settings] = (await once(client, "remoteSettings")) as [{ maxConcurrentStreams: number }];
  expect(settings.maxConcurrentStreams).toBe(100);
  // Not by `once` of node:events: whoever writes as he is cut may hear of it as an error first.
  const ended = new Promise<void>((resolve) => {
    for (const event of ["goaway", "close"]) client.once(event, () => resolve());
  });
  for (let round = 0; round < 400 && !client.closed; round++) {
    for (let count = 0; count < 50 && !client.destroyed && !client.closed; count++) {
      const stream = client.request({
        ":path": "/api/v1/pods",
        authorization: "Bearer root",
      });
      stream.on("error", () => undefined);
      stream.close(constants.NGHTTP2_CANCEL);
    }
    await new Promise<void>((resolve) => realClock.endOfTurn(resolve));
  }
  await ended;
  client.destroy();
  const other = await openTls(bench);
  other.write(`GET /version HTTP/1.1\r\n${asRoot}\r\n`);
  await untilText(other, "gitVersion");
  other.destroy();
});

test("a watch ends properly when the token it was opened with dies", async () => {
  await using bench = await openBench();
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await bench.ask("POST", accounts, { metadata: { name: "bot" } });
  await bench.ask("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "bot" },
    subjects: [{ kind: "ServiceAccount", name: "bot", namespace: "default" }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
  });
  const made = await bench.ask("POST", `${accounts}/bot/token`, {});
  const { token } = (made as { status: { token: string } }).status;
  const socket = await openTls(bench);
  const head = `Host: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
  socket.write(`GET /api/v1/namespaces?watch=1 HTTP/1.1\r\n${head}\r\n`);
  await untilText(socket, "kube-system");
  const rest = untilClosed(socket);
  await bench.ask("DELETE", `${accounts}/bot`);
  expect(await rest).toMatch(/0\r\n\r\n$/);
});

test("repeated headers of impersonation arrive one by one, over both protocols", async () => {
  await using bench = await openBench();
  const body = "{}";
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const groups = `"groups":["a, b","c","système","system:authenticated"]`;
  const socket = await openTls(bench);
  const lines = [
    "Impersonate-User: bob",
    "impersonate-group: a, b",
    "Impersonate-Group: c",
    "IMPERSONATE-GROUP: système",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  socket.write(`POST ${path} HTTP/1.1\r\n${asRoot}${lines.join("\r\n")}\r\n\r\n${body}`);
  await untilText(socket, Buffer.from(groups).toString("latin1"));
  socket.destroy();
  const client = openHttp2(bench);
  const stream = client.request({
    ":method": "POST",
    ":path": path,
    authorization: "Bearer root",
    "content-type": "application/json",
    "impersonate-user": "bob",
    "impersonate-group": ["a, b", "c", Buffer.from("système").toString("latin1")],
  });
  stream.end(body);
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  expect(text).toContain(groups);
  client.destroy();
});
