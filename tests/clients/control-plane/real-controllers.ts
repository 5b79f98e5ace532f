import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { PeerProcess } from "../../../bench/harness/peer-process.ts";
import { assetPath } from "../../../scripts/assets/asset-path.ts";
import { kubeconfigText } from "../kubeconfig-text.ts";
import { type ServerUnderControl, tokenOf } from "./server-under-control.ts";

export const PROGRAMS = ["kube-controller-manager", "kube-scheduler"] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** One of the two programs, unmodified and with its own flags, logging into a file. */
export class RealProgram implements AsyncDisposable {
  readonly name: ProgramName;
  readonly #process: PeerProcess;

  private constructor(name: ProgramName, process: PeerProcess) {
    this.name = name;
    this.#process = process;
  }

  /** Resolves when it says that it is healthy. */
  static async start(name: ProgramName, server: ServerUnderControl): Promise<RealProgram> {
    const { url, authority } = server.access;
    const token = tokenOf(`system:${name}`);
    const kubeconfig = join(server.files.folder, `${name}.kubeconfig`);
    writeFileSync(kubeconfig, kubeconfigText({ url, authority, token }), { mode: 0o600 });
    const path = assetPath(name);
    if (path === undefined) throw new Error(`${name} is not there: npm run assets -- ${name}`);
    const process = await PeerProcess.start({
      name,
      command: "sh",
      ports: 1,
      commandArguments: ({ ports: [port] }) => [
        "-c",
        'exec "$0" "$@" 2>log',
        path,
        "--bind-address=127.0.0.1",
        `--secure-port=${port}`,
        `--kubeconfig=${kubeconfig}`,
        `--authentication-kubeconfig=${kubeconfig}`,
        `--authorization-kubeconfig=${kubeconfig}`,
        "--leader-elect=true",
        "--v=2",
        ...(name === "kube-controller-manager" ? managerFlags(server) : []),
      ],
      isReady: ({ ports: [port] }) => isHealthy(port!),
    });
    return new RealProgram(name, process);
  }

  /** Everything it has said so far. */
  log(): string {
    const file = join(this.#process.place.folder, "log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  isAlive(): boolean {
    return existsSync(`/proc/${this.#process.pid}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}

/** As kubeadm starts it: each controller with a service account of its own. */
function managerFlags({ files }: ServerUnderControl): string[] {
  return [
    "--use-service-account-credentials=true",
    "--controllers=*,bootstrap-signer-controller,token-cleaner-controller",
    "--allocate-node-cidrs=true",
    "--cluster-cidr=10.244.0.0/16",
    "--service-cluster-ip-range=10.0.0.0/24",
    `--root-ca-file=${files.serverAuthority}`,
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--cluster-signing-cert-file=${files.signingCertificate}`,
    `--cluster-signing-key-file=${files.signingKey}`,
    "--pvclaimbinder-sync-period=5s",
    "--resource-quota-sync-period=10s",
    "--namespace-sync-period=30s",
  ];
}

/** Its own certificate is self-made: whether it lives is all that is asked. */
function isHealthy(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const url = `https://127.0.0.1:${port}/healthz`;
  request(url, { rejectUnauthorized: false, agent: false }, (answer) => {
    answer.resume().once("end", () => resolve(answer.statusCode === 200));
  })
    .once("error", () => resolve(false))
    .end();
  return promise;
}
