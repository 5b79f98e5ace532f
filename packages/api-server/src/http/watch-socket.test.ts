import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { Duplex } from "node:stream";
import { openAuthority } from "@homeostat/certificates";
import { openMemoryStore } from "@homeostat/store";
import { expect, onTestFinished, test } from "vitest";
import { createApiServer } from "../api-server.ts";
import { listenHttps } from "./https-listener.ts";
import { isWatchSocket } from "./watch-socket.ts";

const SWITCH = {
  connection: "Upgrade",
  upgrade: "websocket",
  origin: "https://client",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

type Ask = (
  path: string,
  headers: Record<string, string>,
  body?: string,
) => ReturnType<typeof request>;

async function openServer(): Promise<Ask> {
  const authority = await openAuthority({ keptIn: "memory" });
  const subject = { commonName: "admin", organizations: ["system:masters"] };
  const admin = await authority.issue({ subject, usage: "client" });
  const serving = await authority.issue({
    subject: { commonName: "server" },
    usage: "server",
    names: ["127.0.0.1"],
  });
  const store = openMemoryStore();
  const server = await createApiServer({ store });
  const clientAuthority = authority.certificate;
  const listener = await listenHttps({ server, port: 0, ...serving, clientAuthority });
  onTestFinished(async () => {
    await server.close();
    await listener.close();
    await store.close();
  });
  const tls = { ca: authority.certificate, cert: admin.certificate, key: admin.key, agent: false };
  return (path, headers, body) => {
    const method = body === undefined ? "GET" : "POST";
    const url = `https://127.0.0.1:${listener.port}${path}`;
    const asked = request(url, { ...tls, method, headers });
    asked.end(body);
    return asked;
  };
}

const PATH = "/api/v1/namespaces/default/configmaps";

async function create(ask: Ask, name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  const asked = ask(PATH, { "content-type": "application/json" }, body);
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(201);
}

/** The payload of one text message of less than 64 KiB. */
async function nextMessage(socket: Duplex): Promise<string> {
  const [bytes] = (await once(socket, "data")) as [Buffer];
  expect([bytes[0], bytes[1]]).toEqual([0x81, 126]);
  expect(bytes.length).toBe(4 + bytes.readUInt16BE(2));
  return bytes.subarray(4).toString();
}

test("each event is a message; pings are answered, and the end is said", async () => {
  const ask = await openServer();
  const watch = ask(`${PATH}?watch=true&timeoutSeconds=600`, SWITCH);
  const [response, socket] = (await once(watch, "upgrade")) as [IncomingMessage, Duplex];
  expect(response.statusCode).toBe(101);
  expect(response.headers["sec-websocket-accept"]).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  for (const name of ["one", "two"]) {
    const message = nextMessage(socket);
    await create(ask, name);
    expect(JSON.parse(await message)).toMatchObject({
      type: "ADDED",
      object: { metadata: { name } },
    });
  }
  socket.write(Buffer.from([0x89, 0x82, 0, 0, 0, 0, 104, 105]));
  const [pong] = (await once(socket, "data")) as [Buffer];
  expect([...pong]).toEqual([0x8a, 2, 104, 105]);
  socket.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
  const [goodbye] = (await once(socket, "data")) as [Buffer];
  expect([...goodbye]).toEqual([0x88, 2, 0x03, 0xe8]);
  await once(socket, "end");
  socket.destroy();
});

test("what is no watch, or no client of WebSocket, is answered over HTTP", async () => {
  const ask = await openServer();
  const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => {
    const [response] = (await once(ask(path, headers), "response")) as [IncomingMessage];
    response.destroy();
    return response.statusCode!;
  };
  expect(await statusOf(`${PATH}?watch=false`, SWITCH)).toBe(200);
  expect(await statusOf(`${PATH}?watch=true&labelSelector=((`, SWITCH)).toBe(400);
  expect(await statusOf("/api/v1/nothings?watch=true", SWITCH)).toBe(404);
  const { origin: _, ...unknown } = SWITCH;
  expect(await statusOf(`${PATH}?watch=true`, unknown)).toBe(403);
  expect(await statusOf(`${PATH}?watch=true`, { ...SWITCH, "sec-websocket-version": "8" })).toBe(
    400,
  );
});

test.for([
  ["/api/v1/pods?watch", true],
  ["/api/v1/pods?a=b&watch=1", true],
  ["/api/v1/pods?watch=FALSE", false],
  ["/api/v1/pods?watch=0&a=b", false],
  ["/api/v1/pods?watcher=1", false],
  ["/api/v1/watch/pods", true],
  ["/api/v1/pods", false],
] as const)("%s with an upgrade is a watch over WebSocket: %s", ([url, is]) => {
  const asked = (headers: object): IncomingMessage =>
    ({ method: "GET", url, headers }) as unknown as IncomingMessage;
  expect(isWatchSocket(asked({ upgrade: "WebSocket" }))).toBe(is);
  expect(isWatchSocket(asked({}))).toBe(false);
});
