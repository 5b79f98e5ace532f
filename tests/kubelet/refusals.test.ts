import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { realClock } from "@homeostat/concurrency";
import { expect, onTestFinished, test } from "vitest";
import type { ApiAccess } from "./api-client.ts";
import { ApiClient } from "./api-client.ts";
import { type KubeletPlane, type KubeletPlaneOptions, openKubeletPlane } from "./kubelet-plane.ts";
import { podOnNode } from "./pod-on-node.ts";
import { untilClosed } from "./until-closed.ts";

async function open(options?: KubeletPlaneOptions): Promise<KubeletPlane> {
  const plane = await openKubeletPlane(options);
  onTestFinished(() => plane[Symbol.asyncDispose]());
  return plane;
}

const WEB_SOCKET = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-protocol": "v5.channel.k8s.io",
};

interface RawRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A connection on which one request was sent, byte by byte as written here. */
async function connection(
  { url, authority, certificate, key }: ApiAccess,
  { path, method = "GET", headers = WEB_SOCKET }: RawRequest,
): Promise<TLSSocket> {
  const socket = connectTls({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    ca: authority,
    ...(certificate === undefined ? {} : { cert: certificate, key }),
    ALPNProtocols: ["http/1.1"],
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  // Whoever reads hears of a connection that was cut; who only waits for its end does not mind.
  socket.on("error", () => undefined);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: plane\r\n${lines.join("")}\r\n`);
  return socket;
}

async function rawAnswer(access: ApiAccess, request: RawRequest): Promise<string> {
  return text(await connection(access, request));
}

test("a log is asked for with the server's certificate and only with what its options mean", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  plane.kubelet.log("default/web/main").append("hello");
  const headers = { "x-own": "1", authorization: "Bearer x", accept: "text/plain" };
  const query = "tailLines=5&timestamps=0&sinceTime=2020-01-01T00:00:00%2B01:00&odd=1";
  const answer = await plane.api.send("GET", `${pod}/log?${query}`, { headers });
  expect(answer).toMatchObject({ status: 200, text: "hello\n" });
  expect(answer.headers["content-type"]).toBe("text/plain");
  expect(plane.kubelet.requests).toHaveLength(1);
  const [seen] = plane.kubelet.requests;
  expect(seen).toMatchObject({
    method: "GET",
    url: "/containerLogs/default/web/main?sinceTime=2019-12-31T23%3A00%3A00Z&tailLines=5",
    client: "kube-apiserver-kubelet-client",
  });
  expect(Object.keys(seen!.headers)).toEqual(["host", "connection"]);
});

test("what a kubelet says against a log is told as it is, and a redirect is not followed", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  expect(await plane.api.send("GET", `${pod}/log`)).toMatchObject({
    status: 404,
    text: expect.stringContaining(
      "the server could not find the requested resource ( pods/log web)",
    ),
  });
  plane.kubelet.intercept = (_, response) => {
    response.writeHead(302, { location: `https://127.0.0.1:${plane.kubelet.port}/pods` }).end();
    return true;
  };
  expect(await plane.api.send("GET", `${pod}/log`)).toMatchObject({
    status: 500,
    text: expect.stringContaining(": redirects forbidden"),
  });
  expect(plane.kubelet.requests).toHaveLength(2);
  await plane.kubelet.stop();
  const gone = await plane.api.send("GET", `${pod}/log`);
  expect(gone.status).toBe(500);
  expect(gone.text).toMatch(
    /Get \\"https:\/\/127\.0\.0\.1:\d+\/containerLogs\/default\/web\/main\\": dial tcp 127\.0\.0\.1:\d+: connect: connection refused/,
  );
});

test("upgrades need the right to create, whoever may only read is refused before anything is dialled", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  const role = (verbs: readonly string[]): object => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "runner" },
    rules: [{ apiGroups: [""], resources: ["pods/exec"], verbs }],
  });
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  await plane.api.ask("POST", `${rbac}/clusterroles`, { body: role(["get"]) });
  await plane.api.ask("POST", `${rbac}/clusterrolebindings`, {
    body: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "runner" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "runner" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "reader" }],
    },
  });
  const reader = await plane.accessOf("reader", []);
  const path = `${pod}/exec?command=true&stdout=1`;
  const refused = await rawAnswer(reader, { path });
  expect(refused).toMatch(/^HTTP\/1\.1 403 Forbidden/);
  expect(refused).toContain('pods \\"web\\" is forbidden: ');
  const posted = await rawAnswer(reader, { path, method: "POST" });
  expect(posted).toContain('cannot create resource \\"pods/exec\\"');
  expect(plane.kubelet.requests).toEqual([]);
  await plane.api.ask("PUT", `${rbac}/clusterroles/runner`, { body: role(["get", "create"]) });
  expect(await rawAnswer(reader, { path })).toMatch(/^HTTP\/1\.1 101 Switching Protocols/);
});

