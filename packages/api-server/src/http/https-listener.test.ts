import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { Agent, type RequestOptions, request as requestHttps } from "node:https";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { gunzipSync } from "node:zlib";
import { openAuthority } from "@homeostat/certificates";
import { openMemoryStore, type Store } from "@homeostat/store";
import { beforeAll, expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";
import { type HttpsListener, listenHttps } from "./https-listener.ts";

interface Identity {
  readonly certificate: string;
  readonly key: string;
}

let authority: Awaited<ReturnType<typeof openAuthority>>;
let serving: Identity;
let admin: Identity;

beforeAll(async () => {
  authority = await openAuthority({ keptIn: "memory" });
  const subject = { commonName: "admin", organizations: ["system:masters"] };
  serving = await authority.issue({
    subject: { commonName: "server" },
    usage: "server",
    names: ["127.0.0.1"],
  });
  admin = await authority.issue({ subject, usage: "client" });
});

interface Bench extends AsyncDisposable {
  readonly store: Store;
  readonly listener: HttpsListener;
  readonly client: ClientHttp2Session;
}

async function openBench(): Promise<Bench> {
  const store = openMemoryStore();
  const server = await createApiServer({ store });
  const { certificate, key } = serving;
  const clientAuthority = authority.certificate;
  const listener = await listenHttps({ server, port: 0, certificate, key, clientAuthority });
  const client = openClient(listener);
  return {
    store,
    listener,
    client,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      await server.close();
      await listener.close();
      await store.close();
    },
  };
}

function openClient({ port }: HttpsListener): ClientHttp2Session {
  const client = connectHttp2(`https://127.0.0.1:${port}`, {
    ca: authority.certificate,
    cert: admin.certificate,
    key: admin.key,
  });
  client.on("error", () => undefined);
  return client;
}

interface Answered {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}

function ask2(
  client: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const stream = client.request(headers, { endStream: body === undefined });
    const chunks: Buffer[] = [];
    let head: Record<string, unknown> = {};
    stream.on("response", (given) => {
      head = given;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () =>
      resolve({ status: Number(head[":status"]), headers: head, body: Buffer.concat(chunks) }),
    );
    stream.on("error", reject);
    if (body !== undefined) stream.end(body);
  });
}

function options1({ port }: HttpsListener): RequestOptions {
  return {
    host: "127.0.0.1",
    port,
    ca: authority.certificate,
    cert: admin.certificate,
    key: admin.key,
    agent: false,
  };
}

