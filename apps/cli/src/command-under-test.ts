/**
 * The bundled command in a process of its own, for tests: started by the launcher as people start
 * it, watched through its standard output, killed with the test.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../bin/homeostat.mjs", import.meta.url));
const ensureBundle = fileURLToPath(new URL("../scripts/ensure-bundle.mjs", import.meta.url));

export interface CommandOptions {
  /** Default: the running Node. */
  readonly node?: string;
  readonly nodeFlags?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Makes the bundle if a source has changed. */
export function makeBundle(): void {
  const { status, stderr } = spawnSync(process.execPath, [ensureBundle], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the bundle could not be made: ${stderr}`);
}

export class CommandUnderTest implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  stdout = "";
  stderr = "";

  constructor(args: readonly string[], options: CommandOptions = {}) {
    this.child = spawn(
      options.node ?? process.execPath,
      [...(options.nodeFlags ?? []), launcher, ...args],
      {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ...options.env },
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      },
    );
    this.child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (this.stdout += chunk));
    this.child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (this.stderr += chunk));
    this.exited = once(this.child, "close").then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }));
  }

  /** What the ready lines say; rejects when the process ends without any. */
  async ready(): Promise<{ url: string; milliseconds: number; kubeconfig: string }> {
    const pattern = /ready at (https:\S+) in (\d+) ms\nexport KUBECONFIG=(.*)\n/;
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match !== null) {
        return { url: match[1]!, milliseconds: Number(match[2]), kubeconfig: match[3]! };
      }
      const exit = await Promise.race([this.exited, once(this.child.stdout!, "data")]);
      if ("code" in exit) {
        throw new Error(
          `ended with ${exit.code ?? exit.signal} before it was ready: ${this.stderr}`,
        );
      }
    }
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Exit> {
    this.child.kill(signal);
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exited;
  }
}

/** The kubectl that `npm run assets` has put into the cache; undefined when there is none. */
export function findKubectl(): string | undefined {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "homeostat", "assets", "kubectl");
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .map((version) => join(folder, version, "kubectl"))
    .find((file) => existsSync(file));
}

/** The server and the credentials of a kubeconfig file. */
export interface Access {
  readonly server: string;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  /** A bearer token. */
  readonly token?: string;
}

export function readAccess(kubeconfig: string): Access {
  const config = readFileSync(kubeconfig, "utf8");
  const value = (name: string): string => new RegExp(`${name}: (.*)`).exec(config)![1]!;
  const data = (name: string): string => Buffer.from(value(name), "base64").toString();
  return {
    server: value("server"),
    ca: data("certificate-authority-data"),
    cert: data("client-certificate-data"),
    key: data("client-key-data"),
  };
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One request over a connection of its own, or the response as soon as its head is there. */
export async function open(
  access: Access,
  path: string,
  send?: { readonly method: string; readonly body: string },
): Promise<IncomingMessage> {
  const { server, token, ...credentials } = access;
  const sending = request(`${server}${path}`, {
    ...credentials,
    agent: false,
    method: send?.method ?? "GET",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
  });
  sending.end(send?.body);
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  return response;
}

export async function ask(
  access: Access,
  path: string,
  send?: { readonly method: string; readonly body: string },
): Promise<Answer> {
  const response = await open(access, path, send);
  return { status: response.statusCode ?? 0, body: await text(response) };
}