test("who cannot say who they are gets no connection to a node", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  const { url, authority } = plane.access;
  const path = `${pod}/exec?command=true&stdout=1`;
  expect(await rawAnswer({ url, authority }, { path })).toMatch(/^HTTP\/1\.1 403 /);
  const headers = { ...WEB_SOCKET, authorization: "Bearer wrong" };
  expect(await rawAnswer({ url, authority }, { path, headers })).toMatch(/^HTTP\/1\.1 401 /);
  expect(plane.kubelet.requests).toEqual([]);
});

test("an upgrade carries neither the caller's credentials nor what is between caller and server", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  const token = "base64url.bearer.authorization.k8s.io.c2VjcmV0";
  const headers = {
    ...WEB_SOCKET,
    "sec-websocket-protocol": `${token}, v5.channel.k8s.io`,
    "impersonate-user": "admin",
    "impersonate-group": "system:masters",
    "x-remote-user": "root",
    te: "trailers",
  };
  const path = `${pod}/exec?command=echo&command=a%20b&stdout=1`;
  const answer = await rawAnswer(plane.access, { path, headers });
  expect(answer).toMatch(/^HTTP\/1\.1 101 Switching Protocols/);
  expect(answer).toContain("a b\n");
  const [seen] = plane.kubelet.requests;
  expect(seen!.url).toBe("/exec/default/web/main?command=echo&command=a+b&output=1");
  expect(Object.keys(seen!.headers).sort()).toEqual([
    "connection",
    "host",
    "sec-websocket-key",
    "sec-websocket-protocol",
    "sec-websocket-version",
    "upgrade",
    "x-forwarded-for",
  ]);
  expect(seen!.headers["sec-websocket-protocol"]).toBe("v5.channel.k8s.io");
});

test.each([
  [
    "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
    500,
    "invalid upgrade response: status code 200",
  ],
  [
    "HTTP/1.1 302 Found\r\nlocation: https://127.0.0.1/\r\ncontent-length: 0\r\n\r\n",
    500,
    "invalid upgrade response: status code 302",
  ],
  ["HTTP/1.1 403 Forbidden\r\ncontent-length: 5\r\n\r\nnever", 403, "never"],
])(
  "a node that answers %j instead of switching gets no second request",
  async (said, status, told) => {
    const plane = await open();
    const pod = await podOnNode(plane);
    plane.kubelet.upgradeAnswer = said;
    const socket = await connection(plane.access, { path: `${pod}/exec?command=true&stdout=1` });
    // What would have reached the kubelet with the server's rights, had the connection been left open.
    socket.write("GET /pods HTTP/1.1\r\nhost: kubelet\r\n\r\n");
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(told);
    expect(plane.kubelet.requests).toHaveLength(1);
  },
);

test("either end of an upgraded connection ends the other", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  const path = `${pod}/attach?stdin=1&stdout=1`;
  const first = await connection(plane.access, { path });
  await once(first, "data");
  const [atNode] = plane.kubelet.sockets;
  first.destroy();
  await untilClosed(atNode!);
  const second = await connection(plane.access, { path });
  await once(second, "data");
  for (const socket of plane.kubelet.sockets) socket.destroy();
  second.resume();
  await untilClosed(second);
  expect(plane.kubelet.sockets.size).toBe(0);
});

test("a caller that does not read holds up the node, not the server's memory", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  const path = `${pod}/exec?command=cat&command=/dev/zero&stdout=1`;
  const socket = await connection(plane.access, { path });
  await once(socket, "data");
  socket.pause();
  // The kubelet's own buffer grows once everything between is full.
  const [atNode] = plane.kubelet.sockets;
  while (atNode!.writableLength < 1024 * 1024) {
    await new Promise<void>((done) => realClock.endOfTurn(done));
  }
  socket.destroy();
  await untilClosed(atNode!);
  expect(plane.kubelet.sockets.size).toBe(0);
});