function ask1(options: RequestOptions, body?: string | Buffer): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = requestHttps(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const LARGE = 600 * 1024;

function post2(client: ClientHttp2Session, object: unknown): Promise<Answered> {
  const headers = { ":method": "POST", ":path": CONFIG_MAPS, "content-type": "application/json" };
  return ask2(client, headers, JSON.stringify(object));
}

test("HTTP/2 and HTTP/1.1 on one port give the same answer", async () => {
  await using bench = await openBench();
  const two = await ask2(bench.client, { ":path": "/api/v1/namespaces/default" });
  const one = await ask1({ ...options1(bench.listener), path: "/api/v1/namespaces/default" });
  expect(two.status).toBe(200);
  expect(one.status).toBe(200);
  expect(one.body).toEqual(two.body);
});

test("curl gets JSON to read: objects, lists, discovery and refusals", async () => {
  await using bench = await openBench();
  await post2(bench.client, {
    metadata: { name: "a", annotations: {} },
    data: { "x<y": "\u2028" },
  });
  const curl = { "user-agent": "curl/8.14.1" };
  for (const path of [CONFIG_MAPS, `${CONFIG_MAPS}/a`, `${CONFIG_MAPS}/b`, "/api/v1"]) {
    const plain = await ask2(bench.client, { ":path": path });
    const { status, headers, body } = await ask2(bench.client, { ":path": path, ...curl });
    expect(status).toBe(plain.status);
    expect(headers["content-type"]).toBe(plain.headers["content-type"]);
    const spaces = JSON.stringify(JSON.parse(plain.body.toString()), null, 2);
    expect(body.toString().replaceAll("\\u003c", "<")).toBe(spaces.replaceAll("\u2028", "\\u2028"));
  }
  const { port } = bench.listener;
  const unknown = { host: "127.0.0.1", port, ca: authority.certificate, agent: false } as const;
  const headers = { ...curl, authorization: "Bearer none" };
  const refused = await ask1({ ...unknown, path: "/api", headers });
  expect(refused.body.toString()).toMatch(/^\{\n {2}"kind": "Status",\n[^]*"code": 401\n\}$/);
});

test("warnings quote any text as UTF-8 bytes, over both protocols", async () => {
  await using bench = await openBench();
  const object = { metadata: { name: "w" }, "日本\u0001": 1 };
  const two = await post2(bench.client, object);
  const one = await ask1(
    { ...options1(bench.listener), path: CONFIG_MAPS, method: "POST" },
    JSON.stringify({ ...object, metadata: { name: "w1" } }),
  );
  for (const { status, headers } of [one, two]) {
    expect(status).toBe(201);
    const text = Buffer.from(String(headers["warning"]), "latin1").toString();
    expect(text).toBe(String.raw`299 - "unknown field \"日本\\x01\""`);
  }
});

test("more warnings than headers can carry are cut, and the answer arrives", async () => {
  await using bench = await openBench();
  const unknown = Array.from({ length: 90 }, (_, index) => [`${"x".repeat(2_000)}${index}`, 1]);
  const object = { metadata: { name: "w" }, ...Object.fromEntries(unknown) };
  expect((await post2(bench.client, object)).status).toBe(201);
  const one = await ask1(
    { ...options1(bench.listener), path: CONFIG_MAPS, method: "POST" },
    JSON.stringify({ ...object, metadata: { name: "w1" } }),
  );
  expect(one.status).toBe(201);
});

test.for([
  "?watch=1",
  "?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
])("a client that leaves its watch leaves nothing behind: %s", async (query) => {
  await using bench = await openBench();
  await Promise.all(
    [0, 1, 2].map((index) => post2(bench.client, { metadata: { name: `c${index}` } })),
  );
  const client = openClient(bench.listener);
  const streams = [0, 1, 2].map(() => client.request({ ":path": `/api/v1/configmaps${query}` }));
  await Promise.all(
    streams.map((stream) => new Promise((resolve) => stream.once("data", resolve))),
  );
  expect(bench.store.statistics().watchers).toBe(3);
  streams[0]!.close(constants.NGHTTP2_CANCEL);
  await expect.poll(() => bench.store.statistics().watchers).toBe(2);
  client.destroy();
  await expect.poll(() => bench.store.statistics().watchers).toBe(0);
});

test.for(["/api/v1/watch/configmaps", "/api/v1/%77atch/configmaps"])(
  "a client that leaves the old form of watch leaves nothing behind: %s",
  async (path) => {
    await using bench = await openBench();
    await post2(bench.client, { metadata: { name: "c" } });
    const stream = bench.client.request({ ":path": path });
    await new Promise((resolve) => stream.once("data", resolve));
    expect(bench.store.statistics().watchers).toBe(1);
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => bench.store.statistics().watchers).toBe(0);
  },
);

test("a client that leaves its watch over HTTP/1.1 leaves nothing behind", async () => {
  await using bench = await openBench();
  await post2(bench.client, { metadata: { name: "c" } });
  const request = requestHttps({ ...options1(bench.listener), path: "/api/v1/configmaps?watch=1" });
  request.on("error", () => undefined);
  const told = new Promise((resolve) =>
    request.on("response", (response) => {
      response.on("error", () => undefined);
      response.once("data", resolve);
    }),
  );
  request.end();
  await told;
  expect(bench.store.statistics().watchers).toBe(1);
  request.destroy();
  await expect.poll(() => bench.store.statistics().watchers).toBe(0);
});

test("a watch whose time is less than nothing is an empty answer", async () => {
  await using bench = await openBench();
  const answer = await ask2(bench.client, {
    ":path": "/api/v1/configmaps?watch=1&timeoutSeconds=-1",
  });
  expect(answer).toMatchObject({ status: 200, body: Buffer.alloc(0) });
  expect(bench.store.statistics().watchers).toBe(0);
});

test("uploads broken off midway are forgotten, and the server goes on", async () => {
  await using bench = await openBench();
  const headers = { ":method": "POST", ":path": CONFIG_MAPS, "content-type": "application/json" };
  for (let count = 0; count < 3; count++) {
    const stream = bench.client.request(headers);
    stream.on("error", () => undefined);
    stream.write(Buffer.alloc(LARGE, 0x20));
    await new Promise((resolve) => stream.write("{", resolve));
    const closed = new Promise((resolve) => stream.once("close", resolve));
    stream.close(constants.NGHTTP2_CANCEL);
    await closed;
    const request = requestHttps({
      ...options1(bench.listener),
      path: CONFIG_MAPS,
      method: "POST",
    });
    request.on("error", () => undefined);
    await new Promise((resolve) => request.write(Buffer.alloc(LARGE, 0x20), resolve));
    request.destroy();
  }
  const { status } = await post2(bench.client, {
    metadata: { name: "after" },
    data: { big: "x".repeat(LARGE) },
  });
  expect(status).toBe(201);
});

