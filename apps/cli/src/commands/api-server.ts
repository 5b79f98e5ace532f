/**
 * `homeostat api-server`: the composition root of the served API. In order: store (which locks the
 * data directory), then at the same time certificates and server, then the listener, the kubeconfig
 * and the ready line. It stops in the opposite order, watches ended before connections are closed.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { hostname, networkInterfaces, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type ApiServer,
  createApiServer,
  type HttpsListener,
  listenHttps,
  type MemoryGauge,
} from "@homeostat/api-server";
import { type Clock, realClock, sleep, systemRandom } from "@homeostat/concurrency";
import { openMemoryStore, type Store } from "@homeostat/store";
import { advertisedAddress } from "../advertised-address.ts";
import { followFlagFiles } from "../follow-flag-files.ts";
import { checkKubeconfigPath, writeKubeconfig } from "../kubeconfig.ts";
import { print, printError } from "../output.ts";
import { readAdmission } from "../plane-admission.ts";
import {
  readAuthentication,
  readClientAuthorities,
  readServingPair,
} from "../plane-authentication.ts";
import { openPlaneCertificates, type PlaneCertificates } from "../plane-certificates.ts";
import { readNodeAccess } from "../plane-nodes.ts";
import { readTraffic } from "../plane-traffic.ts";
import { processFigures } from "../process-figures.ts";
import { processMemory } from "../process-memory.ts";
import type { ApiServerFlags } from "../program.ts";
import { StopSignals } from "../stop-signals.ts";

/** Longer than any request should take; watches are ended, not waited for. */
const SHUTDOWN_LIMIT = 10_000;
/** Milliseconds after the start. */
const UNHURRIED = 100;

/** Requests, or the disk, did not let go in time. */
class ShutdownTimeoutError extends Error {
  readonly code = "shutdown-timeout";
  override readonly name = "ShutdownTimeoutError";

  constructor() {
    super(
      `requests were still running ${SHUTDOWN_LIMIT / 1000} seconds after the signal; they were cut`,
    );
  }
}

/** Resolves after a signal has stopped it; rejects with what kept it from starting. */
export async function runApiServer(flags: ApiServerFlags): Promise<void> {
  const clock: Clock = realClock;
  // Secrets, keys and what clients store: nothing this process makes is for other users.
  process.umask(0o077);
  using signals = new StopSignals({ clock, onSecond: () => process.exit(1) });
  const dataDirectory =
    flags.ephemeral === true ? undefined : resolve(flags.dataDir ?? ".homeostat");
  using stack = new DisposableStack();
  const kubeconfig =
    flags.kubeconfig === undefined
      ? defaultKubeconfig(dataDirectory, stack)
      : checkKubeconfigPath(flags.kubeconfig);
  print(
    `homeostat api-server starting, data ${dataDirectory ? `in ${dataDirectory}` : "in memory"}`,
  );
  const running = await startApiServer({ flags, clock, dataDirectory });
  const { url, certificates } = running;
  const write = (): void => {
    const { certificate, key } = certificates.admin;
    const content = { server: url, authority: running.authorities, certificate, key };
    writeKubeconfig(kubeconfig, content, systemRandom);
  };
  try {
    write();
    certificates.onAdminRotated(write);
    running.onServingChanged(write);
    print(`homeostat api-server ready at ${url} in ${Math.round(sinceLaunch())} ms`);
    print(`export KUBECONFIG=${quote(kubeconfig)}`);
    const signal = await signals.stopped;
    print(`homeostat api-server stopping (${signal})`);
    await running.prepareStop();
  } finally {
    await withinLimit(running.close(), clock);
  }
  print("homeostat api-server stopped");
}

export interface RunningApiServer {
  readonly url: string;
  readonly certificates: PlaneCertificates;
  /** PEM: what clients trust to know the server. */
  readonly authorities: string;
  /** The certificate that a flag names is another one. */
  onServingChanged(listener: () => void): void;
  /** Says that it is about to stop, and leaves others the time that the flags give them to hear it. */
  prepareStop(): Promise<void>;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly flags: ApiServerFlags;
  readonly clock: Clock;
  /** Undefined: certificates and keys live in memory, and so do objects. */
  readonly dataDirectory: string | undefined;
  /** Where objects live instead. */
  readonly openStore?: () => Promise<Store>;
  /** Where others reach the server. Default: where it listens. */
  readonly advertiseAddress?: string | undefined;
}

