import { X509Certificate } from "node:crypto";
import { type Clock, type Random, realClock, systemRandom } from "@homeostat/concurrency";
import type { Authority } from "./authority.ts";
import { AuthorityDirectory } from "./authority-directory.ts";
import { newSerial, SigningAuthority } from "./signing-authority.ts";
import { AUTHORITY_LIFE, validityFrom } from "./validity.ts";

export interface AuthorityOptions {
  /**
   * The directory is made when it is not there; what it stands in must exist. One process at a time
   * may use it: whoever locks the data directory sees to that.
   */
  readonly keptIn: "memory" | { readonly directory: string };
  /** Default: the real clock. */
  readonly clock?: Clock;
  /** Serial numbers come from it, keys never do. Default: the system's. */
  readonly random?: Random;
  /** The name of a new authority. Default "homeostat". */
  readonly commonName?: string;
}

/** Throws CertificateFileError or CertificateDirectoryError; nothing was changed then. */
export async function openAuthority({
  keptIn,
  clock = realClock,
  random = systemRandom,
  commonName = "homeostat",
}: AuthorityOptions): Promise<Authority> {
  const directory =
    keptIn === "memory" ? undefined : new AuthorityDirectory(keptIn.directory, random);
  const pair = directory?.readAuthority();
  if (directory !== undefined && pair !== undefined) {
    const authority = new SigningAuthority({
      ...directory.parseAuthority(pair),
      directory,
      clock,
      random,
    });
    await authority.renewWhenDue();
    return authority;
  }
  const { exportKey, generateKey, signAuthority } = await import("./sign-certificate.ts");
  const { privateKey } = generateKey();
  const certificate = signAuthority({
    commonName,
    key: privateKey,
    serial: newSerial(random),
    ...validityFrom(clock.now(), { life: AUTHORITY_LIFE }),
  });
  directory?.create({ certificate, key: exportKey(privateKey) });
  return new SigningAuthority({
    certificate: new X509Certificate(certificate),
    key: privateKey,
    directory,
    clock,
    random,
  });
}