test("requests cancelled at any moment bring nothing down", async () => {
  await using bench = await openBench();
  const headers = { ":method": "POST", ":path": CONFIG_MAPS, "content-type": "application/json" };
  for (let round = 0; round < 20; round++) {
    const streams = Array.from({ length: 20 }, (_, index) => {
      const stream = bench.client.request(
        index % 2 === 0 ? headers : { ":path": "/api/v1/namespaces?limit=1" },
      );
      stream.on("error", () => undefined);
      if (index % 2 === 0) stream.end(JSON.stringify({ metadata: { name: `c${round}-${index}` } }));
      return stream;
    });
    await new Promise((resolve) => bench.client.ping(resolve));
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
  }
  expect((await ask2(bench.client, { ":path": "/version" })).status).toBe(200);
});

test("a body above the limit is refused with a Status", async () => {
  await using bench = await openBench();
  const body = Buffer.alloc(3 * 1024 * 1024 + 1, 0x20);
  const path = { path: CONFIG_MAPS, method: "POST" };
  const { status, body: answer } = await ask1({ ...options1(bench.listener), ...path }, body);
  expect(status).toBe(413);
  expect(JSON.parse(answer.toString())).toMatchObject({
    kind: "Status",
    reason: "RequestEntityTooLarge",
  });
});

test("a large body that came with a watch does not hold up other large bodies", async () => {
  await using bench = await openBench();
  await post2(bench.client, { metadata: { name: "c" } });
  const watch = bench.client.request(
    { ":method": "GET", ":path": "/api/v1/configmaps?watch=1", "content-type": "application/json" },
    { endStream: false },
  );
  watch.end(Buffer.alloc(LARGE, 0x20));
  await new Promise((resolve) => watch.once("data", resolve));
  const { status } = await post2(bench.client, {
    metadata: { name: "big" },
    data: { big: "x".repeat(LARGE) },
  });
  expect(status).toBe(201);
});

test("long answers are compressed when asked for, and a client may leave them halfway", async () => {
  await using bench = await openBench();
  // Nothing that compresses well: what is sent must be more than buffers on the way take.
  const noise = (at: number): string =>
    Array.from({ length: 60_000 }, (_, n) => ((n * 7_919 * (at + 3)) % 99_991).toString(36)).join(
      "",
    );
  const names = Array.from({ length: 40 }, (_, index) => index);
  await Promise.all(
    names.map((at) =>
      post2(bench.client, { metadata: { name: `n${at}` }, data: { noise: noise(at) } }),
    ),
  );
  const headers = { ":path": "/api/v1/namespaces/default/configmaps", "accept-encoding": "gzip" };
  const { headers: head, body } = await ask2(bench.client, headers);
  expect(head["content-encoding"]).toBe("gzip");
  const list = JSON.parse(gunzipSync(body).toString()) as { items: unknown[] };
  expect(list.items).toHaveLength(40);
  const left = bench.client.request({ ...headers, ":method": "GET" }, { endStream: false });
  left.on("error", () => undefined);
  left.end(Buffer.alloc(LARGE, 0x20));
  await new Promise((resolve) => left.once("response", resolve));
  left.close(constants.NGHTTP2_CANCEL);
  expect(
    (await post2(bench.client, { metadata: { name: "z" }, data: { big: "x".repeat(LARGE) } }))
      .status,
  ).toBe(201);
});

test("what is no HTTP is answered or cut, and the server goes on", async () => {
  await using bench = await openBench();
  const { port } = bench.listener;
  for (const text of [
    "\u0000\u0001\u0002\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
  ]) {
    const socket = connectTls({
      host: "127.0.0.1",
      port,
      ca: authority.certificate,
      ALPNProtocols: ["http/1.1"],
    });
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(text);
    socket.resume();
    await closed;
  }
  const plain = connectTcp({ host: "127.0.0.1", port });
  plain.on("error", () => undefined);
  const closed = new Promise((resolve) => plain.once("close", resolve));
  plain.write("GET / HTTP/1.1\r\n\r\n");
  plain.resume();
  await closed;
  expect((await ask2(bench.client, { ":path": "/version" })).status).toBe(200);
});

test("methods that are none are refused with a Status", async () => {
  await using bench = await openBench();
  const { status, body } = await ask2(bench.client, {
    ":method": "BREW",
    ":path": "/api/v1/namespaces",
  });
  expect(status).toBe(405);
  expect(JSON.parse(body.toString())).toMatchObject({ kind: "Status", reason: "MethodNotAllowed" });
});

test("without a certificate a client may see what is public, with a foreign one nothing", async () => {
  await using bench = await openBench();
  const { port } = bench.listener;
  const anonymous = { host: "127.0.0.1", port, ca: authority.certificate, agent: false } as const;
  expect((await ask1({ ...anonymous, path: "/healthz" })).status).toBe(200);
  expect((await ask1({ ...anonymous, path: "/api/v1/namespaces" })).status).toBe(403);
  const elsewhere = await openAuthority({ keptIn: "memory" });
  const subject = { commonName: "admin", organizations: ["system:masters"] };
  const foreign = await elsewhere.issue({ subject, usage: "client" });
  const identity = { cert: foreign.certificate, key: foreign.key };
  expect((await ask1({ ...anonymous, ...identity, path: "/healthz" })).status).toBe(401);
});

