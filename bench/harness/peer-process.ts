// A peer as a process of its own on this machine: own data folder, own loopback ports, and gone when
// the benchmark is over, however it ends. An orderly end stops it (dispose, or at the latest the
// process's exit); against a killed benchmark a small guard process, which ends as soon as our end
// of its pipe closes, kills the peer and removes its data.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { DataFolder } from "./data-folder.ts";
import { onExit } from "./exit-cleanup.ts";

export interface PeerOptions {
  /** For messages, and part of the folder's name. */
  readonly name: string;
  readonly command: string;
  /** How many free loopback ports it needs. */
  readonly ports: number;
  readonly commandArguments: (place: PeerPlace) => readonly string[];
  /** Whether it does its work now. A rejection means: not yet. */
  readonly isReady: (place: PeerPlace, signal: AbortSignal) => Promise<boolean>;
  readonly readyWithinMilliseconds?: number;
  readonly signal?: AbortSignal;
}

export interface PeerPlace {
  readonly folder: string;
  readonly ports: readonly number[];
}

class PeerFailedError extends Error {
  readonly code = "PEER_FAILED";
}

const portAttempts = 3;
const pollMilliseconds = 5;
const stopWithinMilliseconds = 30_000;
const outputLinesKept = 40;

// Arguments: the peer's process group and folder. It lives in a process group of its own and takes
// no notice of signals meant for us.
const guardScript = `trap "" INT TERM HUP; read -r _; kill -9 "-$1"; rm -rf -- "$2"`;

export class PeerProcess implements AsyncDisposable {
  readonly place: PeerPlace;
  readonly #options: PeerOptions;
  readonly #folder: DataFolder;
  /** Undefined while it is stopped. */
  #running: Running | undefined;

  private constructor(options: PeerOptions, folder: DataFolder, ports: readonly number[]) {
    this.#options = options;
    this.#folder = folder;
    this.place = { folder: folder.path, ports };
  }

  /** Starts it on free ports and waits until it is ready. */
  static async start(options: PeerOptions): Promise<PeerProcess> {
    for (let attempt = 1; ; attempt++) {
      const folder = new DataFolder(options.name);
      const peer = new PeerProcess(options, folder, await freePorts(options.ports));
      try {
        await peer.#launch();
        return peer;
      } catch (error) {
        await peer[Symbol.asyncDispose]();
        // Between finding a free port and listening on it somebody else may have taken it.
        const taken = (error as Error).message.includes("address already in use");
        if (!taken || attempt === portAttempts) throw error;
      }
    }
  }

  get pid(): number {
    if (this.#running === undefined) {
      throw new PeerFailedError(`${this.#options.name} is stopped and has no pid`);
    }
    return this.#running.pid;
  }

  /** Stops it in its own orderly way, or with SIGKILL at once; its data stay. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    await this.#running?.end(signal);
    this.#running = undefined;
  }

  /** Stops it and starts it on the same data; answers the milliseconds from start to ready. */
  async restart(): Promise<number> {
    await this.stop();
    return this.#launch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
    await this.#folder[Symbol.asyncDispose]();
  }

  async #launch(): Promise<number> {
    const { name, command, commandArguments, readyWithinMilliseconds = 60_000 } = this.#options;
    this.#options.signal?.throwIfAborted();
    const begin = performance.now();
    const running = await Running.spawn(command, commandArguments(this.place), this.place.folder);
    this.#running = running;
    while (!(await this.#isReady())) {
      this.#options.signal?.throwIfAborted();
      if (running.hasEnded) {
        throw new PeerFailedError(`${name} ended before it was ready:\n${running.output}`);
      }
      if (performance.now() - begin > readyWithinMilliseconds) {
        throw new PeerFailedError(
          `${name} was not ready within ${readyWithinMilliseconds} ms:\n${running.output}`,
        );
      }
      await sleep(pollMilliseconds);
    }
    return performance.now() - begin;
  }

  async #isReady(): Promise<boolean> {
    try {
      return await this.#options.isReady(this.place, AbortSignal.timeout(2000));
    } catch {
      return false;
    }
  }
}

/** One life of the process, with its guard. */
class Running {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #guard: ChildProcess;
  readonly #forget: () => void;
  #lines: string[] = [];

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.pid = child.pid!;
    this.#guard = spawn("sh", ["-c", guardScript, "guard", String(this.pid), folder], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#guard.unref();
    // An unreadable pipe or no `sh` only costs the guard.
    this.#guard.once("error", () => undefined);
    this.#guard.stdin?.once("error", () => undefined);
    this.#forget = onExit(() => {
      this.#guard.kill("SIGKILL");
      this.#kill("SIGKILL");
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.#keep(text));
    }
  }

  static async spawn(command: string, args: readonly string[], folder: string): Promise<Running> {
    // A process group of its own: Ctrl-C in a terminal is for us, and we decide when it ends.
    const child = spawn(command, args, {
      cwd: folder,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (child.pid === undefined) {
      const [error] = (await once(child, "error")) as [Error];
      throw new PeerFailedError(`${command} cannot be started: ${error.message}`, { cause: error });
    }
    return new Running(child, folder);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The last it printed. */
  get output(): string {
    return this.#lines.join("\n");
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.hasEnded) {
      const ended = once(this.#child, "exit");
      this.#kill(signal);
      const timer = setTimeout(() => this.#kill("SIGKILL"), stopWithinMilliseconds);
      await ended;
      clearTimeout(timer);
    }
    this.#guard.kill("SIGKILL");
    this.#forget();
  }

  #kill(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // Already gone.
    }
  }

  #keep(text: string): void {
    this.#lines = [...this.#lines, ...text.split("\n").filter(Boolean)].slice(-outputLinesKept);
  }
}

/** Different ports that nobody listens on now. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
