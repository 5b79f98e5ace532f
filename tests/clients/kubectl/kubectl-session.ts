import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { KubectlProgram } from "./kubectl-programs.ts";
import { mask } from "./masks.ts";
import { trimBlank } from "./transcript.ts";

const MANIFESTS = fileURLToPath(new URL("./manifests", import.meta.url));

/** How somebody gets in; PEM texts. */
export interface Access {
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/**
 * A shell in a folder of its own, with copies of the manifests, `kubectl` on its path and a kubeconfig
 * whose namespace is the session's. All of it goes when the session does.
 */
export class KubectlSession implements AsyncDisposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "homeostat-kubectl-"));
  readonly #access: Access;
  readonly #running = new Set<ChildProcess>();

  constructor(program: KubectlProgram, access: Access) {
    this.#access = access;
    cpSync(MANIFESTS, this.folder, { recursive: true });
    mkdirSync(join(this.folder, "bin"));
    // A certificate and its key, for commands that want files of them.
    writeFileSync(join(this.folder, "client.crt"), access.cert);
    writeFileSync(join(this.folder, "client.key"), access.key);
    symlinkSync(program.path, join(this.folder, "bin", "kubectl"));
  }

  /** Makes the namespace, and in it the service account that a controller would make. */
  async enter(namespace: string): Promise<void> {
    const config = JSON.stringify(kubeconfig(this.#access, namespace));
    writeFileSync(join(this.folder, "config"), config);
    const made = await this.run(
      `kubectl create namespace ${namespace} && kubectl create serviceaccount default`,
    );
    if (!made.endsWith("default created")) throw new Error(`no namespace to work in: ${made}`);
  }

  /** What a command prints, masked. */
  async run(command: string): Promise<string> {
    const child = this.start(command);
    const [printed, code] = await Promise.all([text(child.stdout!), ended(child)]);
    const { server } = this.#access;
    const masked = trimBlank(mask(printed, { server, folder: this.folder }));
    return code === 0 ? masked : `${masked}\n[exit ${code}]`.trimStart();
  }

  /** Errors come with the output, as on a terminal. */
  start(command: string): ChildProcess {
    const child = spawn("/bin/sh", ["-c", `exec 2>&1\n${command}`], {
      cwd: this.folder,
      env: {
        HOME: this.folder,
        KUBECONFIG: join(this.folder, "config"),
        PATH: `${join(this.folder, "bin")}:${process.env["PATH"]}`,
        TMPDIR: this.folder,
        TZ: "UTC",
        LC_ALL: "C",
        // A short life needs neither a garbage collector nor threads.
        GOGC: "off",
        GOMAXPROCS: "1",
      },
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    this.#running.add(child);
    child.once("close", () => this.#running.delete(child));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) {
      const end = ended(child);
      killGroup(child);
      await end;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The shell and what it started; both may just have ended by themselves. */
function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("close", resolve));
}

/** kubectl reads YAML, and JSON is YAML. */
function kubeconfig({ server, ca, cert, key }: Access, namespace: string): object {
  const base64 = (pem: string): string => Buffer.from(pem).toString("base64");
  const user = { "client-certificate-data": base64(cert), "client-key-data": base64(key) };
  const cluster = { server, "certificate-authority-data": base64(ca) };
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "plane",
    contexts: [{ name: "plane", context: { cluster: "plane", user: "admin", namespace } }],
    clusters: [{ name: "plane", cluster }],
    users: [{ name: "admin", user }],
  };
}
