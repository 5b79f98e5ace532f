/** What Go says of a certificate and a key that do not go together. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { ownKey } from "@homeostat/object-model";
import type { Secret } from "@homeostat/object-model/core-v1";
import { type PemBlock, pemBlocks } from "../rules/certificates/pem-blocks.ts";

/** For secrets of the type of a certificate and its key. */
export function tlsWarnings({ type, data }: Readonly<Secret>): readonly string[] {
  if (type !== "kubernetes.io/tls") return [];
  const problem = pairProblem(pemOf(data, "tls.crt"), pemOf(data, "tls.key"));
  return problem === undefined ? [] : [problem];
}

function pemOf(data: Secret["data"], key: string): readonly PemBlock[] {
  const text = Buffer.from(ownKey(data, key) ?? "", "base64").toString("latin1");
  return pemBlocks(text);
}

function pairProblem(
  certificates: readonly PemBlock[],
  keys: readonly PemBlock[],
): string | undefined {
  const certificate = certificates.find(({ type }) => type === "CERTIFICATE");
  if (certificate === undefined) return noCertificate(certificates.map(({ type }) => type));
  const key = keys.find(({ type }) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"));
  if (key === undefined) return noKey(keys.map(({ type }) => type));
  return mismatch(certificate, key);
}

function noCertificate(skipped: readonly string[]): string {
  if (skipped.length === 0) return "tls: failed to find any PEM data in certificate input";
  if (skipped.length === 1 && skipped[0]!.endsWith("PRIVATE KEY")) {
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(" ")}]`;
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return "tls: failed to find any PEM data in key input";
  if (skipped.length === 1 && skipped[0] === "CERTIFICATE") {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(" ")}]`;
}

function mismatch(certificate: PemBlock, key: PemBlock): string | undefined {
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate.bytes);
  } catch {
    return "x509: malformed certificate";
  }
  try {
    const privateKey = createPrivateKey(printPem(key));
    if (privateKey.asymmetricKeyType !== parsed.publicKey.asymmetricKeyType) {
      return "tls: private key type does not match public key type";
    }
    if (!parsed.checkPrivateKey(privateKey)) return "tls: private key does not match public key";
  } catch {
    return "tls: failed to parse private key";
  }
  return undefined;
}

/** What kind of key it is, only the frame of its bytes says. */
function printPem({ type, bytes }: PemBlock): string {
  return `-----BEGIN ${type}-----\n${bytes.toString("base64")}\n-----END ${type}-----\n`;
}
