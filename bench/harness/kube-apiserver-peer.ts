// A real kube-apiserver with an etcd of its own, started the way envtest starts them: loopback only,
// certificates of a throw-away authority, an admin client certificate (O=system:masters), no
// controllers. Both programs come from `npm run assets -- etcd kube-apiserver`, and
// $KUBEBUILDER_ASSETS wins. Everything is gone when it is disposed or this process ends.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { DEFAULT_ADMISSION_PLUGINS } from "@homeostat/api-server";
import { assetPath } from "../../scripts/assets/asset-path.ts";
import { DataFolder } from "./data-folder.ts";
import { startEtcdProcess } from "./etcd-process.ts";
import { PeerProcess } from "./peer-process.ts";
import { type ProcessUsage, processUsage } from "./process-usage.ts";

export interface KubeApiserverOptions {
  /** false: etcd runs with `--unsafe-no-fsync`, to stand beside what does not keep its data either. */
  readonly durable: boolean;
  /** The only admission plugins left on. Default: those that are on by default. */
  readonly admissionPlugins?: readonly string[];
  /** Default: RBAC. */
  readonly authorizationMode?: "RBAC" | "AlwaysAllow";
  /** A file with one more authority whose client certificates are believed. */
  readonly clientAuthorityFile?: string;
  readonly extraFlags?: readonly string[];
  readonly signal?: AbortSignal;
}

/** PEM texts and the files that hold them. */
export interface PeerCredentials {
  readonly ca: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly caFile: string;
  readonly clientCertificateFile: string;
  readonly clientKeyFile: string;
}

class AssetMissingError extends Error {
  readonly code = "ASSET_MISSING";
}

const run = promisify(execFile);

export class KubeApiserverPeer implements AsyncDisposable {
  readonly url: string;
  readonly credentials: PeerCredentials;
  readonly #etcd: PeerProcess;
  readonly #apiserver: PeerProcess;
  readonly #certificates: DataFolder;

  private constructor(parts: {
    etcd: PeerProcess;
    apiserver: PeerProcess;
    certificates: DataFolder;
    credentials: PeerCredentials;
  }) {
    this.#etcd = parts.etcd;
    this.#apiserver = parts.apiserver;
    this.#certificates = parts.certificates;
    this.credentials = parts.credentials;
    this.url = `https://127.0.0.1:${parts.apiserver.place.ports[0]}`;
  }

  /** What to run before `start` can work; empty: nothing. */
  static missingAssets(): string[] {
    return ["etcd", "kube-apiserver"].filter((name) => assetPath(name) === undefined);
  }

  static async start(options: KubeApiserverOptions): Promise<KubeApiserverPeer> {
    const [etcdPath, apiserverPath] = [requireAsset("etcd"), requireAsset("kube-apiserver")];
    await using undo = new AsyncDisposableStack();
    const certificates = undo.use(new DataFolder("kube-certificates"));
    const credentials = await makeCredentials(certificates.path);
    const clientAuthorities = await writeClientAuthorities(credentials, options);
    const etcd = undo.use(await startEtcdProcess(etcdPath, options));
    const apiserver = undo.use(
      await PeerProcess.start({
        name: "kube-apiserver",
        command: apiserverPath,
        ports: 1,
        commandArguments: ({ ports: [port] }) => [
          `--etcd-servers=http://127.0.0.1:${etcd.place.ports[0]}`,
          `--secure-port=${port}`,
          "--bind-address=127.0.0.1",
          `--cert-dir=${certificates.path}`,
          `--client-ca-file=${clientAuthorities}`,
          "--service-account-issuer=https://127.0.0.1",
          `--service-account-key-file=${certificates.path}/service-account.key`,
          `--service-account-signing-key-file=${certificates.path}/service-account.key`,
          "--service-cluster-ip-range=10.0.0.0/24",
          `--authorization-mode=${options.authorizationMode ?? "RBAC"}`,
          "--allow-privileged",
          ...admissionFlags(options.admissionPlugins),
          ...(options.extraFlags ?? []),
        ],
        isReady: ({ ports: [port] }, signal) =>
          isReady({ url: `https://127.0.0.1:${port}`, credentials, signal }),
        ...(options.signal && { signal: options.signal }),
      }),
    );
    undo.move();
    return new KubeApiserverPeer({ etcd, apiserver, certificates, credentials });
  }

