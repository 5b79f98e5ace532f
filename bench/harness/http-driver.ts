// Loads a server with the Go program bench/api-server/http-driver and reads what the server spent on
// the measured phase. Every load ends with the driver's oracle; a load whose oracle fails throws and
// gives no figures.
import { assetPath } from "../../scripts/assets/asset-path.ts";
import { runDriver } from "./driver-process.ts";
import type { LoadedServer } from "./loaded-server.ts";
import type { ProcessUsage } from "./process-usage.ts";

/** Names of the driver's options in camel case: `inFlight` is `--in-flight`. */
export type DriverOptions = Readonly<Record<string, string | number>>;

/** What every load tells; see latency.go of the driver. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50us: number;
  readonly p99us: number;
  readonly maxus: number;
  readonly errors: number;
  readonly firstError?: string;
  readonly bytes: number;
  /** Near the machine's share, the driver is the limit and not the server. */
  readonly driverCpuSeconds: number;
  readonly oracle: string;
}

interface ListResult extends LoadResult {
  readonly items: number;
}

export interface WatchResult extends LoadResult {
  readonly deliveries: number;
  readonly deliveriesPerSecond: number;
  readonly deliveryP50us: number;
  readonly deliveryP99us: number;
  readonly cuts: number;
}

export interface NoiseResult {
  readonly lists: number;
  readonly posts: Readonly<Record<string, number>>;
  readonly longestPostUs: number;
  readonly slowBytes: number;
  readonly slowCuts: number;
  readonly errors: number;
  readonly firstError?: string;
}

interface FillResult extends LoadResult {
  readonly refusalCode: number;
  readonly refusalReason: string;
  readonly refusal: string;
  readonly alive: boolean;
}

interface Results {
  readonly create: LoadResult;
  readonly get: LoadResult;
  readonly connect: LoadResult;
  readonly update: LoadResult;
  readonly status: LoadResult;
  readonly list: ListResult;
  readonly apply: LoadResult;
  readonly install: LoadResult;
  readonly watch: WatchResult;
  readonly noise: NoiseResult;
  readonly fill: FillResult;
}

/** What the server's processes spent on the measured phase; memory as it was when it ended. */
export interface ServerCost {
  readonly serverCpuSeconds: number;
  readonly serverResidentBytes: number;
}

class AssetMissingError extends Error {
  readonly code = "ASSET_MISSING";
}

/** Runs one load to its end. */
export async function drive<Mode extends keyof Results>(
  mode: Mode,
  server: LoadedServer,
  options: DriverOptions,
): Promise<Results[Mode] & ServerCost> {
  let before: ProcessUsage = server.usage();
  let after: ProcessUsage | undefined;
  // A server that dies under the load is the oracle's to report.
  const usage = (): ProcessUsage => {
    try {
      return server.usage();
    } catch {
      return after ?? before;
    }
  };
  const result = await runDriver({
    command: driverPath(),
    commandArguments: [mode, ...serverArguments(server), ...optionArguments(options)],
    onPhase: (phase) => {
      server.onPhase?.(phase);
      if (phase === "measure") before = usage();
      if (phase === "verify") after = usage();
    },
  });
  after ??= usage();
  return {
    ...(result as Results[Mode]),
    serverCpuSeconds: after.cpuSeconds - before.cpuSeconds,
    serverResidentBytes: after.residentBytes,
  };
}

/** Writes ca, server, client (system:masters) and user (who needs roles), each as .crt and .key. */
export async function writeCertificates(folder: string): Promise<void> {
  await runDriver({
    command: driverPath(),
    commandArguments: ["certificates", `--out=${folder}`],
    onPhase: () => undefined,
  });
}

/** What to build before `drive` can work; empty: nothing. */
export function missingDriver(): string[] {
  return assetPath("http-driver") === undefined ? ["http-driver"] : [];
}

function driverPath(): string {
  const path = assetPath("http-driver");
  if (path === undefined) {
    throw new AssetMissingError("http-driver is not there: run `npm run assets -- http-driver`");
  }
  return path;
}

function serverArguments({ url, files }: LoadedServer): string[] {
  return [
    `--server=${url}`,
    `--ca=${files.ca}`,
    `--cert=${files.clientCertificate}`,
    `--key=${files.clientKey}`,
  ];
}

function optionArguments(options: DriverOptions): string[] {
  return Object.entries(options).map(([name, value]) => {
    const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${dashed}=${value}`;
  });
}
