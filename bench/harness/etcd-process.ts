// One etcd with a folder and ports of its own, as every peer that needs one runs it.
import { PeerProcess } from "./peer-process.ts";

export interface EtcdProcessOptions {
  /** Without it etcd does not wait for the disk. */
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Ready when it says that it is healthy; its first port is that of clients. */
export function startEtcdProcess(
  command: string,
  { durable, signal: ending }: EtcdProcessOptions,
): Promise<PeerProcess> {
  return PeerProcess.start({
    name: "etcd",
    command,
    ports: 2,
    commandArguments: ({ folder, ports: [client, member] }) => [
      "--name=peer",
      `--data-dir=${folder}/data`,
      `--listen-client-urls=http://127.0.0.1:${client}`,
      `--advertise-client-urls=http://127.0.0.1:${client}`,
      `--listen-peer-urls=http://127.0.0.1:${member}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${member}`,
      `--initial-cluster=peer=http://127.0.0.1:${member}`,
      // The default of 2 GiB would end a long run of writes.
      `--quota-backend-bytes=${8 * 2 ** 30}`,
      // On a loaded machine it warns about every slow request, which costs what is measured.
      "--log-level=error",
      ...(durable ? [] : ["--unsafe-no-fsync"]),
    ],
    isReady: async ({ ports: [client] }, signal) => {
      const answer = await fetch(`http://127.0.0.1:${client}/health`, { signal });
      return ((await answer.json()) as { health: unknown }).health === "true";
    },
    ...(ending && { signal: ending }),
  });
}