test("a new certificate is for new connections; old ones go on", async () => {
  await using bench = await openBench();
  const before = await ask2(bench.client, { ":path": "/healthz" });
  const names = ["127.0.0.1"];
  const next = await authority.issue({ subject: { commonName: "server" }, usage: "server", names });
  bench.listener.setCertificate(next.certificate, next.key);
  const socket = connectTls({
    host: "127.0.0.1",
    port: bench.listener.port,
    ca: authority.certificate,
  });
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  const shown = socket.getPeerX509Certificate()!.toString();
  socket.destroy();
  expect(next.certificate).toContain(shown.trim());
  expect(serving.certificate).not.toContain(shown.trim());
  expect((await ask2(bench.client, { ":path": "/healthz" })).status).toBe(before.status);
});

test("new authorities are for everybody: who is connected comes anew, and what is under way ends first", async () => {
  await using bench = await openBench();
  const agent = new Agent({ keepAlive: true });
  const old = { ...options1(bench.listener), agent, path: "/api/v1/namespaces" };
  expect((await ask1(old)).status).toBe(200);
  const watch = bench.client.request({ ":path": "/api/v1/namespaces?watch=1" });
  watch.on("error", () => undefined);
  await new Promise((resolve) => watch.once("data", resolve));
  const [kept] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
  const closed = [once(bench.client, "goaway"), once(kept!, "close")];
  const next = await openAuthority({ keptIn: "memory" });
  bench.listener.setClientAuthority(next.certificate);
  await Promise.all(closed);
  expect(watch.destroyed).toBe(false);
  watch.close();
  expect((await ask1(old)).status).toBe(401);
  const subject = { commonName: "other", organizations: ["system:masters"] };
  const issued = await next.issue({ subject, usage: "client" });
  const identity = { cert: issued.certificate, key: issued.key };
  expect((await ask1({ ...old, agent: false, ...identity })).status).toBe(200);
  agent.destroy();
});

test("closing ends open watches, idle connections and those that never said a word", async () => {
  await using bench = await openBench();
  await post2(bench.client, { metadata: { name: "c" } });
  const watch = bench.client.request({ ":path": "/api/v1/configmaps?watch=1" });
  watch.on("error", () => undefined);
  await new Promise((resolve) => watch.once("data", resolve));
  const silent = connectTcp({ host: "127.0.0.1", port: bench.listener.port });
  silent.on("error", () => undefined);
  await new Promise((resolve) => silent.once("connect", resolve));
  const idle = connectTls({ ...options1(bench.listener), ALPNProtocols: ["http/1.1"] } as object);
  idle.on("error", () => undefined);
  await new Promise((resolve) => idle.once("secureConnect", resolve));
  await bench.listener.close();
  await bench.listener.close();
  expect(bench.store.statistics().watchers).toBe(0);
  await expect(ask1({ ...options1(bench.listener), path: "/healthz" })).rejects.toThrow(
    "ECONNREFUSED",
  );
});

test("when the plane has closed, requests over open connections are refused with a Status", async () => {
  await using bench = await openBench();
  const { store } = bench;
  const server = await createApiServer({ store });
  const { certificate, key } = serving;
  const clientAuthority = authority.certificate;
  await using listener = await listenHttps({ server, port: 0, certificate, key, clientAuthority });
  const client = openClient(listener);
  expect((await ask2(client, { ":path": "/healthz" })).status).toBe(200);
  await server.close();
  const { status, body } = await ask2(client, { ":path": "/healthz" });
  expect(status).toBe(503);
  expect(JSON.parse(body.toString())).toMatchObject({
    kind: "Status",
    reason: "ServiceUnavailable",
  });
  client.destroy();
});

test("a list that cannot be finished ends broken, not short", async () => {
  await using bench = await openBench();
  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  const data = { filler: "x".repeat(200_000) };
  const made = names.map((name) => post2(bench.client, { metadata: { name }, data }));
  await Promise.all(made);
  const stream = bench.client.request({ ":path": "/api/v1/configmaps" });
  stream.on("error", () => undefined);
  const closed = new Promise((resolve) => stream.once("close", resolve));
  await new Promise((resolve) => stream.once("response", resolve));
  // Meanwhile the states that the list shows are replaced and forgotten.
  const { store } = bench;
  const items = store.list({ prefix: "/registry/configmaps/" }).items;
  await Promise.all(items.map(({ key }) => store.delete(key)));
  await store.compact(store.revision);
  stream.resume();
  await closed;
  expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
});
