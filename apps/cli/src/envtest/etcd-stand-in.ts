/**
 * The `etcd` of envtest-assets. It holds no data: it is there so that a test environment finds an
 * etcd that starts, is healthy and stops, and it tells our kube-apiserver which directory somebody
 * chose for the data. So a kube-apiserver that is started again with the same etcd, or an etcd with
 * the same directory, finds its objects again.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { type Clock, realClock } from "@homeostat/concurrency";
import { StopSignals } from "../stop-signals.ts";
import { DATA_PLACE_PATH, type DataPlace } from "./data-place.ts";
import { type EtcdFlags, readEtcdFlags } from "./etcd-flags.ts";
import { GoFlagError } from "./go-flags.ts";
import { etcdLog } from "./program-log.ts";
import { ETCD_VERSION } from "./versions.ts";

/** Resolves when a signal has stopped it. */
export async function runEtcd(args: readonly string[]): Promise<void> {
  const clock: Clock = realClock;
  const log = etcdLog(clock);
  process.umask(0o077);
  using signals = new StopSignals({ clock, onSecond: () => process.exit(1) });
  const flags = readEtcdFlags(args);
  for (const flag of flags.unknown) log.warn(`unknown flag: ${flag}; it is ignored`);
  const dataDirectory = resolve(flags.dataDirectory);
  mkdirSync(dataDirectory, { recursive: true });
  const answers = answersOf({ dataDirectory });
  const servers = await Promise.all(
    flags.listenUrls.map(async (url) => listen(await makeServer(url, flags, clock), url)),
  );
  for (const server of servers) {
    server.on("request", (request, response) => {
      const text = answers.get(request.url?.split("?")[0] ?? "");
      response.statusCode = text === undefined ? 404 : 200;
      response.setHeader("content-type", "application/json");
      response.end(text ?? "404 page not found\n");
    });
  }
  log.info("ready to serve client requests");
  const signal = await signals.stopped;
  log.info(`received signal; shutting down: ${signal}`);
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
}

function answersOf(place: DataPlace): ReadonlyMap<string, string> {
  const [major, minor] = ETCD_VERSION.split(".");
  const level = `${major}.${minor}.0`;
  return new Map([
    ["/health", `{"health":"true","reason":""}`],
    ["/livez", "ok\n"],
    ["/readyz", "ok\n"],
    ["/version", JSON.stringify({ etcdserver: ETCD_VERSION, etcdcluster: level, storage: level })],
    [DATA_PLACE_PATH, JSON.stringify(place)],
  ]);
}

async function makeServer(url: URL, flags: EtcdFlags, clock: Clock): Promise<Server> {
  if (url.protocol === "http:") return createServer();
  // Most ask for none of this, and it takes as long to load as all the rest.
  const { createServer: createTlsServer } = await import("node:https");
  const pair = await servingPair(flags, clock);
  const { trustedCaFile, clientCertAuth } = flags;
  return createTlsServer({
    ...pair,
    ...(trustedCaFile && { ca: readFileSync(trustedCaFile) }),
    requestCert: clientCertAuth,
    rejectUnauthorized: clientCertAuth,
  });
}

async function servingPair(flags: EtcdFlags, clock: Clock): Promise<{ cert: string; key: string }> {
  const { certFile, keyFile, autoTls } = flags;
  if (certFile !== undefined && keyFile !== undefined) {
    return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  }
  if (!autoTls) {
    throw new GoFlagError(
      "--listen-client-urls has a URL of https; give --cert-file and --key-file, or --auto-tls",
    );
  }
  const { openAuthority } = await import("@homeostat/certificates");
  const authority = await openAuthority({ keptIn: "memory", clock });
  const names = [...new Set(flags.listenUrls.map(hostOf))];
  const { certificate, key } = await authority.issue({
    usage: "server",
    subject: { commonName: "etcd" },
    names,
  });
  return { cert: certificate, key };
}

async function listen(server: Server, url: URL): Promise<Server> {
  const { promise, resolve: done, reject } = Promise.withResolvers<Server>();
  server.once("error", reject);
  const port = url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port);
  server.listen({ host: hostOf(url), port }, () => done(server));
  return promise;
}

/** Without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}
