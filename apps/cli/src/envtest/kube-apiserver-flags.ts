import { isIP } from "node:net";
import type { Command } from "commander";
import {
  type FlagSort,
  GoFlagError,
  type GoFlags,
  lastValue,
  listedValues,
  readGoFlags,
} from "./go-flags.ts";

/** What kube-apiserver was told, in the words of `homeostat api-server` where that has them. */
export interface KubeApiserverFlags {
  /** For `homeostat api-server`, each as one word. */
  readonly serving: readonly string[];
  readonly etcd: EtcdAccess;
  /** Where a serving certificate is found or put. */
  readonly certDirectory?: string;
  readonly advertiseAddress?: string;
  /** One for each flag that changes nothing although it might be expected to. */
  readonly warnings: readonly string[];
}

export interface EtcdAccess {
  readonly servers: readonly URL[];
  readonly prefix: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** Flags that are answered here. */
const OWN: readonly (readonly [name: string, sort: FlagSort])[] = [
  ["advertise-address", "value"],
  ["cert-dir", "value"],
  ["etcd-cafile", "value"],
  ["etcd-certfile", "value"],
  ["etcd-keyfile", "value"],
  ["etcd-prefix", "value"],
  ["etcd-servers", "value"],
  ["secure-port", "value"],
  ["storage-backend", "value"],
];

/** Flags of versions before 1.24: known, and told to nobody, as programs ask before they use them. */
const INSECURE: readonly (readonly [name: string, sort: FlagSort])[] = [
  ["insecure-bind-address", "value"],
  ["insecure-port", "value"],
];

/** Flags whose effect nobody could see from outside of one server with one client's test. */
const UNSEEN_VALUES = [
  "default-watch-cache-size",
  "delete-collection-workers",
  "endpoint-reconciler-type",
  "etcd-compaction-interval",
  "etcd-count-metric-poll-period",
  "etcd-db-metric-poll-interval",
  "etcd-healthcheck-timeout",
  "etcd-readycheck-timeout",
  "etcd-servers-overrides",
  "external-hostname",
  "goaway-chance",
  "http2-max-streams-per-connection",
  "kubelet-timeout",
  "lease-reuse-duration-seconds",
  "log-flush-frequency",
  "logging-format",
  "proxy-client-cert-file",
  "proxy-client-key-file",
  "shutdown-delay-duration",
  "stderrthreshold",
  "storage-media-type",
  "v",
  "vmodule",
  "watch-cache-sizes",
];
const UNSEEN_BOOLEANS = [
  "allow-privileged",
  "alsologtostderr",
  "contention-profiling",
  "enable-aggregator-routing",
  "enable-garbage-collector",
  "logtostderr",
  "profiling",
  "shutdown-send-retry-after",
  "watch-cache",
];

/** Flags that could be missed: each is told. */
const IGNORED = ["feature-gates", "runtime-config"];

/** Flags that only `homeostat api-server` has: unknown here, as kube-apiserver does not know them. */
const NOT_OF_KUBE: ReadonlySet<string> = new Set([
  "data-dir",
  "ephemeral",
  "help",
  "kubeconfig",
  "port",
]);

/** The flags that a command has, by name. */
export function flagSorts(command: Command): ReadonlyMap<string, FlagSort> {
  return new Map(
    command.options.map((option) => [
      option.long!.replace(/^--/, ""),
      option.required ? "value" : "boolean",
    ]),
  );
}

/** @param serving the flags that `homeostat api-server` has, by name */
export function readKubeApiserverFlags(
  args: readonly string[],
  serving: ReadonlyMap<string, FlagSort>,
): KubeApiserverFlags {
  const flags = readGoFlags(args, knownFlags(serving));
  if (flags.words.some((word) => word !== "")) {
    const got = flags.words.map((word) => JSON.stringify(word)).join(" ");
    throw new GoFlagError(`"kube-apiserver" does not take any arguments, got [${got}]`);
  }
  checkInsecurePort(lastValue(flags, "insecure-port"));
  checkBackend(lastValue(flags, "storage-backend"));
  const certDirectory = lastValue(flags, "cert-dir");
  const advertiseAddress = checkAddress(lastValue(flags, "advertise-address"));
  return {
    serving: servingWords(flags, serving),
    etcd: etcdAccess(flags),
    ...(certDirectory && { certDirectory }),
    ...(advertiseAddress && { advertiseAddress }),
    warnings: [
      ...(allowsAll(flags) && lastValue(flags, "anonymous-auth") !== "false"
        ? [ANONYMOUS_RESET]
        : []),
      ...flags.unknown.map((flag) => `unknown flag: ${flag}; it is ignored`),
      ...IGNORED.flatMap((name) =>
        listedValues(flags, name).map(
          (value) =>
            `--${name}=${value} changes nothing: served is what Kubernetes 1.36 has on by default`,
        ),
      ),
    ],
  };
}

export function kubeApiserverHelp(serving: ReadonlyMap<string, FlagSort>): string {
  const hidden = new Set(INSECURE.map(([name]) => name));
  const lines = [...knownFlags(serving)]
    .filter(([name]) => !hidden.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sort]) => `      --${name}${sort === "boolean" ? "" : " string"}`);
  return `Serves the Kubernetes API as kube-apiserver does, for tests: a program of homeostat.

Usage:
  kube-apiserver [flags]

Flags (others are ignored with a warning):

${lines.join("\n")}
`;
}

