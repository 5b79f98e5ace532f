import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AuthenticationOptions,
  parseTokenFile,
  readTokenKeys,
  readTokenVerifiers,
  type TokenKeys,
  type TokenVerifier,
} from "@homeostat/api-server";
import { replacePrivateFile } from "@homeostat/certificates";
import type { Random } from "@homeostat/concurrency";
import type { AuthenticationFlags } from "./authentication-flags.ts";

/** A file that a flag names cannot be used, or a flag lacks the one it goes with. */
export class FlagFileError extends Error {
  readonly code = "flag-file-unusable";
  override readonly name = "FlagFileError";
}

export interface TokenKeyPlace {
  /** Where the server's own key is kept; undefined: it lives as long as the process. */
  readonly directory: string | undefined;
  readonly random: Random;
}

/**
 * What the flags say of how users are known; their files are read now, the server's own key when it
 * is first asked for: the directory it is in may still have to be made.
 */
export function readAuthentication(
  flags: AuthenticationFlags,
  place: TokenKeyPlace,
): AuthenticationOptions {
  const {
    tokenAuthFile,
    serviceAccountIssuer: issuers,
    serviceAccountJwksUri: jwksUri,
    serviceAccountMaxTokenExpiration: maxTokenSeconds,
    apiAudiences: audiences,
  } = flags;
  const tokenKeys = tokenKeysOf(flags, place);
  return {
    anonymous: flags.anonymousAuth,
    extendTokens: flags.serviceAccountExtendTokenExpiration,
    ...(tokenAuthFile && {
      staticTokens: reading("--token-auth-file", tokenAuthFile, parseTokenFile),
    }),
    ...(issuers && { issuers }),
    ...(audiences && { audiences }),
    ...(jwksUri && { jwksUri }),
    ...(maxTokenSeconds && { maxTokenSeconds }),
    ...(tokenKeys && { tokenKeys }),
  };
}

export interface ServingPair {
  readonly certificate: string;
  readonly key: string;
}

/** The certificate that flags want to be served with. */
export function readServingPair(flags: AuthenticationFlags): ServingPair | undefined {
  const { tlsCertFile, tlsPrivateKeyFile } = flags;
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return undefined;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    throw new FlagFileError("--tls-cert-file and --tls-private-key-file go together; give both");
  }
  return {
    certificate: reading("--tls-cert-file", tlsCertFile, certificates),
    key: reading("--tls-private-key-file", tlsPrivateKeyFile, (text) => text),
  };
}

/** PEM: whose client certificates flags want to be trusted. */
export function readClientAuthorities({ clientCaFile }: AuthenticationFlags): string {
  return clientCaFile === undefined ? "" : reading("--client-ca-file", clientCaFile, certificates);
}

function tokenKeysOf(
  flags: AuthenticationFlags,
  { directory, random }: TokenKeyPlace,
): AuthenticationOptions["tokenKeys"] {
  const { serviceAccountSigningKeyFile: signing, serviceAccountKeyFile: files = [] } = flags;
  const believed = files.flatMap((file) =>
    reading("--service-account-key-file", file, readTokenVerifiers),
  );
  if (signing !== undefined) {
    return reading("--service-account-signing-key-file", signing, (text) =>
      readTokenKeys(text, believed),
    );
  }
  if (directory === undefined && believed.length === 0) return undefined;
  return () => ownKeys({ directory, random }, believed);
}

/** With the server's own key, made when there is none. */
function ownKeys(
  { directory, random }: TokenKeyPlace,
  believed: readonly TokenVerifier[],
): TokenKeys {
  if (directory === undefined) return readTokenKeys(newKey(), believed);
  const file = join(directory, "sa.key");
  if (!existsSync(file)) replacePrivateFile(file, newKey(), { random });
  try {
    return readTokenKeys(readFileSync(file, "utf8"), believed);
  } catch (error) {
    throw new FlagFileError(
      `${file} cannot be used: ${(error as Error).message}; restore it from a copy, or remove it to make a new one (service account tokens given so far then stop working)`,
      { cause: error },
    );
  }
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" });
}

/** Text that has to be certificates. */
export function certificates(text: string): string {
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new FlagFileError("expected certificates in PEM form, got none");
  }
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** What a flag's file says; what is wrong with it is told with the flag. */
export function reading<T>(flag: string, file: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new FlagFileError(`${flag} ${file}: ${(error as Error).message}`, { cause: error });
  }
}
