/**
 * The keys of service account tokens: one that signs, and those whose signatures are believed. The
 * signature is a seam: whoever replays a plane brings a signer that repeats itself. RSA keys do
 * (RS256), elliptic ones are signed with chance.
 */
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  hash,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import type { Random } from "@homeostat/concurrency";

type TokenAlgorithm = "RS256" | "ES256" | "ES384" | "ES512";

/** A public key as JSON: the numbers of an RSA key, or the point on a curve. */
interface PublicKeyFields {
  readonly kty?: string;
  readonly n?: string;
  readonly e?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
}

/** A key whose signatures are believed. */
export interface TokenVerifier {
  readonly algorithm: TokenAlgorithm;
  readonly keyId: string;
  /** The public key as JWKS shows it. */
  readonly publicKey: PublicKeyFields;
  verify(bytes: Uint8Array, signature: Uint8Array): boolean;
}

export interface TokenSigner {
  readonly algorithm: TokenAlgorithm;
  readonly keyId: string;
  /** In the form of JSON Web Signatures: of elliptic curves, both numbers behind one another. */
  sign(bytes: Uint8Array): Uint8Array;
}

export interface TokenKeys {
  readonly signer: TokenSigner;
  /** In the order in which they are shown. */
  readonly verifiers: readonly TokenVerifier[];
}

/** A text that holds no key that can be used. */
export class TokenKeyError extends Error {
  override readonly name = "TokenKeyError";
  readonly code = "token-key";
}

/** Keys from PEM: a private one to sign with, and others to believe beside it. */
export function readTokenKeys(
  signingKey: string,
  believed: readonly TokenVerifier[] = [],
): TokenKeys {
  const key = readPrivateKey(signingKey);
  const signer = signerOf(key);
  // What this server signs it believes, whatever else it believes.
  const isBelieved = believed.some(({ keyId }) => keyId === signer.keyId);
  return { signer, verifiers: isBelieved ? believed : [verifierOf(key), ...believed] };
}

/** A new elliptic key, the same one for the same chance. */
export function makeTokenKeys(random: Random): TokenKeys {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(random.bytes(32));
  const point = curve.getPublicKey();
  const key = createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      d: curve.getPrivateKey().toString("base64url"),
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  return { signer: signerOf(key), verifiers: [verifierOf(key)] };
}

function signerOf(key: KeyObject): TokenSigner {
  const { algorithm, keyId } = describe(createPublicKey(key));
  return {
    algorithm,
    keyId,
    sign: (bytes) => sign(DIGESTS[algorithm], bytes, { key, dsaEncoding: "ieee-p1363" }),
  };
}

function verifierOf(given: KeyObject): TokenVerifier {
  const key = given.type === "private" ? createPublicKey(given) : given;
  const { algorithm, keyId } = describe(key);
  return {
    algorithm,
    keyId,
    publicKey: key.export({ format: "jwk" }),
    verify: (bytes, signature) =>
      verify(DIGESTS[algorithm], bytes, { key, dsaEncoding: "ieee-p1363" }, signature),
  };
}

const DIGESTS: Readonly<Record<TokenAlgorithm, string>> = {
  RS256: "sha256",
  ES256: "sha256",
  ES384: "sha384",
  ES512: "sha512",
};

const CURVES: Readonly<Record<string, TokenAlgorithm>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

function describe(publicKey: KeyObject): { algorithm: TokenAlgorithm; keyId: string } {
  const keyId = hash("sha256", publicKey.export({ type: "spki", format: "der" }), "base64url");
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey;
  const algorithm = type === "rsa" ? "RS256" : CURVES[details?.namedCurve ?? ""];
  if (algorithm === undefined) {
    throw new TokenKeyError(
      `expected an RSA key or one on the curves P-256, P-384 or P-521, got ${details?.namedCurve ?? String(type)}`,
    );
  }
  return { algorithm, keyId };
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;
const IS_KEY = /^((RSA |EC )?(PRIVATE|PUBLIC) KEY|CERTIFICATE)$/;

/** All keys of a PEM text, public or private, or of certificates. */
export function readTokenVerifiers(pem: string): readonly TokenVerifier[] {
  const blocks = [...pem.matchAll(BLOCK)].filter(([, label]) => IS_KEY.test(label!));
  if (blocks.length === 0) {
    throw new TokenKeyError("expected a key or certificate in PEM form, got none");
  }
  return blocks.map(([block]) => verifierOf(parsed(block, createPublicKey)));
}

function readPrivateKey(pem: string): KeyObject {
  const block = [...pem.matchAll(BLOCK)].find(([, label]) => label!.endsWith("PRIVATE KEY"));
  if (block === undefined) throw new TokenKeyError("expected a private key in PEM form, got none");
  return parsed(block[0], createPrivateKey);
}

function parsed(block: string, parse: (pem: string) => KeyObject): KeyObject {
  try {
    return parse(block);
  } catch (error) {
    throw new TokenKeyError(`the key cannot be read: ${(error as Error).message}`);
  }
}
