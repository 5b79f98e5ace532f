/**
 * The server has credentials of its own for nodes: nobody gets to use them for more than the one
 * request that was authorized. More of the same, with every protocol, is in tests/kubelet.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAuthority } from "@homeostat/certificates";
import { realClock } from "@homeostat/concurrency";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FakeKubelet } from "../kubelet/fake-kubelet.ts";
import { RawConnection } from "./raw-connection.ts";
import { attackedServer, pause, tokenHeader } from "./server-under-attack.ts";

const server = attackedServer();
const POD = "/api/v1/namespaces/default/pods/web";
const EXEC = `${POD}/exec?command=true&stdout=1`;
const UPGRADE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Protocol: v5.channel.k8s.io",
];
const SMUGGLED = "GET /pods HTTP/1.1\r\nHost: kubelet\r\n\r\n";
let kubelet: FakeKubelet;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "homeostat-deputy-"));
  const authority = await openAuthority({ keptIn: "memory" });
  const serving = await authority.issue({
    subject: { commonName: "kubelet" },
    usage: "server",
    names: ["127.0.0.1"],
  });
  kubelet = await FakeKubelet.start({
    clock: realClock,
    certificate: serving.certificate,
    key: serving.key,
    clientAuthority: server().identity.authority,
    folder,
  });
  const merge = { method: "PATCH", type: "application/merge-patch+json" };
  await server().expect(201, {
    method: "POST",
    path: "/api/v1/nodes",
    body: { metadata: { name: "n" } },
  });
  await server().expect(200, {
    ...merge,
    path: "/api/v1/nodes/n/status",
    body: {
      status: {
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
      },
    },
  });
  await server().expect(201, {
    method: "POST",
    path: "/api/v1/namespaces/default/pods",
    body: {
      metadata: { name: "web" },
      spec: {
        nodeName: "n",
        automountServiceAccountToken: false,
        containers: [{ name: "main", image: "i" }],
      },
    },
  });
});

beforeEach(() => {
  kubelet.requests.length = 0;
  kubelet.upgradeAnswer = undefined;
});

afterAll(async () => {
  await kubelet[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function upgrade(
  path: string,
  as: "mallory" | "nobody" | "root",
  more: { readonly headers?: readonly string[]; readonly behind?: string } = {},
): Promise<RawConnection> {
  const connection = await RawConnection.open(server().identity, "http/1.1");
  const { authorization } = tokenHeader(as);
  const who = authorization === undefined ? [] : [`Authorization: ${authorization}`];
  const lines = [`GET ${path} HTTP/1.1`, "Host: x", ...who, ...(more.headers ?? UPGRADE)];
  connection.write(`${lines.join("\r\n")}\r\n\r\n${more.behind ?? ""}`);
  await connection.until(/^HTTP[^]*\r\n\r\n/);
  return connection;
}

test.each([
  ["200 OK\r\ncontent-length: 2\r\n\r\nok", 500],
  ["302 Found\r\nlocation: /pods\r\ncontent-length: 0\r\n\r\n", 500],
  ["403 Forbidden\r\ncontent-length: 2\r\n\r\nno", 403],
  ["101 Switching Protocols\r\n\r\n", 500],
  ["garbage", 500],
])(
  "a node that answers %j to an upgrade gets nothing more from the caller",
  async (said, status) => {
    await server().during(async () => {
      kubelet.upgradeAnswer = `HTTP/1.1 ${said}`;
      using connection = await upgrade(EXEC, "root", { behind: SMUGGLED });
      connection.write(SMUGGLED);
      await Promise.race([connection.closed, pause(1500)]);
      const first = connection.statuses()[0];
      expect(first === undefined || first === status || first >= 400 || first === 101).toBe(true);
      expect(kubelet.requests.map(({ url }) => url.split("?", 1)[0])).toEqual([
        "/exec/default/web/main",
      ]);
    });
  },
);

test("an upgrade without the right reaches no node, whatever follows it", async () => {
  await server().during(async () => {
    for (const as of ["mallory", "nobody"] as const) {
      using connection = await upgrade(EXEC, as, { behind: SMUGGLED });
      expect(connection.statuses()[0]).toBe(403);
      await Promise.race([connection.closed, pause(500)]);
    }
    expect(kubelet.requests).toEqual([]);
  });
});

test.each([
  ["/api/v1/namespaces/bystander/secrets", "mallory", [403]],
  ["/api/v1/namespaces/bystander/configmaps", "root", [200, 400]],
  ["/healthz", "nobody", [200]],
  ["/nothing", "root", [404]],
] as const)("an upgrade of %s by %s is an ordinary request", async (path, as, statuses) => {
  await server().during(async () => {
    using connection = await upgrade(path, as);
    expect(statuses).toContain(connection.statuses()[0]);
    expect(connection.statuses()).not.toContain(101);
  });
});

test.each([
  [
    "HTTP/2 in clear",
    ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"],
  ],
  ["two protocols", ["Connection: Upgrade", "Upgrade: websocket, SPDY/3.1, h2c"]],
  ["a protocol that is none", ["Connection: Upgrade", "Upgrade: ../../etc/passwd"]],
  ["an upgrade without a connection header", ["Upgrade: websocket"]],
  ["a connection header without an upgrade", ["Connection: Upgrade"]],
  [
    "a header to drop credentials",
    ["Connection: Upgrade, Authorization", "Upgrade: websocket", ...UPGRADE.slice(2)],
  ],
])("%s does not confuse who asks", async (_, headers) => {
  await server().during(async () => {
    using connection = await upgrade(EXEC, "mallory", { headers });
    expect([400, 403, 501]).toContain(connection.statuses()[0]);
    expect(kubelet.requests).toEqual([]);
  });
});

test("a token in a protocol name is a token, and does not go on", async () => {
  await server().during(async () => {
    const encoded = Buffer.from(tokenHeader("root")["authorization"]!.slice(7)).toString(
      "base64url",
    );
    const protocols = `base64url.bearer.authorization.k8s.io.${encoded}, v5.channel.k8s.io`;
    const headers = [
      ...UPGRADE.slice(0, 4),
      `Sec-WebSocket-Protocol: ${protocols}`,
      "X-Remote-User: root",
    ];
    using connection = await upgrade(EXEC, "nobody", { headers });
    expect(connection.statuses()[0]).toBe(101);
    const [seen] = kubelet.requests;
    expect(JSON.stringify(seen!.headers)).not.toContain(encoded);
    expect(seen!.headers).not.toHaveProperty("x-remote-user");
    expect(seen!.headers).not.toHaveProperty("authorization");
    expect(seen!.headers).not.toHaveProperty("impersonate-user");
  });
});

test.each([
  ["command=../../run", "/exec/default/web/main"],
  ["command=true&container=..%2f..%2f..%2fpods", ""],
  ["command=true&container=main%2f..%2f..", ""],
  ["command=a%0d%0aX-Injected:%201", "/exec/default/web/main"],
  ["command=a&stdin=1%26container=x", "/exec/default/web/main"],
])("?%s cannot choose another endpoint of the node", async (query, path) => {
  await server().during(async () => {
    using connection = await upgrade(`${POD}/exec?stdout=1&${query}`, "root");
    await connection.until(/(?!)/, 50);
    const paths = kubelet.requests.map(({ url }) => url.split("?", 1)[0]);
    expect(paths).toEqual(path === "" ? [] : [path]);
    for (const { headers } of kubelet.requests) expect(headers).not.toHaveProperty("x-injected");
  });
});

test("logs are asked for by options only, and never by the caller's own words", async () => {
  await server().during(async () => {
    for (const query of [
      "container=..%2f..%2fpods",
      "container=main&x=%2f..%2f..",
      "tailLines=1%26follow=1",
    ]) {
      await server().send({ path: `${POD}/log?${query}` });
    }
    for (const { url, headers } of kubelet.requests) {
      expect(url).toMatch(/^\/containerLogs\/default\/web\/main(\?|$)/);
      expect(headers).not.toHaveProperty("authorization");
    }
  });
});
