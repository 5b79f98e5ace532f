// Our own API server as people start it: the command, in a process of its own, with its data on the
// disk under test. What it writes for people (the kubeconfig) is how we get in.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LoadedServer, ServerFiles } from "./loaded-server.ts";
import { PeerProcess } from "./peer-process.ts";
import { treeUsage } from "./process-tree.ts";
import type { ProcessUsage } from "./process-usage.ts";

export interface HomeostatOptions {
  /** Options for Node itself, such as `--import` or `--max-old-space-size`. */
  readonly nodeArguments?: readonly string[];
  /** A command to run it under, such as `prlimit`; it must exec what follows. */
  readonly wrapper?: readonly string[];
  /** More flags of the command, such as `--memory-limit=512Mi`. */
  readonly flags?: readonly string[];
  readonly signal?: AbortSignal;
}

interface HomeostatCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a kubeconfig says, as far as one client needs it. PEM texts. */
export interface KubeconfigAccess {
  readonly url: string;
  readonly ca: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

class KubeconfigError extends Error {
  readonly code = "KUBECONFIG";
}

const project = fileURLToPath(new URL("../../", import.meta.url));
const launcher = join(project, "apps/cli/bin/homeostat.mjs");
const bundler = join(project, "apps/cli/scripts/ensure-bundle.mjs");

export class HomeostatPeer implements LoadedServer {
  readonly name = "homeostat";
  readonly url: string;
  readonly files: ServerFiles;
  readonly #process: PeerProcess;

  private constructor(process: PeerProcess, access: KubeconfigAccess) {
    this.#process = process;
    this.url = access.url;
    this.files = writeAccess(process.place.folder, access);
  }

  /** Why it cannot be started here; undefined: it can. */
  static obstacle(): string | undefined {
    return existsSync(launcher) ? undefined : "apps/cli/bin/homeostat.mjs is not there";
  }

  /** Bundles the command where it is older than its sources: before a start that is measured. */
  static prepare(): void {
    if (existsSync(bundler)) execFileSync(process.execPath, [bundler], { stdio: "pipe" });
  }

  /** The command line that starts it. */
  static command(folder: string, options: HomeostatOptions = {}): HomeostatCommand {
    const [command = process.execPath, ...args] = [
      ...(options.wrapper ?? []),
      process.execPath,
      ...(options.nodeArguments ?? []),
      launcher,
      "api-server",
      `--data-dir=${join(folder, "data")}`,
      `--kubeconfig=${join(folder, "kubeconfig")}`,
      "--port=0",
      ...(options.flags ?? []),
    ];
    return { command, args };
  }

  static async start(options: HomeostatOptions = {}): Promise<HomeostatPeer> {
    HomeostatPeer.prepare();
    const { command } = HomeostatPeer.command("", options);
    const peer = await PeerProcess.start({
      name: "homeostat",
      command,
      ports: 0,
      commandArguments: ({ folder }) => HomeostatPeer.command(folder, options).args,
      isReady: async ({ folder }) => {
        const file = join(folder, "kubeconfig");
        return existsSync(file) && (await isListening(readKubeconfig(file).url));
      },
      ...(options.signal && { signal: options.signal }),
    });
    return new HomeostatPeer(peer, readKubeconfig(join(peer.place.folder, "kubeconfig")));
  }

  get pid(): number {
    return this.#process.pid;
  }

  get folder(): string {
    return this.#process.place.folder;
  }

  usage(): ProcessUsage {
    return treeUsage(this.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}

/** Reads the first cluster and user. The values are single words, so no YAML reader is needed. */
export function readKubeconfig(file: string): KubeconfigAccess {
  const text = readFileSync(file, "utf8");
  const value = (name: string): string => {
    const found = new RegExp(`"?${name}"?:\\s*"?([^\\s"]+)`).exec(text)?.[1];
    if (found === undefined) throw new KubeconfigError(`${file} has no ${name}`);
    return found;
  };
  const decoded = (name: string): string => Buffer.from(value(name), "base64").toString();
  return {
    url: value("server"),
    ca: decoded("certificate-authority-data"),
    clientCertificate: decoded("client-certificate-data"),
    clientKey: decoded("client-key-data"),
  };
}

/** Whether somebody accepts connections there. */
export function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function writeAccess(folder: string, access: KubeconfigAccess): ServerFiles {
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    ca: write("ca.crt", access.ca),
    clientCertificate: write("client.crt", access.clientCertificate),
    clientKey: write("client.key", access.clientKey),
  };
}
