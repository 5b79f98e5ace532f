import {
  type FlagSort,
  GoFlagError,
  type GoFlags,
  lastValue,
  listedValues,
  readGoFlags,
} from "./go-flags.ts";

/** What somebody wants of an etcd, as far as it matters to one that holds no data. */
export interface EtcdFlags {
  readonly dataDirectory: string;
  readonly listenUrls: readonly URL[];
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly trustedCaFile?: string;
  readonly autoTls: boolean;
  readonly clientCertAuth: boolean;
  /** Flags that nobody knows. */
  readonly unknown: readonly string[];
}

const VALUES = [
  "advertise-client-urls",
  "auto-compaction-mode",
  "auto-compaction-retention",
  "cert-file",
  "data-dir",
  "election-timeout",
  "heartbeat-interval",
  "initial-advertise-peer-urls",
  "initial-cluster",
  "initial-cluster-state",
  "initial-cluster-token",
  "key-file",
  "listen-client-urls",
  "listen-metrics-urls",
  "listen-peer-urls",
  "log-level",
  "log-outputs",
  "logger",
  "max-request-bytes",
  "max-txn-ops",
  "name",
  "peer-cert-file",
  "peer-key-file",
  "peer-trusted-ca-file",
  "quota-backend-bytes",
  "snapshot-count",
  "trusted-ca-file",
  "wal-dir",
] as const;

const BOOLEANS = [
  "auto-tls",
  "client-cert-auth",
  "force-new-cluster",
  "peer-auto-tls",
  "peer-client-cert-auth",
  "pre-vote",
  "strict-reconfig-check",
  "unsafe-no-fsync",
] as const;

const KNOWN: ReadonlyMap<string, FlagSort> = new Map([
  ...VALUES.map((name) => [name, "value"] as const),
  ...BOOLEANS.map((name) => [name, "boolean"] as const),
]);

export function readEtcdFlags(args: readonly string[]): EtcdFlags {
  const flags = readGoFlags(args, KNOWN);
  if (flags.words.length > 0) throw new GoFlagError(`'${flags.words[0]}' is not a valid flag`);
  const urls = listedValues(flags, "listen-client-urls");
  const certFile = lastValue(flags, "cert-file");
  const keyFile = lastValue(flags, "key-file");
  const trustedCaFile = lastValue(flags, "trusted-ca-file");
  return {
    dataDirectory: lastValue(flags, "data-dir") ?? `${lastValue(flags, "name") ?? "default"}.etcd`,
    listenUrls: (urls.length > 0 ? urls : ["http://localhost:2379"]).map(parseListenUrl),
    ...(certFile && { certFile }),
    ...(keyFile && { keyFile }),
    ...(trustedCaFile && { trustedCaFile }),
    autoTls: isTrue(flags, "auto-tls"),
    clientCertAuth: isTrue(flags, "client-cert-auth"),
    unknown: flags.unknown,
  };
}

export function etcdHelp(): string {
  const lines = [...KNOWN].sort(([a], [b]) => (a < b ? -1 : 1));
  return `Usage:

  etcd [flags]
    Answers as a healthy etcd does and tells homeostat's kube-apiserver where the data directory is.

Flags:
${lines.map(([name, sort]) => `  --${name}${sort === "boolean" ? " 'false'" : " ''"}`).join("\n")}
`;
}

function isTrue(flags: GoFlags, name: string): boolean {
  return /^(1|t|true)$/i.test(lastValue(flags, name) ?? "false");
}

function parseListenUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.pathname !== "/") {
    throw new GoFlagError(
      `--listen-client-urls: got "${text}", expected URLs such as http://127.0.0.1:2379`,
    );
  }
  return url;
}
