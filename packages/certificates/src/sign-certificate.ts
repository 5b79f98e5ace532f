/**
 * Makes certificates. Everything here is loaded when the first certificate is made, and not at all
 * by a process that finds valid ones: `signing-authority.ts` imports it on demand.
 *
 * X.509 version 3 with EC P-256 keys and ECDSA over SHA-256 (RFC 5280, RFC 5758). Keys come from the
 * system's own generator, whatever Random is injected: a key from a seed is no secret.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  type X509Certificate,
} from "node:crypto";
import type { LeafUsage, Subject } from "./certificate-request.ts";
import {
  encodeBitString,
  encodeBoolean,
  encodeExplicit,
  encodeImplicit,
  encodeObjectIdentifier,
  encodeOctetString,
  encodeSequence,
  encodeSet,
  encodeUnsigned,
  encodeUtf8String,
  readElements,
} from "./der.ts";
import { encodeTime } from "./der-time.ts";
import { ipAddressBytes } from "./ip-address-bytes.ts";
import type { Validity } from "./validity.ts";

export interface AuthorityCertificateOptions extends Validity {
  readonly commonName: string;
  readonly key: KeyObject;
  readonly serial: Uint8Array;
}

export interface AuthorityRenewalOptions extends Validity {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
  readonly serial: Uint8Array;
}

export interface LeafCertificateOptions extends Validity {
  readonly issuer: { readonly certificate: X509Certificate; readonly key: KeyObject };
  readonly publicKey: KeyObject;
  readonly subject: Subject;
  readonly usage: LeafUsage;
  readonly names: readonly string[];
  readonly serial: Uint8Array;
}

const ecdsaWithSha256 = encodeSequence(encodeObjectIdentifier("1.2.840.10045.4.3.2"));
const commonNameType = encodeObjectIdentifier("2.5.4.3");
const organizationType = encodeObjectIdentifier("2.5.4.10");

const subjectKeyIdentifier = "2.5.29.14";
const keyUsage = "2.5.29.15";
const subjectAlternativeName = "2.5.29.17";
const basicConstraints = "2.5.29.19";
const authorityKeyIdentifier = "2.5.29.35";
const extendedKeyUsage = "2.5.29.37";

const extendedUsages: Readonly<Record<LeafUsage, string>> = {
  server: "1.3.6.1.5.5.7.3.1",
  client: "1.3.6.1.5.5.7.3.2",
};

export function generateKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

export function exportKey(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" });
}

/** A self-signed certificate that may sign leaves, and no further authority. */
export function signAuthority({ commonName, ...rest }: AuthorityCertificateOptions): string {
  return signSelf({ ...rest, name: encodeName({ commonName }), keyIdentifier: undefined });
}

/** The same authority, by key and name, for another time. */
export function signAuthorityAgain({ certificate, ...rest }: AuthorityRenewalOptions): string {
  return signSelf({ ...rest, ...readIssuer(certificate) });
}

interface SelfSignedOptions extends Validity, Identity {
  readonly key: KeyObject;
  readonly serial: Uint8Array;
}

function signSelf(options: SelfSignedOptions): string {
  const { name } = options;
  const publicKey = exportPublicKey(createPublicKey(options.key));
  return signCertificate({
    ...options,
    issuerName: name,
    subjectName: name,
    publicKey,
    signingKey: options.key,
    extensions: [
      // digitalSignature, keyCertSign, cRLSign
      extension(keyUsage, encodeBitString(Uint8Array.of(0b1000_0110), 1), "critical"),
      extension(
        basicConstraints,
        encodeSequence(encodeBoolean(true), encodeUnsigned(Uint8Array.of(0))),
        "critical",
      ),
      extension(
        subjectKeyIdentifier,
        encodeOctetString(options.keyIdentifier ?? hashKey(publicKey)),
      ),
    ],
  });
}

