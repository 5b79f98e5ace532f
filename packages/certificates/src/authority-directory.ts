/**
 * What an authority keeps on disk, all of it in one directory:
 *
 *   ca.crt       the authority's certificate, for everyone
 *   ca.key       its key, for its owner alone; made once, never replaced
 *   <name>.pem   a leaf: certificate and key in one file
 *
 * The directory comes into being complete, by a rename. So a half of the pair that is missing was
 * taken away, and is asked for, not made anew.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Random } from "@homeostat/concurrency";
import { CertificateDirectoryError, CertificateFileError } from "./certificate-error.ts";
import { replacePrivateFile, syncPath, writeNewFile } from "./private-file.ts";

export interface AuthorityPair {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

export class AuthorityDirectory {
  readonly path: string;
  readonly #random: Random;

  constructor(path: string, random: Random) {
    this.path = path;
    this.#random = random;
  }

  get certificateFile(): string {
    return join(this.path, "ca.crt");
  }

  leafFile(name: string): string {
    return join(this.path, `${name}.pem`);
  }

  /** Undefined when there has never been one here; throws CertificateFileError on all else. */
  readAuthority(): AuthorityPair | undefined {
    const keyFile = join(this.path, "ca.key");
    const certificate = this.#read(this.certificateFile);
    const key = this.#read(keyFile);
    if (certificate !== undefined && key !== undefined) return { certificate, key };
    const isUnused = certificate === undefined && key === undefined && this.#isEmpty();
    if (isUnused) return undefined;
    throw new CertificateFileError({
      file: certificate === undefined ? this.certificateFile : keyFile,
      problem: "is missing",
      remedy: this.#remedy,
    });
  }

  /** The pair as objects; throws CertificateFileError unless it is an authority this package made. */
  parseAuthority({ certificate, key }: AuthorityPair): {
    certificate: X509Certificate;
    key: KeyObject;
  } {
    const keyFile = join(this.path, "ca.key");
    const remedy = this.#remedy;
    const parsed = parsing({ file: this.certificateFile, remedy }, () => {
      return new X509Certificate(certificate);
    });
    const parsedKey = parsing({ file: keyFile, remedy }, () => createPrivateKey(key));
    const fail = (file: string, problem: string): CertificateFileError =>
      new CertificateFileError({ file, problem, remedy });
    if (parsedKey.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
      const got = parsedKey.asymmetricKeyDetails?.namedCurve ?? parsedKey.asymmetricKeyType;
      throw fail(keyFile, `holds a key of type ${got}, expected EC P-256`);
    }
    if (!parsed.ca) throw fail(this.certificateFile, "is not the certificate of an authority");
    if (!parsed.checkPrivateKey(parsedKey)) {
      throw fail(keyFile, `does not belong to ${this.certificateFile}`);
    }
    return { certificate: parsed, key: parsedKey };
  }

  /** Makes the directory with the pair in it, at once; throws CertificateDirectoryError. */
  create({ certificate, key }: AuthorityPair): void {
    const suffix = Buffer.from(this.#random.bytes(6)).toString("hex");
    const incomplete = join(dirname(this.path), `.${basename(this.path)}.${suffix}.tmp`);
    this.#writing(() => {
      try {
        mkdirSync(incomplete, { mode: 0o700 });
        writeNewFile(join(incomplete, "ca.key"), key, { mode: 0o600, durable: true });
        writeNewFile(join(incomplete, "ca.crt"), certificate, { mode: 0o644, durable: true });
        syncPath(incomplete);
        renameSync(incomplete, this.path);
      } catch (error) {
        rmSync(incomplete, { recursive: true, force: true });
        throw error;
      }
      syncPath(dirname(this.path));
    });
  }

  replaceCertificate(certificate: string): void {
    const options = { random: this.#random, mode: 0o644 };
    this.#writing(() => replacePrivateFile(this.certificateFile, certificate, options));
  }

  readLeaf(name: string): string | undefined {
    return this.#read(this.leafFile(name));
  }

  /** One that is lost is made again by the next start: what counts is that none is found half. */
  replaceLeaf(name: string, text: string): void {
    const options = { random: this.#random, durable: "content" } as const;
    this.#writing(() => replacePrivateFile(this.leafFile(name), text, options));
  }

  get #remedy(): string {
    return `restore it from a copy, or remove ${this.path} to make a new authority (kubeconfig files written so far then stop working)`;
  }

  #read(file: string): string | undefined {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new CertificateFileError({
        file,
        problem: `cannot be read (${(error as Error).message})`,
        remedy: "make it readable for this user",
        cause: error,
      });
    }
  }

  #isEmpty(): boolean {
    try {
      return readdirSync(this.path).length === 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
      throw new CertificateDirectoryError(this.path, error as Error);
    }
  }

  #writing(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new CertificateDirectoryError(this.path, error as Error);
    }
  }
}

function parsing<T>(named: { file: string; remedy: string }, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const problem = `is damaged (${(error as Error).message})`;
    throw new CertificateFileError({ ...named, problem, cause: error });
  }
}
