/**
 * Networks without the machine's: processes inside reach each other on loopback, where all addresses of
 * Services are as well, and nothing else. Needs Linux and `unshare`, and no privileges where users may have
 * namespaces of their own.
 */
import { spawnSync } from "node:child_process";

const NAMESPACES = ["--map-root-user", "--net"];

/** kube-apiserver looks for the address of a default route to advertise. */
const SETUP = [
  "ip link set lo up",
  "ip addr add 10.0.0.1/24 dev lo",
  "ip link add uplink type bridge",
  "ip addr add 192.0.2.10/24 dev uplink",
  "ip link set uplink up",
  "ip route add default via 192.0.2.1",
].join(" && ");

export function hasPrivateNetworks(): boolean {
  return spawnSync("unshare", [...NAMESPACES, "sh", "-c", SETUP]).status === 0;
}

/** The command that runs another one in a private network. */
export function inPrivateNetwork(command: readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const script = `${SETUP} && exec "$@"`;
  return { command: "unshare", args: [...NAMESPACES, "sh", "-c", script, "sh", ...command] };
}