test("without an upgrade there is no exec, and its options are refused before", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  await podOnNode(plane, {
    name: "two",
    containers: [
      { name: "a", image: "x" },
      { name: "b", image: "x" },
    ],
  });
  const said = async (path: string, method = "GET"): Promise<[number, string]> => {
    const { status, text: body } = await plane.api.send(method, path);
    return [status, (JSON.parse(body) as { message: string }).message];
  };
  const pods = "/api/v1/namespaces/default/pods";
  expect(await said(`${pod}/exec`)).toEqual([400, "Upgrade request required"]);
  expect(await said(`${pod}/exec`, "POST")).toEqual([400, "Upgrade request required"]);
  expect(await said(`${pod}/portforward?ports=x`)).toEqual([
    400,
    'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax',
  ]);
  expect(await said(`${pods}/two/exec`)).toEqual([
    400,
    "a container name must be specified for pod two, choose one of: [a b]",
  ]);
  expect(await said(`${pods}/two/log?container=c`)).toEqual([
    400,
    "container c is not valid for pod two",
  ]);
  expect(await said(`${pod}/exec?dryRun=All`)).toEqual([400, "dryRun is not supported"]);
  expect(await said(`${pod}/exec`, "PUT")).toEqual([
    405,
    "the server does not allow this method on the requested resource",
  ]);
  expect(plane.kubelet.requests).toEqual([]);
});

test("a proxy passes requests on as they are, and answers back", async () => {
  const plane = await open();
  const seen: IncomingMessage[] = [];
  const workload = createServer((request, response) => {
    seen.push(request);
    if (request.url === "/moved") {
      response.writeHead(302, { location: "/to?a=1", "access-control-allow-origin": "*" }).end();
      return;
    }
    void text(request).then((body) =>
      response
        .writeHead(201, { "content-type": "text/html", "set-cookie": ["a=1", "b=2"] })
        .end(`${request.method} ${body}`),
    );
  });
  onTestFinished(() => void workload.close());
  await new Promise<void>((done) => void workload.listen(0, "127.0.0.1", done));
  const { port } = workload.address() as AddressInfo;
  await podOnNode(plane);
  const proxy = `/api/v1/namespaces/default/pods/web:${port}/proxy`;
  const answer = await plane.api.send("POST", `${proxy}/a%20b/../c;d?q=%26&r=1`, {
    body: { a: 1 },
    headers: { accept: "text/html", "x-own": "1", cookie: "c=1" },
  });
  expect(answer).toMatchObject({ status: 201, text: 'POST {"a":1}' });
  expect(answer.headers["content-type"]).toBe("text/html");
  expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  expect(seen[0]!.url).toBe("/c;d?q=%26&r=1");
  expect(seen[0]!.headers).toMatchObject({
    accept: "text/html",
    "x-own": "1",
    cookie: "c=1",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-uri": `${proxy}/c;d`,
  });
  const moved = await plane.api.send("GET", `${proxy}/moved`);
  expect(moved.status).toBe(302);
  expect(moved.headers.location).toBe(`${proxy}/to?a=1`);
  expect(moved.headers).not.toHaveProperty("access-control-allow-origin");
  const bare = await plane.api.send("GET", `${proxy}?x=1`);
  expect([bare.status, bare.headers.location]).toEqual([301, `${proxy}/?x=1`]);
  expect((await plane.api.send("HEAD", `${proxy}/`)).status).toBe(201);
  expect((await plane.api.send("OPTIONS", `${proxy}/`)).text).toBe("OPTIONS ");
  expect(seen.map(({ method }) => method)).toEqual(["POST", "GET", "HEAD", "OPTIONS"]);
});

test("a service's proxy says what it lacks", async () => {
  const plane = await open();
  const namespace = "/api/v1/namespaces/default";
  await plane.api.ask("POST", `${namespace}/services`, {
    body: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { ports: [{ name: "http", port: 80 }] },
    },
  });
  const said = async (id: string): Promise<[number, string]> => {
    const answer = await plane.api.send("GET", `${namespace}/services/${id}/proxy/`);
    return [answer.status, (JSON.parse(answer.text) as { message: string }).message];
  };
  expect(await said("web:http")).toEqual([404, 'services "web" not found']);
  expect(await said("web:81")).toEqual([503, 'no service port 81 found for service "web"']);
  expect(await said("a:b:c:d")).toEqual([400, 'invalid service request "a:b:c:d"']);
  await plane.api.ask("POST", `${namespace}/endpoints`, {
    body: { apiVersion: "v1", kind: "Endpoints", metadata: { name: "web" } },
  });
  expect(await said("web:80")).toEqual([503, 'no endpoints available for service "web"']);
});

