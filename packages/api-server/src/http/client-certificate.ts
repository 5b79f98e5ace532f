import type { TLSSocket } from "node:tls";
import {
  authenticated,
  type ClientCertificate,
  type Credentials,
} from "../authentication/authenticator.ts";

/** Who the certificate of a connection says its client is. Costs more than a request: asked once. */
export function clientCertificateOf(socket: TLSSocket): Credentials["certificate"] {
  const certificate = socket.getPeerX509Certificate?.();
  if (certificate === undefined) return undefined;
  if (!socket.authorized) return "untrusted";
  const { CN, O } = socket.getPeerCertificate().subject as { CN?: Names; O?: Names };
  const username = [CN ?? ""].flat()[0]!;
  // A certificate without a name is nobody's, and says nothing.
  if (username === "") return undefined;
  const digest = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  const found: ClientCertificate = {
    user: authenticated({
      username,
      groups: O === undefined ? [] : [O].flat(),
      extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${digest}`] },
    }),
    notAfter: certificate.validToDate.getTime(),
  };
  return found;
}

type Names = string | string[];