function knownFlags(serving: ReadonlyMap<string, FlagSort>): Map<string, FlagSort> {
  return new Map<string, FlagSort>([
    ...UNSEEN_VALUES.map((name) => [name, "value"] as const),
    ...UNSEEN_BOOLEANS.map((name) => [name, "boolean"] as const),
    ...IGNORED.map((name) => [name, "value"] as const),
    ...[...serving].filter(([name]) => !NOT_OF_KUBE.has(name)),
    ...INSECURE,
    ...OWN,
  ]);
}

/** Defaults are those of kube-apiserver, where `homeostat api-server` has others. */
function servingWords(flags: GoFlags, serving: ReadonlyMap<string, FlagSort>): string[] {
  const isGiven = (name: string): boolean => lastValue(flags, name) !== undefined;
  const words = flags.given
    .filter(({ name }) => serving.has(name) && !NOT_OF_KUBE.has(name))
    .map(({ name, value }) => `--${name}=${value}`);
  const port = lastValue(flags, "secure-port") ?? "6443";
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) {
    throw new GoFlagError(
      `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`,
    );
  }
  words.push(`--port=${port}`);
  if (!isGiven("bind-address")) words.push("--bind-address=0.0.0.0");
  if (!isGiven("authorization-mode")) words.push("--authorization-mode=AlwaysAllow");
  if (allowsAll(flags)) words.push("--anonymous-auth=false");
  return words;
}

const ANONYMOUS_RESET =
  "AnonymousAuth is not allowed with the AlwaysAllow authorizer. Resetting AnonymousAuth to false. You should use a different authorizer";

/** What kube-apiserver does when it is not told. */
function allowsAll(flags: GoFlags): boolean {
  const modes = listedValues(flags, "authorization-mode");
  return modes.length === 0 || modes.includes("AlwaysAllow");
}

function etcdAccess(flags: GoFlags): EtcdAccess {
  const servers = listedValues(flags, "etcd-servers");
  if (servers.length === 0) throw new GoFlagError("--etcd-servers must be specified");
  const caFile = lastValue(flags, "etcd-cafile");
  const certFile = lastValue(flags, "etcd-certfile");
  const keyFile = lastValue(flags, "etcd-keyfile");
  return {
    servers: servers.map(parseServer),
    prefix: lastValue(flags, "etcd-prefix") ?? "/registry",
    ...(caFile && { caFile }),
    ...(certFile && { certFile }),
    ...(keyFile && { keyFile }),
  };
}

function parseServer(text: string): URL {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new GoFlagError(`--etcd-servers: got "${text}", expected URLs of http or https`);
  }
  return url;
}

function checkInsecurePort(port: string | undefined): void {
  if (port === undefined || port === "0") return;
  throw new GoFlagError(
    `--insecure-port=${port}: plain HTTP is not served, as with kube-apiserver since 1.24; use --secure-port, and give 0 here or nothing`,
  );
}

function checkBackend(backend: string | undefined): void {
  if (backend === undefined || backend === "" || backend === "etcd3") return;
  throw new GoFlagError(
    `--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'`,
  );
}

function checkAddress(address: string | undefined): string | undefined {
  if (address === undefined || isIP(address) !== 0) return address;
  throw new GoFlagError(
    `invalid argument "${address}" for "--advertise-address" flag: failed to parse IP: "${address}"`,
  );
}