test("loopback and link-local addresses are not reached through a proxy unless that is allowed", async () => {
  const plane = await open({ allowLocalAddresses: false });
  await podOnNode(plane);
  await podOnNode(plane, { name: "metadata", ip: "169.254.169.254" });
  await podOnNode(plane, { name: "six", ip: "::1" });
  const refused = { status: 400, text: expect.stringContaining('"message":"address not allowed"') };
  const pods = "/api/v1/namespaces/default/pods";
  for (const name of ["web", "metadata:80", "six:80", "https:six:443"]) {
    expect(await plane.api.send("GET", `${pods}/${name}/proxy/`)).toMatchObject(refused);
  }
  const { port } = plane.kubelet;
  for (const name of ["node-1", `node-1:${port}`, "node-1:22"]) {
    expect(await plane.api.send("GET", `/api/v1/nodes/${name}/proxy/`)).toMatchObject(refused);
  }
  const upgrade = await rawAnswer(plane.access, { path: `${pods}/web:80/proxy/` });
  expect(upgrade).toMatch(/^HTTP\/1\.1 400 /);
  // Names are looked up once, and what they stand for is checked.
  await plane.api.ask("PATCH", "/api/v1/nodes/node-1/status", {
    type: "application/merge-patch+json",
    body: { status: { addresses: [{ type: "Hostname", address: "localhost" }] } },
  });
  expect(await plane.api.send("GET", "/api/v1/nodes/node-1/proxy/")).toMatchObject(refused);
  expect(plane.kubelet.requests).toEqual([]);
});

test("an Upgrade header where there is nothing to upgrade to means nothing", async () => {
  const plane = await open();
  const headers = { ...WEB_SOCKET, connection: "Upgrade, close" };
  const answer = await rawAnswer(plane.access, { path: "/api/v1/namespaces/default", headers });
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  using other = new ApiClient(plane.access);
  expect((await other.send("GET", "/readyz")).status).toBe(200);
});

test("an upgraded connection ends with the credential it was opened with", async () => {
  const plane = await open();
  const pod = await podOnNode(plane);
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await plane.api.ask("POST", accounts, {
    body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "runner" } },
  });
  const apiVersion = "rbac.authorization.k8s.io/v1";
  await plane.api.ask("POST", `/apis/${apiVersion}/clusterrolebindings`, {
    body: {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name: "runner" },
      roleRef: {
        apiGroup: "rbac.authorization.k8s.io",
        kind: "ClusterRole",
        name: "cluster-admin",
      },
      subjects: [{ kind: "ServiceAccount", name: "runner", namespace: "default" }],
    },
  });
  const { status } = await plane.api.ask("POST", `${accounts}/runner/token`, {
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  });
  const { token } = status as { token: string };
  const { url, authority } = plane.access;
  const headers = { ...WEB_SOCKET, authorization: `Bearer ${token}` };
  const path = `${pod}/attach?stdin=1&stdout=1`;
  const socket = await connection({ url, authority }, { path, headers });
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 101 /);
  expect(plane.kubelet.requests.at(-1)!.headers).not.toHaveProperty("authorization");
  const [atNode] = plane.kubelet.sockets;
  socket.resume();
  await plane.api.ask("DELETE", `${accounts}/runner`);
  await Promise.all([untilClosed(socket), untilClosed(atNode!)]);
  expect(plane.kubelet.sockets.size).toBe(0);
});

test("a workload may change the protocol too, and answers that are too much are failures", async () => {
  const plane = await open();
  const workload = createServer((request, response) => {
    if (request.url === "/unasked")
      response.socket!.end("HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n");
    else response.writeHead(200, { "x-long": "y".repeat(100_000) }).end();
  });
  workload.on("upgrade", (request, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\nconnection: Upgrade\r\n\r\n`,
    );
    socket.end(`${request.url} ${String(request.headers["x-forwarded-for"])}`);
  });
  onTestFinished(() => void workload.close());
  await new Promise<void>((done) => void workload.listen(0, "127.0.0.1", done));
  const { port } = workload.address() as AddressInfo;
  await podOnNode(plane);
  const proxy = `/api/v1/namespaces/default/pods/web:${port}/proxy`;
  const headers = { connection: "Upgrade", upgrade: "echo" };
  const answer = await rawAnswer(plane.access, { path: `${proxy}/ws?a=b`, headers });
  expect(answer).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
  expect(answer).toMatch(/\r\n\r\n\/ws\?a=b (?:::ffff:)?127\.0\.0\.1$/);
  for (const path of ["unasked", "long"]) {
    const failed = await plane.api.send("GET", `${proxy}/${path}`);
    expect(failed.status).toBe(503);
    expect(failed.text).toContain("error trying to reach service: ");
  }
});
