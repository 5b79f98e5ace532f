import { X509Certificate } from "node:crypto";

/** What keeps a bundle of certificates (base64 of PEM) from being trusted; undefined where nothing does. */
export function problemWithCaBundle(bundle: string): string | undefined {
  const text = Buffer.from(bundle, "base64").toString("latin1");
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g)];
  if (blocks.some(([block, type]) => type === "CERTIFICATE" && isCertificate(block)))
    return undefined;
  return `unable to load root certificates: ${problemWithBlocks(blocks)}`;
}

function problemWithBlocks(blocks: readonly RegExpMatchArray[]): string {
  if (blocks.length === 0) return "unable to parse bytes as PEM block";
  const hasCertificate = blocks.some(([, type]) => type === "CERTIFICATE");
  if (hasCertificate) return "failed to parse certificate: x509: malformed certificate";
  return "no valid certificate authority data seen";
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
