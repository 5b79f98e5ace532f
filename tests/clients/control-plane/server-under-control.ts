/**
 * An API server that kube-controller-manager and kube-scheduler run against: ours as people start it,
 * or kube-apiserver with etcd. Both know the same two users by token and believe the tokens of the
 * same key, so that what runs against them is started in the same way.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { DataFolder } from "../../../bench/harness/data-folder.ts";
import { HomeostatPeer } from "../../../bench/harness/homeostat-peer.ts";
import { KubeApiserverPeer } from "../../../bench/harness/kube-apiserver-peer.ts";
import type { ApiAccess } from "../../kubelet/api-client.ts";

export type ServerName = "homeostat" | "kube-apiserver";

export interface ServerUnderControl extends AsyncDisposable {
  readonly name: ServerName;
  /** Of the administrator. */
  readonly access: ApiAccess;
  /** Files that belong to the cluster: the authority of its kubelets, the key of its tokens. */
  readonly files: ClusterFiles;
  /** CPU seconds and bytes so far. */
  usage(): { readonly cpuSeconds: number; readonly residentBytes: number };
}

interface ClusterFiles {
  readonly folder: string;
  readonly serverAuthority: string;
  readonly serviceAccountKey: string;
  readonly signingCertificate: string;
  readonly signingKey: string;
}

const USERS = ["system:kube-controller-manager", "system:kube-scheduler"] as const;

/** The bearer token of one of the users; a secret of a server that lives for minutes on loopback. */
export function tokenOf(user: (typeof USERS)[number]): string {
  return `token-of-${user.replaceAll(":", "-")}`;
}

export async function startServer(name: ServerName): Promise<ServerUnderControl> {
  await using undo = new AsyncDisposableStack();
  const folder = undo.use(new DataFolder("control-plane")).path;
  const file = (each: string): string => join(folder, each);
  const openssl = (command: string): Promise<unknown> =>
    promisify(execFile)("openssl", command.split(" "), { cwd: folder });
  await openssl("genrsa -out service-account.key 2048");
  await openssl("rsa -in service-account.key -pubout -out service-account.pub");
  await openssl(
    "req -x509 -newkey rsa:2048 -noenc -days 30 -subj /CN=signing -keyout signing.key -out signing.crt",
  );
  writeFileSync(
    file("tokens.csv"),
    USERS.map((user) => `${tokenOf(user)},${user},${user}\n`).join(""),
  );
  const flags = [
    `--token-auth-file=${file("tokens.csv")}`,
    `--service-account-key-file=${file("service-account.pub")}`,
  ];
  let access: ApiAccess;
  let usage: ServerUnderControl["usage"];
  if (name === "homeostat") {
    const peer = undo.use(await HomeostatPeer.start({ flags }));
    access = accessOf(peer.url, {
      authority: peer.files.ca,
      certificate: peer.files.clientCertificate,
      key: peer.files.clientKey,
    });
    usage = () => peer.usage();
  } else {
    const peer = undo.use(await KubeApiserverPeer.start({ durable: true, extraFlags: flags }));
    access = accessOf(peer.url, {
      authority: peer.credentials.caFile,
      certificate: peer.credentials.clientCertificateFile,
      key: peer.credentials.clientKeyFile,
    });
    usage = () => peer.usage();
  }
  writeFileSync(file("server-authority.crt"), access.authority);
  const kept = undo.move();
  return {
    name,
    access,
    files: {
      folder,
      serverAuthority: file("server-authority.crt"),
      serviceAccountKey: file("service-account.key"),
      signingCertificate: file("signing.crt"),
      signingKey: file("signing.key"),
    },
    usage,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function accessOf(
  url: string,
  files: { authority: string; certificate: string; key: string },
): ApiAccess {
  const read = (file: string): string => readFileSync(file, "utf8");
  return {
    url,
    authority: read(files.authority),
    certificate: read(files.certificate),
    key: read(files.key),
  };
}
