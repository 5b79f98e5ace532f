import { type ApiServer, type HttpsListener, listenHttps } from "@homeostat/api-server";
import { type Authority, type Leaf, openAuthority } from "@homeostat/certificates";
import { decodeJson, type WatchFrame } from "@homeostat/object-model";
import { Http1Wire } from "./http1-wire.ts";
import { Http2Wire } from "./http2-wire.ts";
import { openPlane } from "./in-process-plane.ts";
import {
  type PlaneAnswer,
  type PlaneRequest,
  type PlaneUnderTest,
  PlaneWatch,
  type Query,
  RefusedError,
  type Shown,
  warningsOf,
} from "./plane-under-test.ts";
import { bytesOf, type Identity, type Wire, type WireAnswer } from "./wire.ts";

export interface HttpsPlane extends PlaneUnderTest {
  readonly server: ApiServer;
  readonly listener: HttpsListener;
  /** How the administrator shows who it is. */
  readonly identity: Identity;
}

/** Real TLS on a free port, with a client certificate, over the protocol given. */
export async function openHttpsPlane(protocol: "h2" | "http/1.1"): Promise<HttpsPlane> {
  const undo = new AsyncDisposableStack();
  const { clock, store, server } = await openPlane(undo);
  const { authority, serving, admin } = await certificates();
  const listener = undo.use(
    await listenHttps({
      server,
      port: 0,
      certificate: serving.certificate,
      key: serving.key,
      clientAuthority: authority.certificate,
    }),
  );
  // Watches end with the plane, so that the listener has nothing to wait for.
  undo.defer(() => server.close());
  const identity = {
    port: listener.port,
    authority: authority.certificate,
    certificate: admin.certificate,
    key: admin.key,
  };
  const wire = undo.use(protocol === "h2" ? new Http2Wire(identity) : new Http1Wire(identity));
  return {
    clock,
    store,
    server,
    listener,
    identity,
    send: (request) => sendOver(wire, request),
    watch: async (path, query) => {
      const watch = await watchOver(wire, path, query);
      undo.use(watch);
      return watch;
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

export async function sendOver(wire: Wire, request: PlaneRequest): Promise<PlaneAnswer> {
  return wholeAnswer(await wire.send(toWire(request)));
}

export async function watchOver(wire: Wire, path: string, query: Query): Promise<PlaneWatch> {
  const request = { method: "GET", path, query: { watch: "true", ...query } } as const;
  const answer = await wire.send(toWire(request));
  if (answer.status !== 200) throw new RefusedError(`GET ${path}`, await wholeAnswer(answer));
  return new PlaneWatch(answer, { frames: framesOf(answer), stop: () => answer.stop() });
}

function toWire({
  method,
  path,
  query = {},
  headers,
  body,
}: PlaneRequest): Parameters<Wire["send"]>[0] {
  const parameters = new URLSearchParams(query).toString();
  const bytes =
    body === undefined
      ? undefined
      : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return {
    method,
    path: parameters === "" ? path : `${path}?${parameters}`,
    headers: { ...(bytes === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: bytes,
  };
}

async function wholeAnswer(answer: WireAnswer): Promise<PlaneAnswer> {
  const { status, headers } = answer;
  const bytes = await bytesOf(answer);
  const text = bytes.toString();
  const isJson = headers["content-type"] === "application/json" && text !== "";
  const object = (isJson ? decodeJson(bytes) : text) as unknown as Shown;
  return { status, headers, warnings: warningsOf(headers["warning"]), object, text };
}

/** One frame a line; what is left over at the end must be nothing. */
async function* framesOf(answer: WireAnswer): AsyncGenerator<WatchFrame> {
  let open = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.chunks) {
    const lines = (open + decoder.decode(chunk, { stream: true })).split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) yield decodeJson(line) as unknown as WatchFrame;
  }
  if (open !== "" && !answer.stopped())
    throw new Error(`half a line at the end of a watch: ${open}`);
}

interface Certificates {
  readonly authority: Authority;
  readonly serving: Leaf;
  readonly admin: Leaf;
}

let made: Promise<Certificates> | undefined;

/** One authority for all planes of a test file: what is under test is not its making. */
export function certificates(): Promise<Certificates> {
  made ??= makeCertificates();
  return made;
}

async function makeCertificates(): Promise<Certificates> {
  const authority = await openAuthority({ keptIn: "memory" });
  const serving = await authority.issue({
    subject: { commonName: "server" },
    usage: "server",
    names: ["127.0.0.1"],
  });
  const admin = await authority.issue({
    subject: { commonName: "admin", organizations: ["system:masters"] },
    usage: "client",
  });
  return { authority, serving, admin };
}
