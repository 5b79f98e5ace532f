import { KubeApiserverPeer } from "../../bench/harness/kube-apiserver-peer.ts";
import { HttpsTarget } from "./https-target.ts";
import type { AskedPlugins, Target } from "./target.ts";

/** A fresh kube-apiserver with etcd, gone when disposed. */
export async function openPeerTarget(
  plugins: AskedPlugins = "NamespaceLifecycle",
): Promise<Target> {
  const peer = await KubeApiserverPeer.start({
    durable: false,
    ...(plugins === "default" ? {} : { admissionPlugins: [plugins] }),
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
