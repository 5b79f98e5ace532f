import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DataFolder } from "../../bench/harness/data-folder.ts";
import { HomeostatPeer } from "../../bench/harness/homeostat-peer.ts";
import { KubeApiserverPeer } from "../../bench/harness/kube-apiserver-peer.ts";
import type { ApiAccess } from "../kubelet/api-client.ts";
import { kubeconfigText } from "./kubeconfig-text.ts";

export type BareServerName = "homeostat" | "kube-apiserver";

/** An API server with nothing that runs on it, and how its administrator gets in. */
export interface BareServer extends AsyncDisposable {
  readonly name: BareServerName;
  /** The path of a file with everything in it. */
  readonly kubeconfig: string;
  /** For what a client leaves behind; gone with the server. */
  readonly folder: string;
}

export async function startBareServer(name: BareServerName): Promise<BareServer> {
  await using undo = new AsyncDisposableStack();
  const { path: folder } = undo.use(new DataFolder("client"));
  const kubeconfig = join(folder, "kubeconfig");
  const access = await start(name, undo);
  writeFileSync(kubeconfig, kubeconfigText(access), { mode: 0o600 });
  const kept = undo.move();
  return { name, kubeconfig, folder, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** How the administrator gets in. */
async function start(name: BareServerName, undo: AsyncDisposableStack): Promise<ApiAccess> {
  const read = (file: string): string => readFileSync(file, "utf8");
  if (name === "homeostat") {
    const { url, files } = undo.use(await HomeostatPeer.start());
    const { ca, clientCertificate, clientKey } = files;
    return {
      url,
      authority: read(ca),
      certificate: read(clientCertificate),
      key: read(clientKey),
    };
  }
  const { url, credentials } = undo.use(await KubeApiserverPeer.start({ durable: false }));
  return {
    url,
    authority: credentials.ca,
    certificate: credentials.clientCertificate,
    key: credentials.clientKey,
  };
}
