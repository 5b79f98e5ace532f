import { hostname, networkInterfaces } from "node:os";
import { type KeptLeaf, type Leaf, openAuthority, serverNames } from "@homeostat/certificates";
import type { Clock } from "@homeostat/concurrency";
import { firstServiceAddress } from "./flag-values.ts";

export interface PlaneCertificatesOptions {
  readonly clock: Clock;
  /** Undefined: they live in memory. */
  readonly directory: string | undefined;
  readonly bindAddress: string;
  readonly serviceRange: string;
  readonly onError: (error: unknown) => void;
}

/** The certificates of one served plane, rotated until they are disposed of. */
export interface PlaneCertificates extends Disposable {
  /** PEM. */
  readonly authority: string;
  readonly server: Leaf;
  readonly admin: Leaf;
  /** What the server shows to kubelets; made when it first calls one. */
  kubeletClient(): Promise<Leaf>;
  onServerRotated(listener: (leaf: Leaf) => void): void;
  onAdminRotated(listener: (leaf: Leaf) => void): void;
}

export async function openPlaneCertificates(
  options: PlaneCertificatesOptions,
): Promise<PlaneCertificates> {
  const { clock, directory, onError } = options;
  const listeners = { server: [] as Listener[], admin: [] as Listener[] };
  const authority = await openAuthority({
    keptIn: directory === undefined ? "memory" : { directory },
    clock,
  });
  using opening = new DisposableStack();
  const server = opening.use(
    await authority.keep({
      name: "apiserver",
      usage: "server",
      subject: { commonName: "kube-apiserver" },
      names: serverNames({
        hostName: hostname(),
        addresses: listeningAddresses(options.bindAddress),
        serviceAddress: firstServiceAddress(options.serviceRange),
      }),
      onRotate: (leaf) => listeners.server.forEach((each) => each(leaf)),
      onError,
    }),
  );
  const admin = opening.use(
    await authority.keep({
      name: "admin",
      usage: "client",
      // The group that Kubernetes lets do everything, before any role exists.
      subject: { commonName: "kubernetes-admin", organizations: ["system:masters"] },
      onRotate: (leaf) => listeners.admin.forEach((each) => each(leaf)),
      onError,
    }),
  );
  const open = opening.move();
  let kubeletClient: Promise<KeptLeaf> | undefined;
  const openKubeletClient = async (): Promise<KeptLeaf> => {
    try {
      const kept = await authority.keep({
        name: "apiserver-kubelet-client",
        usage: "client",
        // Kubelets ask this very server what it may do.
        subject: {
          commonName: "kube-apiserver-kubelet-client",
          organizations: ["system:masters"],
        },
        onError,
      });
      return open.use(kept);
    } catch (error) {
      kubeletClient = undefined;
      throw error;
    }
  };
  return {
    get authority() {
      return authority.certificate;
    },
    get server() {
      return server.current;
    },
    get admin() {
      return admin.current;
    },
    kubeletClient: async () => {
      kubeletClient ??= openKubeletClient();
      return (await kubeletClient).current;
    },
    onServerRotated: (listener) => void listeners.server.push(listener),
    onAdminRotated: (listener) => void listeners.admin.push(listener),
    [Symbol.dispose]: () => open.dispose(),
  };
}

type Listener = (leaf: Leaf) => void;

/** All of the machine's where it listens at all of them. */
function listeningAddresses(bindAddress: string): string[] {
  if (bindAddress !== "0.0.0.0" && bindAddress !== "::") return [bindAddress];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => bindAddress === "::" || family === "IPv4")
    .map(({ address }) => address)
    .sort();
}