export async function startApiServer(options: StartOptions): Promise<RunningApiServer> {
  const { flags, clock, dataDirectory } = options;
  const memory = processMemory(flags.memoryLimit);
  await using starting = new AsyncDisposableStack();
  const pki = dataDirectory === undefined ? undefined : join(dataDirectory, "pki");
  const authentication = readAuthentication(flags, { directory: pki, random: systemRandom });
  const admission = readAdmission(flags);
  let serving = readServingPair(flags);
  let clientAuthorities = readClientAuthorities(flags);
  let opened: PlaneCertificates | undefined;
  const nodes = readNodeAccess(flags, () => opened!.kubeletClient());
  const traffic = starting.use(await readTraffic(flags, clock));
  const store = starting.use(await (options.openStore?.() ?? openStore(dataDirectory)));
  const serverStarting = createApiServer({
    store,
    settings: {
      serviceClusterIpRange: flags.serviceClusterIpRange,
      serviceNodePortRange: flags.serviceNodePortRange,
      minWatchSeconds: flags.minRequestTimeout,
    },
    authentication,
    nodes,
    authorization: flags.authorizationMode,
    admission,
    memory,
    ...traffic.options,
    processFigures: () => processFigures(clock),
  });
  // Awaited below; until then its failure is nobody's.
  void serverStarting.catch(() => undefined);
  starting.defer(() =>
    serverStarting.then(
      (each) => each.close(),
      () => undefined,
    ),
  );
  const certificates = starting.use(
    await openPlaneCertificates({
      clock,
      directory: pki,
      bindAddress: flags.bindAddress,
      serviceRange: flags.serviceClusterIpRange,
      onError: (error) => printError(`certificates: ${String(error)}; tried again in an hour`),
    }),
  );
  opened = certificates;
  const server = await serverStarting;
  // A key that cannot be used should be told before anybody relies on it. A new one is made later.
  if (pki !== undefined && existsSync(join(pki, "sa.key"))) void server.authenticator.keys;
  const { maxConnections: connections } = flags;
  const listener = await listenHttps({
    server,
    host: flags.bindAddress,
    port: flags.port,
    ...(serving ?? certificates.server),
    clientAuthority: certificates.authority + clientAuthorities,
    ...(connections === undefined ? {} : { limits: { connections } }),
  });
  const address =
    options.advertiseAddress ?? advertisedAddress(flags.bindAddress, networkInterfaces());
  const advertise = async (): Promise<void> => {
    if (address === undefined) return;
    const clientAuthority = certificates.authority + clientAuthorities;
    await server.advertise({ address, port: listener.port, hostname: hostname(), clientAuthority });
  };
  await advertise();
  const onError = (error: unknown): void => printError(`${String(error)}; the one before is used`);
  const onServing: (() => void)[] = [];
  const followed = followFlagFiles(
    flags,
    { serving, clientAuthorities },
    {
      clock,
      onServing: (pair) => {
        listener.setCertificate(pair.certificate, pair.key);
        serving = pair;
        for (const each of onServing) each();
      },
      onClientAuthorities: (authorities) => {
        listener.setClientAuthority(certificates.authority + authorities);
        clientAuthorities = authorities;
        void advertise().catch(onError);
      },
      onError,
    },
  );
  if (serving === undefined) {
    certificates.onServerRotated(({ certificate, key }) =>
      listener.setCertificate(certificate, key),
    );
  }
  starting.move();
  const preparing = prepare({ clock, server, memory, keepsKeys: pki !== undefined });
  return {
    url: `https://${reachableHost(flags.bindAddress)}:${listener.port}`,
    certificates,
    get authorities() {
      return certificates.authority + (serving?.certificate ?? "");
    },
    prepareStop: () => {
      server.beginShutdown();
      return sleep(clock, flags.shutdownDelayDuration);
    },
    onServingChanged: (each) => void onServing.push(each),
    close: () => close({ preparing, followed, certificates, listener, server, store, traffic }),
  };
}

/**
 * Makes what the first requests need before they come: whoever waits for the server is told first, and
 * takes some milliseconds to connect. What not all of them need comes when those are likely over.
 */
function prepare({ clock, server, memory, keepsKeys }: Prepared): Disposable {
  clock.endOfTurn(() => {
    server.prepare();
    memory.read();
  });
  const timer = clock.setTimer(UNHURRIED, () => {
    process.getBuiltinModule("node:http2");
    try {
      if (keepsKeys) void server.authenticator.keys;
    } catch (error) {
      printError(`no service account token can be made or believed: ${String(error)}`);
    }
  });
  timer.unref();
  return { [Symbol.dispose]: () => timer.cancel() };
}

interface Prepared {
  readonly clock: Clock;
  readonly server: ApiServer;
  readonly memory: MemoryGauge;
  /** Whether the server's key for tokens is a file, which others may want to see. */
  readonly keepsKeys: boolean;
}

/** No new connections; then the watches end, and with them the connections that had any. */
async function close(parts: {
  preparing: Disposable;
  followed: Disposable;
  certificates: PlaneCertificates;
  listener: HttpsListener;
  server: ApiServer;
  store: Store;
  traffic: Disposable;
}): Promise<void> {
  parts.preparing[Symbol.dispose]();
  parts.followed[Symbol.dispose]();
  parts.certificates[Symbol.dispose]();
  const closing = parts.listener.close();
  await parts.server.close();
  await closing;
  await parts.store.close();
  parts.traffic[Symbol.dispose]();
}

export async function withinLimit(closing: Promise<void>, clock: Clock): Promise<void> {
  const abort = new AbortController();
  const limit = sleep(clock, SHUTDOWN_LIMIT, { signal: abort.signal }).then(
    () => Promise.reject(new ShutdownTimeoutError()),
    () => undefined,
  );
  try {
    await Promise.race([closing, limit]);
  } finally {
    abort.abort();
  }
}

async function openStore(directory: string | undefined): Promise<Store> {
  if (directory === undefined) return openMemoryStore();
  const { openDurableStore } = await import("../durable-store.ts");
  return openDurableStore(directory);
}

/** That of an ephemeral server is of no use after it, and goes with it. */
function defaultKubeconfig(dataDirectory: string | undefined, stack: DisposableStack): string {
  if (dataDirectory !== undefined) return join(dataDirectory, "kubeconfig");
  const directory = mkdtempSync(join(tmpdir(), "homeostat-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  stack.defer(remove);
  return join(directory, "kubeconfig");
}

/** How this machine reaches a server that listens there. */
function reachableHost(bindAddress: string): string {
  if (bindAddress === "0.0.0.0") return "127.0.0.1";
  if (bindAddress === "::") return "[::1]";
  return bindAddress.includes(":") ? `[${bindAddress}]` : bindAddress;
}

/** Milliseconds since the command was started, an older Node's launcher included. */
function sinceLaunch(): number {
  const launcher = Number(process.env["HOMEOSTAT_LAUNCHER_MS"] ?? 0);
  return process.uptime() * 1000 + (Number.isFinite(launcher) ? launcher : 0);
}

/** For a POSIX shell. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
