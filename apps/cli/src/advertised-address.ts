import { isIPv4 } from "node:net";
import type { networkInterfaces } from "node:os";

/**
 * Under which address others find the server: the one it listens on, or the first of this host where
 * that is all of them or only its own; as kube-apiserver has it. Undefined on a host without a network.
 */
export function advertisedAddress(
  bindAddress: string,
  interfaces: ReturnType<typeof networkInterfaces>,
): string | undefined {
  if (isIPv4(bindAddress) && bindAddress !== "0.0.0.0" && !bindAddress.startsWith("127.")) {
    return bindAddress;
  }
  return Object.values(interfaces)
    .flat()
    .find((each) => each?.internal === false && each.family === "IPv4")?.address;
}
