import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { assetPath } from "../../scripts/assets/asset-path.ts";
import type { Identity } from "./wire.ts";

/** The kubectl that `npm run assets` built, or else one on the PATH; any version will do. */
export function kubectlPath(): string | undefined {
  const built = assetPath("kubectl");
  if (built !== undefined) return built;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, "kubectl")).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** kubectl with a home and a kubeconfig of its own, which go when it does. */
export class Kubectl implements AsyncDisposable {
  readonly #path: string;
  readonly #home = mkdtempSync(join(tmpdir(), "homeostat-kubectl-"));
  readonly #running = new Set<KubectlRun>();

  constructor(path: string, identity: Identity) {
    this.#path = path;
    writeFileSync(join(this.#home, "config"), JSON.stringify(kubeconfig(identity)));
  }

  start(...given: readonly string[]): KubectlRun {
    const KUBECONFIG = join(this.#home, "config");
    const run = new KubectlRun(
      spawn(this.#path, given, {
        env: { HOME: this.#home, KUBECONFIG, PATH: process.env["PATH"] ?? "" },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    this.#running.add(run);
    return run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const run of this.#running) await run.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

export interface KubectlEnd {
  readonly code: number | null;
  readonly errors: string;
}

export class KubectlRun {
  /** How it ended by itself, or was stopped. */
  readonly ended: Promise<KubectlEnd>;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const errors = text(child.stderr!);
    const code = new Promise<number | null>((resolve) => child.once("close", resolve));
    this.ended = Promise.all([code, errors]).then(([exit, shown]) => ({
      code: exit,
      errors: shown,
    }));
  }

  /** The next lines, with single spaces; fewer when it ends before. */
  async lines(count: number): Promise<readonly string[]> {
    const lines: string[] = [];
    while (lines.length < count) {
      const next = await this.#lines.next();
      if (next.done === true) break;
      lines.push(next.value.trim().replaceAll(/ +/g, " "));
    }
    return lines;
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGINT");
    await this.ended;
  }
}

/** kubectl reads YAML, and JSON is YAML. */
function kubeconfig({ port, authority, certificate = "", key = "" }: Identity): object {
  const base64 = (pem: string): string => Buffer.from(pem).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
    clusters: [
      {
        name: "test",
        cluster: {
          server: `https://127.0.0.1:${port}`,
          "certificate-authority-data": base64(authority),
        },
      },
    ],
    users: [
      {
        name: "admin",
        user: { "client-certificate-data": base64(certificate), "client-key-data": base64(key) },
      },
    ],
  };
}
