import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { CertificateRequest } from "./certificate-request.ts";
import { ipAddressBytes } from "./ip-address-bytes.ts";
import type { Leaf } from "./leaf.ts";
import type { Validity } from "./validity.ts";

/** What a leaf's file holds is no leaf; the text goes on after the file's name. */
export class LeafTextError extends Error {
  readonly code = "leaf-text-malformed";
  override readonly name = "LeafTextError";
}

/** Certificate and key in one text, so that one rename replaces both. */
export function printLeaf({ certificate, key }: Leaf): string {
  return certificate + key;
}

/** The leaf in a text made by {@link printLeaf}; throws LeafTextError unless `issuer` signed it. */
export function parseLeaf(
  text: string,
  issuer: { readonly certificate: X509Certificate; readonly publicKey: KeyObject },
): Leaf {
  const certificate = pemBlock(text, "CERTIFICATE");
  const key = pemBlock(text, "PRIVATE KEY");
  let parsed: X509Certificate;
  let isPair: boolean;
  try {
    parsed = new X509Certificate(certificate);
    isPair = parsed.checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new LeafTextError(`is damaged (${(error as Error).message})`, { cause: error });
  }
  if (!isPair) throw new LeafTextError("holds a key that does not belong to its certificate");
  if (!parsed.checkIssued(issuer.certificate) || !parsed.verify(issuer.publicKey)) {
    throw new LeafTextError("was signed by another authority");
  }
  return { certificate, key, ...validityOf(parsed) };
}

/** Whether a leaf says what is asked for: subject and names, no more and no less. */
export function fulfils(leaf: Leaf, { subject, names = [] }: CertificateRequest): boolean {
  const certificate = new X509Certificate(leaf.certificate);
  const wantedSubject = [
    ...(subject.organizations ?? []).map((name) => `O=${name}`),
    `CN=${subject.commonName}`,
  ].join("\n");
  if (certificate.subject !== wantedSubject) return false;
  const listed = certificate.subjectAltName?.split(", ") ?? [];
  return (
    listed.length === names.length &&
    names.every((name) =>
      ipAddressBytes(name) === undefined
        ? certificate.checkHost(name, { subject: "never", wildcards: false }) !== undefined
        : certificate.checkIP(name) !== undefined,
    )
  );
}

export function validityOf(certificate: X509Certificate): Validity {
  return {
    notBefore: certificate.validFromDate.getTime(),
    notAfter: certificate.validToDate.getTime(),
  };
}

function pemBlock(text: string, label: string): string {
  const begin = `-----BEGIN ${label}-----`;
  const end = `-----END ${label}-----`;
  const start = text.indexOf(begin);
  const stop = text.indexOf(end, start);
  if (start === -1 || stop === -1) throw new LeafTextError(`holds no PEM block "${label}"`);
  return `${text.slice(start, stop + end.length)}\n`;
}
