import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import type { Clock, Random } from "@homeostat/concurrency";
import type { Authority, KeptLeafRequest } from "./authority.ts";
import type { AuthorityDirectory } from "./authority-directory.ts";
import { CertificateFileError } from "./certificate-error.ts";
import type { CertificateRequest } from "./certificate-request.ts";
import { KeptLeaf } from "./kept-leaf.ts";
import type { Leaf } from "./leaf.ts";
import { fulfils, LeafTextError, parseLeaf, printLeaf, validityOf } from "./leaf-text.ts";
import { AUTHORITY_LIFE, isRenewalDue, LEAF_LIFE, validityFrom } from "./validity.ts";

interface AuthorityParts {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
  readonly directory: AuthorityDirectory | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

/** The authority that has its key at hand. */
export class SigningAuthority implements Authority {
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #directory: AuthorityDirectory | undefined;
  readonly #clock: Clock;
  readonly #random: Random;
  #certificate: X509Certificate;

  constructor(parts: AuthorityParts) {
    this.#key = parts.key;
    this.#publicKey = createPublicKey(parts.key);
    this.#certificate = parts.certificate;
    this.#directory = parts.directory;
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  get certificate(): string {
    return this.#certificate.toString();
  }

  issue(request: CertificateRequest): Promise<Leaf> {
    return this.#issue(request, undefined);
  }

  async #issue(request: CertificateRequest, replaced: Leaf | undefined): Promise<Leaf> {
    const { exportKey, generateKey, signLeaf } = await import("./sign-certificate.ts");
    await this.renewWhenDue();
    const { publicKey, privateKey } = generateKey();
    const { notBefore, notAfter } = validityFrom(this.#clock.now(), {
      life: LEAF_LIFE,
      replaced,
    });
    const issuerLife = validityOf(this.#certificate);
    const certificate = signLeaf({
      issuer: { certificate: this.#certificate, key: this.#key },
      publicKey,
      subject: request.subject,
      usage: request.usage,
      names: request.names ?? [],
      serial: newSerial(this.#random),
      notBefore,
      notAfter: Math.min(notAfter, issuerLife.notAfter),
    });
    return {
      certificate,
      key: exportKey(privateKey),
      ...validityOf(new X509Certificate(certificate)),
    };
  }

  async keep(request: KeptLeafRequest): Promise<KeptLeaf> {
    const kept = this.#readLeaf(request.name);
    const replace = async (replaced: Leaf | undefined): Promise<Leaf> => {
      const leaf = await this.#issue(request, replaced);
      this.#directory?.replaceLeaf(request.name, printLeaf(leaf));
      return leaf;
    };
    const isUsable =
      kept !== undefined && fulfils(kept, request) && !isRenewalDue(kept, this.#clock.now());
    const { onRotate, onError } = request;
    return new KeptLeaf({
      leaf: isUsable ? kept : await replace(kept),
      replace,
      clock: this.#clock,
      events: { ...(onRotate && { onRotate }), ...(onError && { onError }) },
    });
  }

  /** Signs the authority's own certificate anew when it is old or not valid yet. */
  async renewWhenDue(): Promise<void> {
    const replaced = validityOf(this.#certificate);
    if (!isRenewalDue(replaced, this.#clock.now())) return;
    const { signAuthorityAgain } = await import("./sign-certificate.ts");
    const certificate = signAuthorityAgain({
      certificate: this.#certificate,
      key: this.#key,
      serial: newSerial(this.#random),
      ...validityFrom(this.#clock.now(), { life: AUTHORITY_LIFE, replaced }),
    });
    this.#directory?.replaceCertificate(certificate);
    this.#certificate = new X509Certificate(certificate);
  }

  #readLeaf(name: string): Leaf | undefined {
    const text = this.#directory?.readLeaf(name);
    if (this.#directory === undefined || text === undefined) return undefined;
    try {
      return parseLeaf(text, { certificate: this.#certificate, publicKey: this.#publicKey });
    } catch (error) {
      if (!(error instanceof LeafTextError)) throw error;
      throw new CertificateFileError({
        file: this.#directory.leafFile(name),
        problem: error.message,
        remedy: "remove it, and the next start makes a new one",
        cause: error,
      });
    }
  }
}

/** 126 bits of chance: positive, never zero, and 16 bytes long. */
export function newSerial(random: Random): Uint8Array {
  const serial = random.bytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  return serial;
}
