/**
 * The hostile corpus: one file per class of attack that a control plane has met, each against the
 * command in a process of its own, over real TLS. What every attack has to leave behind is checked
 * here, once: the process lives and is the same, a bystander read its own object all the while and
 * got it whole each time, and nothing secret is in what the process has written: neither in its
 * output nor in its audit log, which notes bodies of everything that is not secret by its kind.
 * RBAC escalation has a property test instead: tests/properties/no-escalation.test.ts. The reading of
 * kubeconfig files joins with the client that reads them; today they are only written.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "@homeostat/concurrency";
import { afterAll, beforeAll, vi } from "vitest";
import { CommandUnderTest, makeBundle, readAccess } from "../../apps/cli/src/command-under-test.ts";
import { Http1Wire } from "../semantics/http1-wire.ts";
import { Http2Wire } from "../semantics/http2-wire.ts";
import { bytesOf, type Identity, type Wire } from "../semantics/wire.ts";

/** Known to the server, and never to be written by it. */
const SECRET = "hunter2-of-the-corpus";
const ROOT_TOKEN = "root-token-of-the-corpus";
const MALLORY_TOKEN = "mallory-token-of-the-corpus";
const CANARY = "/api/v1/namespaces/bystander/secrets/canary";
/** Bodies of all but secrets: tokens must not be in them either. */
const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: Metadata
  resources: [{group: "", resources: [secrets]}]
