import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { replacePrivateFile } from "@homeostat/certificates";
import type { Random } from "@homeostat/concurrency";

export interface KubeconfigContent {
  readonly server: string;
  /** PEM, all three. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** The file cannot be written, or somebody else's configuration is in it. Nothing was changed. */
export class KubeconfigError extends Error {
  readonly code = "kubeconfig-unwritable";
  override readonly name = "KubeconfigError";
}

/**
 * Where a kubeconfig may be written: the absolute path, links followed. Throws KubeconfigError where
 * it could not be, or where it would replace a file that has other clusters in it.
 */
export function checkKubeconfigPath(path: string): string {
  const file = existsSync(path) ? realpathSync(path) : resolve(path);
  const directory = dirname(file);
  try {
    accessSync(directory, constants.W_OK);
  } catch (error) {
    const problem = existsSync(directory) ? "cannot be written" : "does not exist";
    throw new KubeconfigError(
      `kubeconfig ${file}: directory ${directory} ${problem}; choose another file with --kubeconfig`,
      { cause: error },
    );
  }
  if (existsSync(file) && !isOurs(file)) {
    throw new KubeconfigError(
      `kubeconfig ${file} holds something that homeostat did not write; choose another file with --kubeconfig, or remove that one`,
    );
  }
  return file;
}

/** Also after kubectl has rewritten it, say to set a namespace. */
function isOurs(file: string): boolean {
  if (!statSync(file).isFile()) return false;
  const text = readFileSync(file, "utf8");
  const names = [...text.matchAll(/^[\s-]*name:\s*(.*?)\s*$/gm)].map((match) => match[1]!);
  const isKnown = (name: string): boolean => name === "homeostat" || name === "homeostat-admin";
  return text.trim() === "" || (names.length > 0 && names.every(isKnown));
}

export function writeKubeconfig(file: string, content: KubeconfigContent, random: Random): void {
  try {
    // Written anew at every start: it need not survive a power loss.
    replacePrivateFile(file, printKubeconfig(content), { random, durable: "nothing" });
  } catch (error) {
    throw new KubeconfigError(
      `kubeconfig ${file} cannot be written: ${(error as Error).message}; choose another file with --kubeconfig`,
      { cause: error },
    );
  }
}

/** YAML without a library: every value is base64 or a URL of our own making. */
function printKubeconfig({ server, authority, certificate, key }: KubeconfigContent): string {
  return `# Written by homeostat; replaced at every start.
apiVersion: v1
kind: Config
current-context: homeostat
clusters:
- name: homeostat
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(authority)}
users:
- name: homeostat-admin
  user:
    client-certificate-data: ${base64(certificate)}
    client-key-data: ${base64(key)}
contexts:
- name: homeostat
  context:
    cluster: homeostat
    user: homeostat-admin
`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
