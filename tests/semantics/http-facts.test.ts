/** What HTTPS adds to the answers: protocols, limits, compression, who is asking. */
import { constants } from "node:http2";
import { request as ask } from "node:https";
import { connect as connectTcp, type Socket } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";
import { gunzipSync } from "node:zlib";
import { openAuthority } from "@homeostat/certificates";
import { expect, test } from "vitest";
import { Http1Wire } from "./http1-wire.ts";
import { Http2Wire } from "./http2-wire.ts";
import { certificates, type HttpsPlane, openHttpsPlane, sendOver } from "./https-plane.ts";
import type { PlaneAnswer } from "./plane-under-test.ts";
import { Requests, refusalIn } from "./requests.ts";
import { bytesOf, type Identity, type Wire } from "./wire.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const KIBIBYTE = 1024;

function protocolFor(
  plane: HttpsPlane,
  ALPNProtocols: string[] | undefined,
): Promise<string | false> {
  const { port, authority } = plane.identity;
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, ca: authority };
    const socket = connect({ ...options, ...(ALPNProtocols && { ALPNProtocols }) }, () => {
      resolve(socket.alpnProtocol ?? false);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

function wiresOf(identity: Identity): readonly [string, Wire][] {
  return [
    ["h2", new Http2Wire(identity)],
    ["http/1.1", new Http1Wire(identity)],
  ];
}

async function bodyOf(wire: Wire, path: string, encoding?: string) {
  const headers = encoding === undefined ? {} : { "accept-encoding": encoding };
  const answer = await wire.send({ method: "GET", path, headers });
  return { ...answer, bytes: await bytesOf(answer) };
}

test("ALPN chooses HTTP/2 where it is offered and HTTP/1.1 otherwise", async () => {
  await using plane = await openHttpsPlane("h2");
  expect(await protocolFor(plane, ["h2", "http/1.1"])).toBe("h2");
  expect(await protocolFor(plane, ["http/1.1"])).toBe("http/1.1");
  expect(await protocolFor(plane, undefined)).toBe(false);
  const answer = await sendOver(new Http1Wire(plane.identity), { method: "GET", path: "/healthz" });
  expect(answer.text).toBe("ok");
});

test("a connection has 100 streams at once, and one more waits for its turn", async () => {
  await using plane = await openHttpsPlane("h2");
  await using wire = new Http2Wire(plane.identity);
  await sendOver(wire, { method: "GET", path: "/healthz" });
  expect(wire.session.remoteSettings.maxConcurrentStreams).toBe(100);
  const watches = await Promise.all(
    Array.from({ length: 100 }, (_each, at) => {
      const path = `${MAPS}?watch=true&timeoutSeconds=${at === 0 ? 5 : 500}`;
      return wire.send({ method: "GET", path, headers: {} });
    }),
  );
  expect(watches.every(({ status }) => status === 200)).toBe(true);
  let answered = false;
  const more = sendOver(wire, { method: "GET", path: "/healthz" }).then((answer) => {
    answered = true;
    return answer;
  });
  // Whole round trips on another connection, and nothing moves.
  for (let trip = 0; trip < 3; trip++) {
    expect((await plane.send({ method: "GET", path: "/healthz" })).text).toBe("ok");
  }
  expect(answered).toBe(false);
  await plane.clock.advance("5s");
  for await (const chunk of watches[0]!.chunks) expect(chunk.length).toBeGreaterThan(0);
  expect((await more).text).toBe("ok");
  for (const watch of watches) watch.stop();
});

test("long answers are compressed at level 1, and only when that is asked for", async () => {
  await using plane = await openHttpsPlane("h2");
  const requests = new Requests(plane);
  await requests.map("large", { data: { text: "compress me ".repeat(12 * KIBIBYTE) } });
  await requests.create("secrets", { metadata: { name: "small" } });
  for (const [name, wire] of wiresOf(plane.identity)) {
    await using _closed = wire;
    for (const path of [MAPS, `${MAPS}/large`]) {
      const plain = await bodyOf(wire, path);
      expect([name, plain.headers["content-encoding"]]).toEqual([name, undefined]);
      expect(plain.bytes.length).toBeGreaterThan(128 * KIBIBYTE);
      const zipped = await bodyOf(wire, path, "deflate, gzip");
      expect([name, zipped.headers["content-encoding"]]).toEqual([name, "gzip"]);
      expect(zipped.headers["vary"]).toBe("Accept-Encoding");
      expect(zipped.headers["content-length"]).toBeUndefined();
      expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
      // RFC 1952: the extra flags tell the fastest algorithm.
      expect(zipped.bytes[8]).toBe(4);
    }
    for (const other of ["gzip;q=0", "gzip;q=1.0", "x-gzip", "GZIP", "*"]) {
      const { headers } = await bodyOf(wire, MAPS, other);
      expect([other, headers["content-encoding"]]).toEqual([other, undefined]);
    }
    const small = await bodyOf(wire, "/api/v1/namespaces/default/secrets", "gzip");
    expect(small.headers["content-encoding"]).toBeUndefined();
  }
});

test("a watch is never compressed", async () => {
  await using plane = await openHttpsPlane("h2");
  await new Requests(plane).map("large", { data: { text: "x".repeat(200 * KIBIBYTE) } });
  for (const [name, wire] of wiresOf(plane.identity)) {
    await using _closed = wire;
    const path = `${MAPS}?watch=true`;
    const answer = await wire.send({ method: "GET", path, headers: { "accept-encoding": "gzip" } });
    expect([name, answer.headers["content-encoding"]]).toEqual([name, undefined]);
    expect(answer.headers["content-length"]).toBeUndefined();
    const chunks = answer.chunks[Symbol.asyncIterator]();
    const first = await chunks.next();
    const start = '{"type":"ADDED","object":{"kind":"ConfigMap"';
    expect(
      Buffer.from(first.value as Uint8Array)
        .toString()
        .slice(0, start.length),
    ).toBe(start);
    answer.stop();
  }
});

test("a body above 3 MiB is refused and the connection goes on", async () => {
  await using plane = await openHttpsPlane("h2");
  for (const [, wire] of wiresOf(plane.identity)) {
    await using _closed = wire;
    const body = { metadata: { name: "a" }, data: { x: "x".repeat(3 * KIBIBYTE * KIBIBYTE) } };
    expect(refusalIn(await sendOver(wire, { method: "POST", path: MAPS, body }))).toEqual({
      code: 413,
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: limit is 3145728",
    });
    expect((await sendOver(wire, { method: "GET", path: "/healthz" })).text).toBe("ok");
  }
});

test("HEAD answers the head of health endpoints and is refused for resources", async () => {
  await using plane = await openHttpsPlane("h2");
  for (const [name, wire] of wiresOf(plane.identity)) {
    await using _closed = wire;
    const health = await sendOver(wire, { method: "HEAD", path: "/healthz" });
    expect([name, health.status, health.text]).toEqual([name, 200, ""]);
    expect(health.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(health.headers["content-length"]).toBe("2");
    const refused = await sendOver(wire, { method: "HEAD", path: MAPS });
    expect([name, refused.status, refused.text]).toEqual([name, 405, ""]);
  }
});

/** On a connection of its own over each protocol: who is not known gets one answer on HTTP/2. */
async function askAfresh(
  identity: Parameters<typeof wiresOf>[0],
  request: Parameters<typeof sendOver>[1],
): Promise<PlaneAnswer[]> {
  const answers: PlaneAnswer[] = [];
  for (const [, wire] of wiresOf(identity)) {
    await using _closed = wire;
    answers.push(await sendOver(wire, request));
  }
  return answers;
}

test("without a certificate one is anonymous: health and version, nothing else", async () => {
  await using plane = await openHttpsPlane("h2");
  const { port, authority } = plane.identity;
  for (const path of ["/healthz", "/livez", "/readyz", "/version"]) {
    const answers = await askAfresh({ port, authority }, { method: "GET", path });
    expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 200, 200]);
  }
  const refusals = async (request: Parameters<typeof sendOver>[1]): Promise<unknown> =>
    (await askAfresh({ port, authority }, request)).map(refusalIn);
  const listing = {
    code: 403,
    reason: "Forbidden",
    message:
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
    details: { kind: "configmaps" },
  };
  expect(await refusals({ method: "GET", path: MAPS })).toEqual([listing, listing]);
  const discovering = {
    code: 403,
    reason: "Forbidden",
    message: 'forbidden: User "system:anonymous" cannot get path "/api"',
    details: {},
  };
  expect(await refusals({ method: "GET", path: "/api" })).toEqual([discovering, discovering]);
  const path = "/apis/apps/v1/namespaces/x/deployments/d/scale";
  const scaling = {
    code: 403,
    reason: "Forbidden",
    message:
      'deployments.apps "d" is forbidden: User "system:anonymous" cannot update resource "deployments/scale" in API group "apps" in the namespace "x"',
    details: { name: "d", group: "apps", kind: "deployments" },
  };
  expect(await refusals({ method: "PUT", path, body: {} })).toEqual([scaling, scaling]);
});

test("a certificate of another authority is 401, even for what is public", async () => {
  await using plane = await openHttpsPlane("h2");
  const other = await openAuthority({ keptIn: "memory", commonName: "other" });
  const subject = { commonName: "admin", organizations: ["system:masters"] };
  const { certificate, key } = await other.issue({ subject, usage: "client" });
  const refusal = { code: 401, reason: "Unauthorized", message: "Unauthorized" };
  for (const path of [MAPS, "/healthz"]) {
    const answers = await askAfresh(
      { ...plane.identity, certificate, key },
      { method: "GET", path },
    );
    expect(answers.map(refusalIn)).toEqual([refusal, refusal]);
  }
});

test("a certificate without rights is who it says, and forbidden", async () => {
  await using plane = await openHttpsPlane("h2");
  const { authority } = await certificates();
  const subject = { commonName: "jane", organizations: ["readers"] };
  const { certificate, key } = await authority.issue({ subject, usage: "client" });
  await using wire = new Http2Wire({ ...plane.identity, certificate, key });
  expect(refusalIn(await sendOver(wire, { method: "GET", path: "/api/v1/nodes/n" }))).toEqual({
    code: 403,
    reason: "Forbidden",
    message:
      'nodes "n" is forbidden: User "jane" cannot get resource "nodes" in API group "" at the cluster scope',
    details: { name: "n", kind: "nodes" },
  });
});

test("a request that its client gives up leaves nothing behind", async () => {
  await using plane = await openHttpsPlane("h2");
  await using wire = new Http2Wire(plane.identity);
  await sendOver(wire, { method: "GET", path: "/healthz" });
  const before = plane.store.statistics().watchers;
  const gone = plane.clock.timerSet(3000);
  const stream = wire.session.request({ ":path": `${MAPS}?resourceVersion=99999` });
  stream.on("error", () => undefined);
  stream.on("close", () => undefined);
  await gone;
  const watch = await wire.send({ method: "GET", path: `${MAPS}?watch=true`, headers: {} });
  expect(plane.store.statistics().watchers).toBe(before + 1);
  stream.close(constants.NGHTTP2_CANCEL);
  watch.stop();
  // Frames of one connection are in order: when this is answered, the others have been cancelled.
  await sendOver(wire, { method: "GET", path: "/healthz" });
  await sendOver(wire, { method: "GET", path: "/healthz" });
  expect(plane.store.statistics().watchers).toBe(before);
});

test("HTTP/1.1 takes request heads up to a mebibyte", async () => {
  await using plane = await openHttpsPlane("http/1.1");
  await new Requests(plane).map("a", { metadata: { labels: { n: "v00007" } } });
  const values = Array.from({ length: 70_000 }, (_each, at) => `v${String(at).padStart(5, "0")}`);
  const query = { labelSelector: `n in (${values.join(",")})` };
  const answer = await plane.send({ method: "GET", path: MAPS, query });
  expect(answer.object.items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
});

test("HTTP/2 announces how long a request head may be, and takes it", async () => {
  await using plane = await openHttpsPlane("h2");
  await using wire = new Http2Wire(plane.identity);
  // Beyond this, Node would end the whole connection: clients have to be told.
  await sendOver(wire, { method: "GET", path: "/healthz" });
  expect(wire.session.remoteSettings.maxHeaderListSize).toBeLessThanOrEqual(64 * KIBIBYTE);
  const values = Array.from({ length: 8000 }, (_each, at) => `v${at}`);
  const query = { labelSelector: `n in (${values.join(",")})` };
  expect((await sendOver(wire, { method: "GET", path: MAPS, query })).status).toBe(200);
});

test("HTTP/1.1 connections are kept longer than clients pause", async () => {
  await using plane = await openHttpsPlane("http/1.1");
  const { headers } = await plane.send({ method: "GET", path: "/healthz" });
  const [, seconds = "Infinity"] = /timeout=(\d+)/.exec(String(headers["keep-alive"] ?? "")) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(90);
});

test("a client may ask before it sends, and may send without saying how much", async () => {
  await using plane = await openHttpsPlane("http/1.1");
  const { port, authority: ca, certificate: cert, key } = plane.identity;
  const headers = { expect: "100-continue", "content-type": "application/json" };
  const status = await new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, ca, cert, key, agent: false } as const;
    const request = ask({ ...options, method: "POST", path: MAPS, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.once("error", reject);
    request.once("continue", () => {
      request.write('{"metadata":');
      request.end('{"name":"a"}}');
    });
    request.flushHeaders();
  });
  expect(status).toBe(201);
});

test("clients that break off anywhere harm nobody", async () => {
  await using plane = await openHttpsPlane("h2");
  const { port, authority: ca, certificate: cert, key } = plane.identity;
  const watch = await plane.watch(MAPS, {});
  const closed = (socket: Socket): Promise<void> =>
    new Promise((resolve) => socket.once("close", () => resolve()).on("error", () => undefined));
  const breaking: Promise<void>[] = [];
  for (let at = 0; at < 10; at++) {
    // No TLS at all.
    const plain = connectTcp(port, "127.0.0.1", () => plain.write("GET / HTTP/1.1\r\n\r\n"));
    breaking.push(closed(plain));
    // Gone in the handshake.
    const rude = connectTcp(port, "127.0.0.1", () => rude.destroy());
    breaking.push(closed(rude));
    // Gone in the middle of a body, and a head that is none.
    for (const text of [
      `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"metadata"`,
      "NOT HTTP AT ALL\r\n\r\n",
    ]) {
      const options = { host: "127.0.0.1", port, ca, cert, key, ALPNProtocols: ["http/1.1"] };
      const half = connect(options as ConnectionOptions, () => half.write(text, () => half.end()));
      half.resume();
      breaking.push(closed(half));
    }
    const wire = new Http2Wire(plane.identity);
    const stream = wire.session.request({ ":method": "POST", ":path": MAPS });
    stream.on("error", () => undefined);
    stream.write("{", () => wire.session.destroy());
    breaking.push(new Promise((resolve) => stream.once("close", resolve)));
  }
  await Promise.all(breaking);
  await new Requests(plane).map("a");
  expect(await watch.changes(1)).toEqual(["ADDED a"]);
});