- level: RequestResponse
`;

export interface HostileRequest {
  readonly method?: string;
  /** With its query, exactly as it is to be sent. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes and texts as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Default: the type of JSON, if there is a body. */
  readonly type?: string;
  /** Default root: may do everything. Mallory may do nothing, and whoever has no token is nobody. */
  readonly as?: "mallory" | "nobody" | "root" | { readonly token: string };
}

export interface HostileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The body, where it is JSON. */
  readonly object: Record<string, never>;
  /** Of a Status. */
  readonly message: string;
}

export class ServerUnderAttack implements AsyncDisposable {
  readonly command: CommandUnderTest;
  /** Without a certificate: whoever uses it has to say who they are. */
  readonly identity: Identity;
  /** A certificate of the administrator. */
  readonly admin: Identity;
  #wire: Http2Wire;
  readonly #folder: string;
  #canary = "";
  #reads = 0;
  #longestRead = 0;

  private constructor(command: CommandUnderTest, kubeconfig: string, folder: string) {
    this.command = command;
    this.#folder = folder;
    const { server, ca, cert, key } = readAccess(kubeconfig);
    this.identity = { port: Number(new URL(server).port), authority: ca };
    this.admin = { ...this.identity, certificate: cert!, key: key! };
    this.#wire = new Http2Wire(this.identity);
  }

  static async start(flags: readonly string[] = []): Promise<ServerUnderAttack> {
    const folder = mkdtempSync(join(tmpdir(), "homeostat-hostile-"));
    const tokens = join(folder, "tokens.csv");
    writeFileSync(
      tokens,
      `${ROOT_TOKEN},root,1,system:masters\n${MALLORY_TOKEN},mallory,2,strangers\n`,
    );
    const kubeconfig = join(folder, "kubeconfig");
    const policy = join(folder, "audit-policy.yaml");
    writeFileSync(policy, AUDIT_POLICY);
    const command = new CommandUnderTest([
      "api-server",
      "--port",
      "0",
      "--ephemeral",
      "--kubeconfig",
      kubeconfig,
      "--token-auth-file",
      tokens,
      "--audit-policy-file",
      policy,
      "--audit-log-path",
      join(folder, "audit.log"),
      ...flags,
    ]);
    await command.ready();
    const server = new ServerUnderAttack(command, kubeconfig, folder);
    await server.#prepare();
    return server;
  }

  /** One request over a connection that all share; whatever the answer is. */
  async send(request: HostileRequest): Promise<HostileAnswer> {
    const { closed, destroyed } = this.#wire.session;
    // Who has said nothing for long is hung up on, and calls again.
    if (closed || destroyed) this.#wire = new Http2Wire(this.identity);
    return sendOver(this.#wire, request);
  }

  /** Sends and expects this status. */
  async expect(status: number, request: HostileRequest): Promise<HostileAnswer> {
    const answer = await this.send(request);
    const { method = "GET", path } = request;
    requireThat(
      answer.status === status,
      `${method} ${path} was answered ${answer.status}, not ${status}: ${answer.text}`,
    );
    return answer;
  }

  /**
   * Runs an attack while somebody else reads over a connection of their own. Afterwards the server
   * has to be the one it was.
   */
  async during<T>(attack: () => Promise<T>): Promise<T> {
    await using bystander = new Http1Wire(this.identity);
    const over = new AbortController();
    const reading = (async () => {
      do {
        const begun = realClock.monotonic();
        const { status, text } = await sendOver(bystander, { path: CANARY });
        this.#longestRead = Math.max(this.#longestRead, realClock.monotonic() - begun);
        this.#reads++;
        if (status !== 200 || text !== this.#canary) {
          throw new Error(`the bystander got ${status}: ${text}`);
        }
        await pause(5);
      } while (!over.signal.aborted);
    })();
    try {
      return await Promise.race([attack(), reading.then(() => neverEnds<T>())]);
    } finally {
      over.abort();
      await reading;
      requireThat(this.isAlive, "the server is gone");
    }
  }

  /** The process is the one that was started. */
  get isAlive(): boolean {
    const { exitCode, signalCode } = this.command.child;
    return exitCode === null && signalCode === null;
  }

  /** Resident memory of the process in MiB. */
  memory(): number {
    const status = readFileSync(`/proc/${this.command.child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** What the process has written so far, and what its bystanders saw. */
  report(): string {
    return `${this.#reads} reads beside the attacks, the longest ${Math.round(this.#longestRead)} ms`;
  }

  /** Looks at what the process has written, stops it, and expects an orderly end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { command } = this;
    try {
      requireThat(this.isAlive, "the server is gone");
      const canary = await this.expect(200, { path: CANARY });
      requireThat(canary.text === this.#canary, `the canary is another one: ${canary.text}`);
      await this.#wire[Symbol.asyncDispose]();
      const { code } = await command.stop("SIGTERM");
      requireThat(code === 0, `the server ended with ${code}`);
      const audited = readFileSync(join(this.#folder, "audit.log"), "utf8");
      requireThat(audited.includes('"auditID"'), "nothing was audited");
      for (const written of [command.stdout, command.stderr, audited]) {
        const leaked = this.#secrets().filter((secret) => written.includes(secret));
        requireThat(leaked.length === 0, `written by the server: ${leaked.join(", ")}`);
      }
      requireThat(command.stderr === "", `the server complained: ${command.stderr}`);
    } finally {
      await command[Symbol.asyncDispose]();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  #secrets(): readonly string[] {
    const encoded = Buffer.from(SECRET).toString("base64");
    return [SECRET, encoded, ROOT_TOKEN, MALLORY_TOKEN, "PRIVATE KEY", "eyJhbGciOi"];
  }

  async #prepare(): Promise<void> {
    const namespace = { metadata: { name: "bystander" } };
    await this.expect(201, { method: "POST", path: "/api/v1/namespaces", body: namespace });
    const canary = { metadata: { name: "canary" }, stringData: { password: SECRET } };
    const path = "/api/v1/namespaces/bystander/secrets";
    await this.expect(201, { method: "POST", path, body: canary });
    this.#canary = (await this.expect(200, { path: CANARY })).text;
  }
}

/** One request over any wire. */
export async function sendOver(
  wire: Wire,
  { method = "GET", path, headers = {}, body, type, as = "root" }: HostileRequest,
): Promise<HostileAnswer> {
  const bytes = bodyBytes(body);
  const answer = await wire.send({
    method,
    path,
    headers: {
      ...tokenHeader(as),
      ...(bytes === undefined ? {} : { "content-type": type ?? "application/json" }),
      ...headers,
    },
    body: bytes,
  });
  const text = (await bytesOf(answer)).toString();
  const object = parsed(text);
  const { message } = object as { message?: unknown };
  const { status } = answer;
  return {
    status,
    headers: answer.headers,
    text,
    object,
    message: typeof message === "string" ? message : "",
  };
}

export function tokenHeader(as: NonNullable<HostileRequest["as"]>): Record<string, string> {
  if (as === "nobody") return {};
  const token = typeof as === "object" ? as.token : as === "root" ? ROOT_TOKEN : MALLORY_TOKEN;
  return { authorization: `Bearer ${token}` };
}

function bodyBytes(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function parsed(text: string): Record<string, never> {
  try {
    return JSON.parse(text) as Record<string, never>;
  } catch {
    return {};
  }
}

class AttackSucceededError extends Error {
  readonly code = "attack-succeeded";
  override readonly name = "AttackSucceededError";
}

function requireThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new AttackSucceededError(otherwise);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void realClock.setTimer(milliseconds, resolve));
}

function neverEnds<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/** One server for all tests of a file, started before them and judged after them. */
export function attackedServer(flags: readonly string[] = []): () => ServerUnderAttack {
  // Real processes and sockets, on machines that may be busy.
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
  let server: ServerUnderAttack | undefined;
  beforeAll(async () => {
    makeBundle();
    server = await ServerUnderAttack.start(flags);
  });
  afterAll(async () => {
    if (process.env["HOSTILE_REPORT"]) process.stdout.write(`${server?.report()}\n`);
    await server?.[Symbol.asyncDispose]();
  });
  return () => server!;
}
