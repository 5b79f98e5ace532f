import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ApiServer,
  createApiServer,
  httpsNodeConnector,
  listenHttps,
} from "@homeostat/api-server";
import { type Authority, openAuthority } from "@homeostat/certificates";
import { realClock } from "@homeostat/concurrency";
import { openMemoryStore } from "@homeostat/store";
import { type ApiAccess, ApiClient } from "./api-client.ts";
import { FakeKubelet } from "./fake-kubelet.ts";

/** An API server over real HTTPS, a fake kubelet, and a node that says where that is. */
export interface KubeletPlane extends AsyncDisposable {
  readonly server: ApiServer;
  readonly kubelet: FakeKubelet;
  readonly authority: Authority;
  /** Of the administrator. */
  readonly access: ApiAccess;
  readonly api: ApiClient;
  /** Where commands of containers run. */
  readonly folder: string;
  /** How somebody else with a certificate gets in. */
  accessOf(user: string, groups: readonly string[]): Promise<ApiAccess>;
}

export interface KubeletPlaneOptions {
  /** Whether /proxy may go to loopback addresses, where everything in a test is. Default true. */
  readonly allowLocalAddresses?: boolean;
}

export async function openKubeletPlane(options: KubeletPlaneOptions = {}): Promise<KubeletPlane> {
  await using undo = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "homeostat-kubelet-"));
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  const authority = await openAuthority({ keptIn: "memory" });
  const serving = await authority.issue({
    subject: { commonName: "serving" },
    usage: "server",
    names: ["127.0.0.1"],
  });
  const client = await authority.issue({
    subject: { commonName: "kube-apiserver-kubelet-client", organizations: ["system:masters"] },
    usage: "client",
  });
  const kubelet = undo.use(
    await FakeKubelet.start({
      clock: realClock,
      certificate: serving.certificate,
      key: serving.key,
      clientAuthority: authority.certificate,
      folder,
    }),
  );
  const credentials = {
    certificate: client.certificate,
    key: client.key,
    authority: authority.certificate,
  };
  const store = undo.use(openMemoryStore());
  const server = undo.use(
    await createApiServer({
      store,
      nodes: {
        connector: httpsNodeConnector({ credentials: () => credentials }),
        allowLocalAddresses: options.allowLocalAddresses ?? true,
      },
    }),
  );
  const listener = undo.use(
    await listenHttps({
      server,
      port: 0,
      certificate: serving.certificate,
      key: serving.key,
      clientAuthority: authority.certificate,
    }),
  );
  undo.defer(() => server.close());
  const accessOf = async (user: string, groups: readonly string[]): Promise<ApiAccess> => {
    const leaf = await authority.issue({
      subject: { commonName: user, organizations: groups },
      usage: "client",
    });
    const { certificate, key } = leaf;
    const url = `https://127.0.0.1:${listener.port}`;
    return { url, authority: authority.certificate, certificate, key };
  };
  const access = await accessOf("admin", ["system:masters"]);
  const api = undo.use(new ApiClient(access));
  const kept = undo.move();
  return {
    server,
    kubelet,
    authority,
    access,
    api,
    folder,
    accessOf,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
