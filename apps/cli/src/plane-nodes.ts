import {
  httpsNodeConnector,
  type KubeletCredentials,
  type NodeAccess,
} from "@homeostat/api-server";
import type { KubeletFlags } from "./kubelet-flags.ts";
import { certificates, FlagFileError, reading } from "./plane-authentication.ts";

/** What the server shows to kubelets where the flags say nothing. */
export type OwnCredentials = () => Promise<{ readonly certificate: string; readonly key: string }>;

/**
 * How kubelets are reached, as the flags say it; their files are read now, and the client's again
 * for each connection: they may be replaced.
 */
export function readNodeAccess(flags: KubeletFlags, own: OwnCredentials): Partial<NodeAccess> {
  const { kubeletCertificateAuthority: file, kubeletPreferredAddressTypes: addressTypes } = flags;
  const authority =
    file === undefined ? undefined : reading("--kubelet-certificate-authority", file, certificates);
  let given = readClientPair(flags);
  const credentials = async (): Promise<KubeletCredentials> => {
    try {
      given = readClientPair(flags);
    } catch {
      // Half of them is written, perhaps: those before are still good.
    }
    const { certificate, key } = given ?? (await own());
    return { certificate, key, authority };
  };
  return {
    connector: httpsNodeConnector({ credentials }),
    allowLocalAddresses: flags.proxyLocalAddresses,
    ...(addressTypes && { addressTypes }),
  };
}

function readClientPair(flags: KubeletFlags): KubeletCredentials | undefined {
  const { kubeletClientCertificate: certificate, kubeletClientKey: key } = flags;
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new FlagFileError(
      "--kubelet-client-certificate and --kubelet-client-key go together; give both",
    );
  }
  return {
    certificate: reading("--kubelet-client-certificate", certificate, certificates),
    key: reading("--kubelet-client-key", key, (text) => text),
  };
}
