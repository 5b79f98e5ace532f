// A real etcd beside our store: one member on loopback with its own data, loaded by its own Go
// client (bench/store/etcd-driver). Both come from `npm run assets`. Every load ends with the
// driver's oracle; a load whose oracle fails throws and gives no figures.
import { assetPath } from "../../scripts/assets/asset-path.ts";
import { runDriver } from "./driver-process.ts";
import { startEtcdProcess } from "./etcd-process.ts";
import type { PeerProcess } from "./peer-process.ts";
import { type ProcessUsage, processUsage } from "./process-usage.ts";

export interface EtcdOptions {
  /** false: `--unsafe-no-fsync`, to stand beside what does not keep its data either. */
  readonly durable: boolean;
  readonly signal?: AbortSignal;
}

export interface Load {
  readonly keys?: number;
  readonly valueSize?: number;
  readonly connections?: number;
}

export interface CasLoad extends Load {
  readonly inFlight: number;
  /** The run ends after this time or so many writes, whichever is first; one must be given. */
  readonly seconds?: number;
  readonly writes?: number;
  /** Put every key first (not measured). Without it they must be there. */
  readonly preload?: boolean;
}

export interface WatchLoad extends Load {
  readonly watchers: number;
  readonly events: number;
  /** Puts on the way at once. */
  readonly inFlight?: number;
}

export interface CasResult {
  readonly writes: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50us: number;
  readonly p99us: number;
  readonly maxus: number;
  readonly conflicts: number;
  readonly errors: number;
  readonly firstError?: string;
  /** CPU time of the driver: near the machine's share, the driver is the limit and not etcd. */
  readonly driverCpuSeconds: number;
  readonly oracle: string;
}

export interface WatchResult {
  readonly watchers: number;
  readonly events: number;
  readonly deliveries: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Until the last put was acknowledged. */
  readonly writeSeconds: number;
  readonly driverCpuSeconds: number;
  readonly oracle: string;
}

export interface PreloadResult {
  readonly keys: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly oracle: string;
}

/** What the etcd process spent on the measured phase; memory as it was when the phase ended. */
export interface Cost {
  readonly serverCpuSeconds: number;
  readonly serverResidentBytes: number;
  readonly serverPeakBytes: number;
}

class AssetMissingError extends Error {
  readonly code = "ASSET_MISSING";
}

const optionNames: Readonly<Record<string, string>> = {
  keys: "--keys",
  valueSize: "--value-size",
  connections: "--connections",
  inFlight: "--in-flight",
  seconds: "--seconds",
  writes: "--writes",
  watchers: "--watchers",
  events: "--events",
};

export class EtcdPeer implements AsyncDisposable {
  readonly #process: PeerProcess;
  readonly #driver: string;
  readonly #signal: AbortSignal | undefined;

  private constructor(process: PeerProcess, driver: string, signal: AbortSignal | undefined) {
    this.#process = process;
    this.#driver = driver;
    this.#signal = signal;
  }

  /** What to run before `start` can work; empty: nothing. */
  static missingAssets(): string[] {
    return ["etcd", "etcd-driver"].filter((name) => assetPath(name) === undefined);
  }

  static async start(options: EtcdOptions): Promise<EtcdPeer> {
    const [etcd, driver] = [requireAsset("etcd"), requireAsset("etcd-driver")];
    const peer = await startEtcdProcess(etcd, options);
    return new EtcdPeer(peer, driver, options.signal);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get endpoint(): string {
    return `127.0.0.1:${this.#process.place.ports[0]}`;
  }

  usage(): ProcessUsage {
    return processUsage(this.pid);
  }

  /** Puts every key once, in large transactions: the quick way to many keys. */
  async preload(load: Load): Promise<PreloadResult> {
    return (await this.#drive("preload", load)).result as PreloadResult;
  }

  /** Compare-and-set puts on random keys, each at the revision last known. */
  async cas(load: CasLoad): Promise<CasResult & Cost> {
    const { result, cost } = await this.#drive("cas", load);
    return { ...(result as CasResult), ...cost };
  }

  /** Puts that every watcher must see in order. */
  async watch(load: WatchLoad): Promise<WatchResult & Cost> {
    const { result, cost } = await this.#drive("watch", load);
    return { ...(result as WatchResult), ...cost };
  }

  /** Proves that every key is there with a value that was written for it. */
  async verify(load: Load): Promise<void> {
    await this.#drive("verify", load);
  }

  /** Stops it and opens the same data again; answers the milliseconds until it serves reads. */
  async restart(): Promise<number> {
    return this.#process.restart();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }

  async #drive(
    mode: string,
    load: Load | CasLoad | WatchLoad,
  ): Promise<{ result: unknown; cost: Cost }> {
    let before = this.usage();
    let after: ProcessUsage | undefined;
    const result = await runDriver({
      command: this.#driver,
      commandArguments: [mode, `--endpoint=${this.endpoint}`, ...loadArguments(load)],
      onPhase: (phase) => {
        if (phase === "measure") before = this.usage();
        if (phase === "verify") after = this.usage();
      },
      signal: this.#signal,
    });
    after ??= this.usage();
    return {
      result,
      cost: {
        serverCpuSeconds: after.cpuSeconds - before.cpuSeconds,
        serverResidentBytes: after.residentBytes,
        serverPeakBytes: after.peakBytes,
      },
    };
  }
}

function loadArguments(load: Load | CasLoad | WatchLoad): string[] {
  return Object.entries(load).flatMap(([name, value]) => {
    if (name === "preload") return value ? ["--preload"] : [];
    return value === undefined ? [] : [`${optionNames[name]}=${value}`];
  });
}

function requireAsset(name: string): string {
  const path = assetPath(name);
  if (path === undefined) {
    throw new AssetMissingError(`${name} is not there: run \`npm run assets -- etcd etcd-driver\``);
  }
  return path;
}
