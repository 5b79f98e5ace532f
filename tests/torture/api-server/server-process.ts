import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  HomeostatPeer,
  type KubeconfigAccess,
  readKubeconfig,
} from "../../../bench/harness/homeostat-peer.ts";
import type { Workspace } from "../workspace.ts";

/** The server ended, or did nothing, before it was ready. */
export class NotReadyError extends Error {
  readonly code: "did-not-open" | "hung";

  constructor(code: "did-not-open" | "hung", message: string) {
    super(message);
    this.code = code;
  }
}

const patienceMilliseconds = 60_000;
const errorOutputKept = 4000;

/** One life of the server: the command people run, on a data directory that outlives it. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #kubeconfig: string;
  #errorOutput = "";

  constructor(options: { workspace: Workspace; folder: string }) {
    this.#kubeconfig = join(options.folder, "kubeconfig");
    // Written when it is ready: the one of the life before says nothing.
    rmSync(this.#kubeconfig, { force: true });
    const { command, args } = HomeostatPeer.command(options.folder);
    this.#child = options.workspace.adopt(
      spawn(command, args, { cwd: options.folder, stdio: ["ignore", "ignore", "pipe"] }),
    );
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-errorOutputKept);
    });
  }

  /** How to reach it, once it is ready. Throws NotReadyError. */
  async ready(): Promise<KubeconfigAccess> {
    const begin = performance.now();
    while (!existsSync(this.#kubeconfig)) {
      if (this.hasEnded) {
        throw new NotReadyError("did-not-open", `it ended while starting: ${this.#errorOutput}`);
      }
      if (performance.now() - begin > patienceMilliseconds) {
        throw new NotReadyError("hung", `it was not ready after ${patienceMilliseconds} ms`);
      }
      await sleep(2);
    }
    return readKubeconfig(this.#kubeconfig);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** What it said on standard error, the end of it. */
  get errorOutput(): string {
    return this.#errorOutput;
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    this.#child.kill(signal);
  }

  /** The exit code; null when a signal ended it. */
  async ended(): Promise<number | null> {
    if (!this.hasEnded) await once(this.#child, "exit");
    return this.#child.exitCode;
  }
}
