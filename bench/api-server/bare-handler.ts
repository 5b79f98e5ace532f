// The floor of `npm run bench -- api-server`: as little as a Node HTTPS server (HTTP/2 and HTTP/1.1)
// can do that still parses, commits to the durable store before it answers, and stringifies. Reads and
// lists send kept bytes, a label has an index, a watch event is encoded once. It knows no kinds, checks
// nothing, forgets everything at its end, and is good for nothing else.
// As a program: `node bare-handler.ts '<JSON of BareHandlerOptions>'` prints its URL when it listens.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createSecureServer, createServer } from "node:http2";
import { join } from "node:path";
import { openSqliteStore } from "@homeostat/store";
import { type BareAnswer, type BareRequest, serveHttp1, serveHttp2 } from "./bare-exchange.ts";
import { BareObjects } from "./bare-objects.ts";

export interface BareHandlerOptions {
  /** Holds ca.crt, server.crt and server.key. */
  readonly certificates: string;
  /** The store's. */
  readonly directory: string;
  /** 0: any free one. */
  readonly port: number;
  /** Without TLS and HTTP/1.1: HTTP/2 in plain text, to see what TLS costs. */
  readonly plain?: boolean;
}

export interface BareHandler extends AsyncDisposable {
  readonly url: string;
}

/** Serves on a loopback port until it is disposed. */
export async function serveBareHandler(options: BareHandlerOptions): Promise<BareHandler> {
  const file = (name: string): Buffer => readFileSync(join(options.certificates, name));
  const store = openSqliteStore({ directory: options.directory });
  const objects = new BareObjects(store);
  const settings = { maxConcurrentStreams: 100 };
  const server = options.plain
    ? createServer({ settings })
    : createSecureServer({
        allowHTTP1: true,
        cert: file("server.crt"),
        key: file("server.key"),
        ca: file("ca.crt"),
        requestCert: true,
        settings,
      });
  const answer = (request: BareRequest): Promise<BareAnswer> => handle(objects, request);
  server.on("request", serveHttp1(answer));
  // Listening for "request" makes Node wrap HTTP/2 streams too: those are ours.
  server.removeAllListeners("stream").on("stream", serveHttp2(answer));
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  return {
    url: `${options.plain ? "http" : "https"}://127.0.0.1:${(server.address() as { port: number }).port}`,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      server.close();
      await store.close();
    },
  };
}

async function handle(objects: BareObjects, request: BareRequest): Promise<BareAnswer> {
  const { path, query } = splitTarget(request.target);
  const place = pathPattern.exec(path);
  if (place === null) return objects.refuse(404, path);
  const [, namespace = "", resource = "", name, status] = place;
  const collection = `${resource}/${namespace}`;
  if (request.method === "POST") return objects.create(collection, await request.body());
  if (request.method === "PUT" && name !== undefined) {
    const key = { collection, name };
    return status === undefined
      ? objects.update(key, await request.body())
      : objects.updateStatus(key, await request.body());
  }
  if (name !== undefined) return objects.get({ collection, name });
  if (query.has("watch")) return objects.watch(collection);
  return objects.list(collection, query);
}

function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const at = target.indexOf("?");
  if (at < 0) return { path: target, query: noQuery };
  return { path: target.slice(0, at), query: new URLSearchParams(target.slice(at + 1)) };
}

const pathPattern =
  /^\/(?:api|apis\/[^/]+)\/v1(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(\/status)?$/;
const noQuery = new URLSearchParams();

if (import.meta.main) {
  const handler = await serveBareHandler(JSON.parse(process.argv[2]!) as BareHandlerOptions);
  console.log(handler.url);
}