  /** kube-apiserver's, then etcd's. */
  get pids(): readonly [number, number] {
    return [this.#apiserver.pid, this.#etcd.pid];
  }

  /** Both processes together. */
  usage(): ProcessUsage {
    const [apiserver, etcd] = this.pids.map((pid) => processUsage(pid));
    return {
      cpuSeconds: apiserver!.cpuSeconds + etcd!.cpuSeconds,
      residentBytes: apiserver!.residentBytes + etcd!.residentBytes,
      peakBytes: apiserver!.peakBytes + etcd!.peakBytes,
    };
  }

  async stop(): Promise<void> {
    await this.#apiserver[Symbol.asyncDispose]();
    await this.#etcd[Symbol.asyncDispose]();
    await this.#certificates[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

export function admissionFlags(kept: readonly string[] | undefined): string[] {
  if (kept === undefined) return [];
  const off = DEFAULT_ADMISSION_PLUGINS.filter((name) => !kept.includes(name));
  const on = kept.filter((name) => !DEFAULT_ADMISSION_PLUGINS.includes(name));
  return [
    ...(off.length > 0 ? [`--disable-admission-plugins=${off.join(",")}`] : []),
    ...(on.length > 0 ? [`--enable-admission-plugins=${on.join(",")}`] : []),
  ];
}

/** /readyz turns ok before the default namespace and the first service address exist; wait for both. */
async function isReady(question: {
  url: string;
  credentials: PeerCredentials;
  signal: AbortSignal;
}): Promise<boolean> {
  for (const path of [
    "/readyz",
    "/api/v1/namespaces/default",
    "/api/v1/namespaces/kube-system",
    "/api/v1/namespaces/default/services/kubernetes",
  ]) {
    if ((await statusOf({ ...question, url: question.url + path })) !== 200) return false;
  }
  return true;
}

function statusOf(question: {
  url: string;
  credentials: PeerCredentials;
  signal: AbortSignal;
}): Promise<number> {
  const { url, credentials, signal } = question;
  const { ca, clientCertificate: cert, clientKey: key } = credentials;
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca, cert, key, signal, agent: false }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", reject).end();
  });
}

/** An authority, the server's and the admin's certificates and the service account key, by openssl. */
async function makeCredentials(folder: string): Promise<PeerCredentials> {
  await mkdir(folder, { recursive: true });
  const file = (name: string): string => join(folder, name);
  const openssl = (command: string): Promise<unknown> =>
    run("openssl", command.split(" "), { cwd: folder });
  const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc";
  await openssl(`req -x509 ${newKey} -days 30 -subj /CN=peer-authority -keyout ca.key -out ca.crt`);
  const issue = async (name: string, subject: string, extensions: string): Promise<void> => {
    await writeFile(file(`${name}.ext`), extensions);
    await openssl(`req -new ${newKey} -subj ${subject} -keyout ${name}.key -out ${name}.csr`);
    await openssl(
      `x509 -req -days 30 -in ${name}.csr -CA ca.crt -CAkey ca.key -CAcreateserial ` +
        `-extfile ${name}.ext -out ${name}.crt`,
    );
  };
  // kube-apiserver looks for exactly these two names in --cert-dir.
  await issue(
    "apiserver",
    "/CN=kube-apiserver",
    "subjectAltName=DNS:localhost,DNS:kubernetes,IP:127.0.0.1,IP:10.0.0.1\nextendedKeyUsage=serverAuth\n",
  );
  await issue("admin", "/O=system:masters/CN=admin", "extendedKeyUsage=clientAuth\n");
  await openssl("genrsa -out service-account.key 2048");
  const files = {
    caFile: file("ca.crt"),
    clientCertificateFile: file("admin.crt"),
    clientKeyFile: file("admin.key"),
  };
  return {
    ...files,
    ca: await readFile(files.caFile, "utf8"),
    clientCertificate: await readFile(files.clientCertificateFile, "utf8"),
    clientKey: await readFile(files.clientKeyFile, "utf8"),
  };
}

/** The file with every authority whose client certificates are believed. */
async function writeClientAuthorities(
  { ca, caFile }: PeerCredentials,
  { clientAuthorityFile }: KubeApiserverOptions,
): Promise<string> {
  if (clientAuthorityFile === undefined) return caFile;
  const file = `${caFile}.clients`;
  await writeFile(file, `${ca}\n${await readFile(clientAuthorityFile, "utf8")}`);
  return file;
}

function requireAsset(name: string): string {
  const path = assetPath(name);
  if (path === undefined) {
    throw new AssetMissingError(
      `${name} is not there: run \`npm run assets -- etcd kube-apiserver\``,
    );
  }
  return path;
}
