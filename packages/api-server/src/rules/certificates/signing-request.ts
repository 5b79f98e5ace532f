/** What is wrong with a PKCS #10 request: its form, or a signature that is not of its own key. */
import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { BIT_STRING, DerError, DerReader, INTEGER, OBJECT_ID, SEQUENCE } from "./der-reader.ts";
import { pemBlocks } from "./pem-blocks.ts";

interface SigningRequest {
  /** What is signed. */
  readonly signed: Buffer;
  readonly publicKey: Buffer;
  /** Object id of the algorithm, in hexadecimal, and its parameters. */
  readonly algorithm: string;
  readonly parameters: Buffer;
  readonly signature: Buffer;
}

const RSA = "2a864886f70d0101";
const ECDSA = "2a8648ce3d04";
const RSA_PSS = `${RSA}0a`;
const UNIMPLEMENTED = "x509: cannot verify signature: algorithm unimplemented";

interface SignatureAlgorithm {
  readonly hash: string | null;
  readonly keys: string;
  /** What Go says of a signature that is wrong. */
  readonly failure: string;
}

const rsa = (hash: string): SignatureAlgorithm => ({
  hash,
  keys: "rsa",
  failure: "crypto/rsa: verification error",
});
const ecdsa = (hash: string): SignatureAlgorithm => ({
  hash,
  keys: "ec",
  failure: "x509: ECDSA verification failure",
});

const ALGORITHMS: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  [`${RSA}05`, rsa("sha1")],
  [`${RSA}0b`, rsa("sha256")],
  [`${RSA}0c`, rsa("sha384")],
  [`${RSA}0d`, rsa("sha512")],
  [`${ECDSA}01`, ecdsa("sha1")],
  [`${ECDSA}0302`, ecdsa("sha256")],
  [`${ECDSA}0303`, ecdsa("sha384")],
  [`${ECDSA}0304`, ecdsa("sha512")],
  ["2b6570", { hash: null, keys: "ed25519", failure: "x509: Ed25519 verification failure" }],
]);

const INSECURE: ReadonlyMap<string, string> = new Map([
  [`${RSA}02`, "MD2-RSA"],
  [`${RSA}04`, "MD5-RSA"],
]);

/** Named in the parameters of a PSS signature. */
const PSS_HASHES: ReadonlyMap<string, string> = new Map([
  ["608648016503040201", "sha256"],
  ["608648016503040202", "sha384"],
  ["608648016503040203", "sha512"],
]);

const CURVES: ReadonlySet<string> = new Set(["prime256v1", "secp384r1", "secp521r1", "secp224r1"]);

/** In the words of Go; undefined for a good request in PEM. */
export function signingRequestProblem(pem: string): string | undefined {
  const [block] = pemBlocks(pem);
  if (block?.type !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  try {
    return signatureProblem(readRequest(block.bytes));
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

function readRequest(bytes: Buffer): SigningRequest {
  const outer = new DerReader(bytes);
  const request = new DerReader(outer.read(SEQUENCE, "certificateRequest").content);
  if (!outer.isDone) throw new DerError("asn1: syntax error: trailing data");
  const signed = request.read(SEQUENCE, "tbsCertificateRequest");
  const algorithm = new DerReader(request.read(SEQUENCE, "AlgorithmIdentifier").content);
  const signature = request.read(BIT_STRING, "BitString").content.subarray(1);
  const info = new DerReader(signed.content);
  info.read(INTEGER, "int");
  info.readAny();
  const publicKey = info.read(SEQUENCE, "publicKeyInfo").whole;
  const id = algorithm.read(OBJECT_ID, "ObjectIdentifier").content.toString("hex");
  const parameters = algorithm.isDone ? Buffer.alloc(0) : algorithm.readAny().whole;
  return { signed: signed.whole, publicKey, algorithm: id, parameters, signature };
}

function signatureProblem(request: SigningRequest): string | undefined {
  const key = readKey(request.publicKey);
  const curve = key?.asymmetricKeyDetails?.namedCurve;
  if (curve !== undefined && !CURVES.has(curve)) return "x509: unsupported elliptic curve";
  const insecure = INSECURE.get(request.algorithm);
  if (insecure !== undefined) {
    return `x509: cannot verify signature: insecure algorithm ${insecure}`;
  }
  const algorithm = algorithmOf(request);
  if (algorithm === undefined || key?.asymmetricKeyType !== algorithm.keys) return UNIMPLEMENTED;
  return isSigned(request, algorithm, key) ? undefined : algorithm.failure;
}

function algorithmOf({ algorithm, parameters }: SigningRequest): SignatureAlgorithm | undefined {
  if (algorithm !== RSA_PSS) return ALGORITHMS.get(algorithm);
  const text = parameters.toString("hex");
  const hash = [...PSS_HASHES].find(([id]) => text.includes(id))?.[1];
  return hash === undefined ? undefined : rsa(hash);
}

function isSigned(
  { signed, signature, algorithm }: SigningRequest,
  { hash }: SignatureAlgorithm,
  key: KeyObject,
): boolean {
  const options =
    algorithm === RSA_PSS
      ? {
          key,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
        }
      : key;
  try {
    return verify(hash, signed, options, signature);
  } catch {
    return false;
  }
}

/** Undefined for a key of a kind that nobody knows. */
function readKey(publicKey: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: publicKey, format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}