export function signLeaf(options: LeafCertificateOptions): string {
  const issuer = readIssuer(options.issuer.certificate);
  const publicKey = exportPublicKey(options.publicKey);
  return signCertificate({
    ...options,
    publicKey,
    issuerName: issuer.name,
    subjectName: encodeName(options.subject),
    signingKey: options.issuer.key,
    extensions: [
      // digitalSignature
      extension(keyUsage, encodeBitString(Uint8Array.of(0b1000_0000), 7), "critical"),
      extension(
        extendedKeyUsage,
        encodeSequence(encodeObjectIdentifier(extendedUsages[options.usage])),
      ),
      extension(basicConstraints, encodeSequence(), "critical"),
      extension(subjectKeyIdentifier, encodeOctetString(hashKey(publicKey))),
      ...(issuer.keyIdentifier === undefined
        ? []
        : [
            extension(
              authorityKeyIdentifier,
              encodeSequence(encodeImplicit(0, issuer.keyIdentifier)),
            ),
          ]),
      ...(options.names.length === 0
        ? []
        : [
            extension(
              subjectAlternativeName,
              encodeSequence(...options.names.map(encodeGeneralName)),
            ),
          ]),
    ],
  });
}

interface CertificateOptions extends Validity {
  readonly serial: Uint8Array;
  readonly issuerName: Uint8Array;
  readonly subjectName: Uint8Array;
  /** As it stands in the certificate. */
  readonly publicKey: Uint8Array;
  readonly signingKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

function signCertificate(options: CertificateOptions): string {
  const version3 = encodeExplicit(0, encodeUnsigned(Uint8Array.of(2)));
  const body = encodeSequence(
    version3,
    encodeUnsigned(options.serial),
    ecdsaWithSha256,
    options.issuerName,
    encodeSequence(encodeTime(options.notBefore), encodeTime(options.notAfter)),
    options.subjectName,
    options.publicKey,
    encodeExplicit(3, encodeSequence(...options.extensions)),
  );
  const signature = sign("sha256", body, options.signingKey);
  const certificate = encodeSequence(body, ecdsaWithSha256, encodeBitString(signature));
  return toPem(certificate);
}

function toPem(certificate: Uint8Array): string {
  const lines =
    Buffer.from(certificate)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function exportPublicKey(key: KeyObject): Uint8Array {
  return key.export({ type: "spki", format: "der" });
}

/** RFC 7093, 2, method 1: the first 160 bits of the SHA-256 of the key's bits. */
function hashKey(publicKey: Uint8Array): Uint8Array {
  const [, bits] = readElements(readElements(publicKey)[0]!.content);
  return createHash("sha256").update(bits!.content.subarray(1)).digest().subarray(0, 20);
}

/** The organizations first, as Go's encoder has them. */
function encodeName({ commonName, organizations = [] }: Subject): Uint8Array {
  const attributes = [
    ...organizations.map((name) => encodeSequence(organizationType, encodeUtf8String(name))),
    encodeSequence(commonNameType, encodeUtf8String(commonName)),
  ];
  return encodeSequence(...attributes.map((attribute) => encodeSet(attribute)));
}

function encodeGeneralName(name: string): Uint8Array {
  const address = ipAddressBytes(name);
  return address === undefined
    ? encodeImplicit(2, new TextEncoder().encode(name))
    : encodeImplicit(7, address);
}

function extension(type: string, value: Uint8Array, critical?: "critical"): Uint8Array {
  const flag = critical === undefined ? [] : [encodeBoolean(true)];
  return encodeSequence(encodeObjectIdentifier(type), ...flag, encodeOctetString(value));
}

/** What a leaf repeats of its issuer, byte for byte. */
interface Identity {
  readonly name: Uint8Array;
  readonly keyIdentifier: Uint8Array | undefined;
}

function readIssuer(certificate: X509Certificate): Identity {
  const [body] = readElements(readElements(certificate.raw)[0]!.content);
  const fields = readElements(body!.content);
  // version, serial number, algorithm, issuer, validity, subject, ...
  const name = fields[5]!.whole;
  const list = fields.find((field) => field.tag === 0xa3);
  const extensions = list === undefined ? [] : readElements(readElements(list.content)[0]!.content);
  const wanted = Buffer.from(encodeObjectIdentifier(subjectKeyIdentifier));
  for (const each of extensions) {
    const parts = readElements(each.content);
    if (!wanted.equals(parts[0]!.whole)) continue;
    return { name, keyIdentifier: readElements(parts.at(-1)!.content)[0]!.content };
  }
  return { name, keyIdentifier: undefined };
}
