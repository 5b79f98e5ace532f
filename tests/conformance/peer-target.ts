import { KubeApiserverPeer } from "../../bench/harness/kube-apiserver-peer.ts";
import { HttpsTarget } from "./https-target.ts";
import type { Target } from "./target.ts";

/** Our server has no admission plugins beside this one yet; both sides run with the same. */
export const peerAdmissionPlugins: readonly string[] = ["NamespaceLifecycle"];

/** A fresh kube-apiserver with etcd, gone when disposed. */
export async function openPeerTarget(): Promise<Target> {
  const peer = await KubeApiserverPeer.start({
    durable: false,
    admissionPlugins: peerAdmissionPlugins,
  });
  const target = new HttpsTarget({ name: "kube-apiserver", url: peer.url, ...peer.credentials });
  return {
    name: target.name,
    send: (request) => target.send(request),
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]();
      await peer.stop();
    },
  };
}
