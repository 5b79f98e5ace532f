import {
  type ApiServer,
  createApiServer,
  DEFAULT_ADMISSION_PLUGINS,
  listenHttps,
} from "@homeostat/api-server";
import { openAuthority } from "@homeostat/certificates";
import type { DoorRequest } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { HttpsTarget } from "./https-target.ts";
import type { AskedPlugins, Target, TargetAnswer, TargetRequest } from "./target.ts";
import { unrepeatedRandom } from "./unrepeated-random.ts";

/** As a client certificate of the admin would make it. */
const adminUser = {
  username: "admin",
  groups: ["system:masters", "system:authenticated"],
  extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${"0".repeat(64)}`] },
};
const admin = { commonName: "admin", organizations: ["system:masters"] };

/** Our server in this process, fresh and empty, over real HTTPS. */
export async function openEmbeddedTarget(
  plugins: AskedPlugins = "NamespaceLifecycle",
): Promise<Target> {
  await using undo = new AsyncDisposableStack();
  const server = undo.use(await openServer(plugins));
  const authority = await openAuthority({ keptIn: "memory" });
  const serving = await authority.issue({
    subject: { commonName: "server" },
    usage: "server",
    names: ["127.0.0.1"],
  });
  const client = await authority.issue({ subject: admin, usage: "client" });
  const listener = undo.use(
    await listenHttps({
      server,
      port: 0,
      certificate: serving.certificate,
      key: serving.key,
      clientAuthority: authority.certificate,
    }),
  );
  const target = undo.use(
    new HttpsTarget({
      name: "homeostat",
      url: `https://127.0.0.1:${listener.port}`,
      ca: authority.certificate,
      clientCertificate: client.certificate,
      clientKey: client.key,
    }),
  );
  const open = undo.move();
  return {
    name: target.name,
    send: (request) => target.send(request),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Our server without sockets: requests go through its in-process door. */
export async function openDoorTarget(
  plugins: AskedPlugins = "NamespaceLifecycle",
): Promise<Target> {
  return doorTarget(await openServer(plugins));
}

/** A server that somebody else made; gone with the target. */
export function doorTarget(server: ApiServer): Target {
  return {
    name: "homeostat in process",
    send: (request) => sendThroughDoor(server, request),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** With the plugins of the peer that was recorded. */
async function openServer(plugins: AskedPlugins): Promise<ApiServer> {
  const isOff = (name: string): boolean => plugins !== "default" && name !== plugins;
  const disabled = DEFAULT_ADMISSION_PLUGINS.filter(isOff);
  return createApiServer({
    store: openMemoryStore(),
    random: unrepeatedRandom(),
    aggregateRoles: false,
    admission: { disabled },
  });
}

async function sendThroughDoor(server: ApiServer, request: TargetRequest): Promise<TargetAnswer> {
  const [path = "", ...query] = request.path.split("?");
  const answer = await server.door.send({
    method: request.method as DoorRequest["method"],
    path,
    query: queryOf(query.join("?")),
    headers: request.headers,
    ...(request.body !== undefined && { body: { kind: "bytes", bytes: request.body } }),
    user: adminUser,
    want: "bytes",
    signal: request.signal,
  });
  const { status, headers } = answer;
  // HTTP takes the body off; the door leaves that to whoever speaks HTTP.
  if (request.method === "HEAD") return { status, headers, chunks: once(new Uint8Array()) };
  switch (answer.kind) {
    case "bytes":
      return { status, headers, chunks: once(answer.bytes) };
    case "byte-stream":
      return { status, headers, chunks: answer.chunks };
    case "object":
    case "watch":
      throw new Error(`Bytes were wanted; the door answered ${answer.kind}`);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function queryOf(text: string): Record<string, string | string[]> {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    query.set(name, [...(query.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    [...query].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  );
}
