import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { kubectlPath } from "../semantics/kubectl.ts";
import type { ApiAccess } from "./api-client.ts";

export const KUBECTL: string | undefined = kubectlPath();

export interface KubectlOutcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

interface RunOptions {
  /** What it reads; nothing by default. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** kubectl with a home of its own, with something to read and settings of the environment. */
export class KubectlRunner implements AsyncDisposable {
  readonly #home = mkdtempSync(join(tmpdir(), "homeostat-kubectl-"));
  readonly #running = new Set<ChildProcess>();

  constructor(access: ApiAccess) {
    writeFileSync(join(this.#home, "config"), JSON.stringify(kubeconfig(access)));
  }

  async run(
    given: readonly string[],
    { input = "", env = {} }: RunOptions = {},
  ): Promise<KubectlOutcome> {
    const child = this.start(given, env);
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(input);
    const [output, errors, code] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      ended(child),
    ]);
    return { code, output, errors };
  }

  start(given: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const child = spawn(KUBECTL!, given, {
      env: {
        HOME: this.#home,
        KUBECONFIG: join(this.#home, "config"),
        PATH: process.env["PATH"] ?? "",
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#running.add(child);
    child.once("close", () => this.#running.delete(child));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) {
      const end = ended(child);
      child.kill("SIGKILL");
      await end;
    }
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("close", resolve));
}

/** kubectl reads YAML, and JSON is YAML. */
function kubeconfig({ url, authority, certificate = "", key = "" }: ApiAccess): object {
  const base64 = (pem: string): string => Buffer.from(pem).toString("base64");
  const user = { "client-certificate-data": base64(certificate), "client-key-data": base64(key) };
  const cluster = { server: url, "certificate-authority-data": base64(authority) };
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    clusters: [{ name: "test", cluster }],
    users: [{ name: "test", user }],
  };
}
