/**
 * The `kube-apiserver` of envtest-assets: `homeostat api-server` under kube-apiserver's flags. Its
 * objects are kept in the data directory of the etcd it is told about, written and not synced: they
 * outlive the process, kills included, and are not meant to outlive the machine.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Clock, realClock, sleep } from "@homeostat/concurrency";
import { openSqliteStore, type Store, StoreLockedError } from "@homeostat/store";
import type { Command } from "commander";
import { type RunningApiServer, startApiServer, withinLimit } from "../commands/api-server.ts";
import type { ApiServerFlags } from "../program.ts";
import { StopSignals } from "../stop-signals.ts";
import { findDataPlace } from "./find-data-place.ts";
import {
  flagSorts,
  type KubeApiserverFlags,
  readKubeApiserverFlags,
} from "./kube-apiserver-flags.ts";
import { kubeLog } from "./program-log.ts";

/**
 * Resolves after a signal has stopped it; rejects with what kept it from starting.
 * @param serving the command whose flags are those of `homeostat api-server`
 */
export async function runKubeApiserver(args: readonly string[], serving: Command): Promise<void> {
  const clock: Clock = realClock;
  const log = kubeLog(clock);
  process.umask(0o077);
  using signals = new StopSignals({ clock, onSecond: () => process.exit(1) });
  const given = readKubeApiserverFlags(args, flagSorts(serving));
  for (const warning of given.warnings) log.warn(warning);
  const flags = servingFlags(given, serving);
  const running = await startApiServer({
    flags,
    clock,
    dataDirectory: undefined,
    advertiseAddress: given.advertiseAddress,
    openStore: () => openStore(given, clock),
  });
  try {
    keepServingPair(given, running);
    log.info(`Serving securely on ${hostPort(flags.bindAddress, flags.port)}`);
    const signal = await signals.stopped;
    log.info(`"Received signal, shutting down" signal="${signal}"`);
  } finally {
    await withinLimit(running.close(), clock);
  }
}

/** With the certificate that is in the directory for it, as the programs that start us put it there. */
function servingFlags(given: KubeApiserverFlags, serving: Command): ApiServerFlags {
  serving.parse(given.serving, { from: "user" });
  const flags: ApiServerFlags = serving.opts();
  const pair = servingPair(given);
  if (pair === undefined || flags.tlsCertFile !== undefined || !existsSync(pair.tlsCertFile)) {
    return flags;
  }
  return { ...flags, ...pair };
}

interface ServingPairFiles {
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
}

function servingPair({ certDirectory }: KubeApiserverFlags): ServingPairFiles | undefined {
  if (certDirectory === undefined) return undefined;
  return {
    tlsCertFile: join(certDirectory, "apiserver.crt"),
    tlsPrivateKeyFile: join(certDirectory, "apiserver.key"),
  };
}

/** For clients, which take it as the authority, and for the next start. */
function keepServingPair(given: KubeApiserverFlags, { certificates }: RunningApiServer): void {
  const pair = servingPair(given);
  const isServed = given.serving.some((word) => word.startsWith("--tls-cert-file="));
  if (pair === undefined || isServed || existsSync(pair.tlsCertFile)) return;
  const { certificate, key } = certificates.server;
  mkdirSync(given.certDirectory!, { recursive: true });
  writeFileSync(pair.tlsPrivateKeyFile, key);
  writeFileSync(pair.tlsCertFile, certificate + certificates.authority);
}

/** As long as a server that was told to stop may take to. */
const LOCK_PATIENCE = 10_000;

async function openStore({ etcd }: KubeApiserverFlags, clock: Clock): Promise<Store> {
  const { dataDirectory } = await findDataPlace(etcd, clock);
  const prefix = encodeURIComponent(etcd.prefix.replaceAll(/^\/+|\/+$/g, ""));
  const directory = join(dataDirectory, "homeostat", prefix || "%2F");
  const begun = clock.monotonic();
  for (;;) {
    try {
      return openSqliteStore({ directory, sync: false });
    } catch (error) {
      const isWorthWaiting = clock.monotonic() - begun < LOCK_PATIENCE;
      if (!(error instanceof StoreLockedError && isWorthWaiting)) throw error;
      await sleep(clock, 50);
    }
  }
}

function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
