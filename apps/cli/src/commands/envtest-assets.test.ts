import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, get } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { openAuthority } from "@homeostat/certificates";
import { realClock, sleep, systemRandom } from "@homeostat/concurrency";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Access, ask, makeBundle } from "../command-under-test.ts";

vi.setConfig({ testTimeout: 180_000 });
beforeAll(makeBundle, 60_000);

const launcher = fileURLToPath(new URL("../../bin/homeostat.mjs", import.meta.url));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "homeostat-envtest-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function writeAssets(folder: string, path = process.env["PATH"]!): string {
  const env = { ...process.env, PATH: path };
  return execFileSync(process.execPath, [launcher, "envtest-assets", folder], {
    env,
    encoding: "utf8",
  });
}

const given = new Set<number>();

/**
 * A port for a program that listens later, and again after a restart. Not one of those that the system
 * gives to whoever asks for any: meanwhile it would give it to another test.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + systemRandom.below(20_000);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createSocketServer().once("error", () => resolve(false));
  server.listen(port, "127.0.0.1", () => void server.close(() => resolve(true)));
  return promise;
}

/** One of the programs, killed with the test. */
class Program {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  stderr = "";

  constructor(file: string, args: readonly string[]) {
    this.child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"] });
    this.child.stderr!.setEncoding("utf8").on("data", (chunk: string) => (this.stderr += chunk));
    this.exited = once(this.child, "close").then(([code]) => code as number | null);
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  async stop(): Promise<number | null> {
    this.child.kill("SIGTERM");
    return this.exited;
  }
}

async function until(isSo: () => Promise<boolean>, program: Program): Promise<void> {
  let hasEnded = false;
  void program.exited.then(() => (hasEnded = true));
  while (!(await isSo().catch(() => false))) {
    if (hasEnded) throw new Error(`it ended: ${program.stderr}`);
    await sleep(realClock, 10);
  }
}

async function answerOf(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  get(url, { agent: false }, (response) => void text(response).then(resolve, reject)).once(
    "error",
    reject,
  );
  return promise;
}

interface Place {
  readonly assets: string;
  readonly folder: string;
  readonly etcdUrl: string;
  readonly port: number;
  readonly access: Access;
}

/** A folder as a test environment makes one: an authority of clients, a token file. */
async function newPlace(): Promise<Place> {
  const folder = newFolder();
  writeAssets(join(folder, "assets"));
  const authority = await openAuthority({ keptIn: "memory", clock: realClock });
  writeFileSync(join(folder, "client-ca.crt"), authority.certificate);
  const { certificate, key } = await authority.issue({
    usage: "client",
    subject: { commonName: "admin", organizations: ["system:masters"] },
  });
  const [etcdPort, port] = [await freePort(), await freePort()];
  return {
    assets: join(folder, "assets"),
    folder,
    etcdUrl: `http://127.0.0.1:${etcdPort}`,
    port,
    access: { server: `https://127.0.0.1:${port}`, ca: "", cert: certificate, key },
  };
}

async function startEtcd({ assets, folder, etcdUrl }: Place): Promise<Program> {
  const etcd = new Program(join(assets, "etcd"), [
    "-data-dir",
    join(folder, "data"),
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    "--unsafe-no-fsync=true",
  ]);
  await until(
    async () => (await answerOf(`${etcdUrl}/health`)) === `{"health":"true","reason":""}`,
    etcd,
  );
  return etcd;
}

async function startServer(place: Place, ...flags: string[]): Promise<[Program, Access]> {
  const { assets, folder, etcdUrl, port } = place;
  const server = new Program(join(assets, "kube-apiserver"), [
    "--allow-privileged",
    "--authorization-mode",
    "RBAC",
    "--bind-address=127.0.0.1",
    "--cert-dir",
    join(folder, "certs"),
    "--client-ca-file",
    join(folder, "client-ca.crt"),
    "--disable-admission-plugins",
    "ServiceAccount",
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${port}`,
    ...flags,
  ]);
  const certificate = join(folder, "certs", "apiserver.crt");
  const access = (): Access => ({ ...place.access, ca: readFileSync(certificate, "utf8") });
  await until(async () => (await ask(access(), "/healthz")).body === "ok", server);
  return [server, access()];
}

const configMaps = "/api/v1/namespaces/default/configmaps";
const body = JSON.stringify({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "kept" },
  data: { a: "b" },
});

test("objects outlive the server, by signal or kill, and its etcd", async () => {
  const place = await newPlace();
  const etcd = await startEtcd(place);
  const [first, access] = await startServer(place);
  expect((await ask(access, configMaps, { method: "POST", body })).status).toBe(201);
  expect(await first.stop()).toBe(0);
  const [second] = await startServer(place);
  expect((await ask(access, `${configMaps}/kept`)).status).toBe(200);
  second.child.kill("SIGKILL");
  await second.exited;
  expect(await etcd.stop()).toBe(0);
  const etcdAgain = await startEtcd(place);
  const [third] = await startServer(place);
  expect((await ask(access, `${configMaps}/kept`)).status).toBe(200);
  expect(await third.stop()).toBe(0);
  // Another prefix in the same etcd is another cluster.
  const [other] = await startServer(place, "--etcd-prefix=/elsewhere");
  expect((await ask(access, `${configMaps}/kept`)).status).toBe(404);
  expect([await other.stop(), await etcdAgain.stop()]).toEqual([0, 0]);
  expect(first.stderr).toContain(`] Serving securely on 127.0.0.1:${place.port}\n`);
});

test("the server waits for its etcd, and warns of flags it does not know", async () => {
  const place = await newPlace();
  const starting = startServer(place, "--brand-new", "thing", "-v=4");
  await startEtcd(place);
  const [server] = await starting;
  expect(server.stderr).toMatch(/^W\d{4} .*\] unknown flag: --brand-new thing; it is ignored$/m);
});

test("the server refuses an etcd that is not ours, and flags that cannot be", async () => {
  const { assets } = await newPlace();
  const foreign = createServer((_, response) => response.end("404 page not found\n"));
  foreign.listen(0, "127.0.0.1");
  await once(foreign, "listening");
  onTestFinished(() => void foreign.close());
  const { port } = foreign.address() as { port: number };
  const server = new Program(join(assets, "kube-apiserver"), [
    `--etcd-servers=http://127.0.0.1:${port}`,
  ]);
  expect(await server.exited).toBe(1);
  expect(server.stderr).toContain(
    `error: http://127.0.0.1:${port} is not the etcd of homeostat envtest-assets`,
  );
  const unauthorized = ["--etcd-servers=http://127.0.0.1:1", "--authorization-mode=Webhook"];
  const { status, stderr } = spawnSync(join(assets, "kube-apiserver"), unauthorized, {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining("--authorization-mode")]);
});

test("the server speaks to its etcd over HTTPS where it is asked to", async () => {
  const place = await newPlace();
  const file = (name: string): string => join(place.folder, name);
  const authority = await openAuthority({ keptIn: "memory", clock: realClock });
  writeFileSync(file("etcd-ca.crt"), authority.certificate);
  for (const usage of ["server", "client"] as const) {
    const { certificate, key } = await authority.issue({
      usage,
      subject: { commonName: "etcd" },
      ...(usage === "server" && { names: ["127.0.0.1"] }),
    });
    writeFileSync(file(`${usage}.crt`), certificate);
    writeFileSync(file(`${usage}.key`), key);
  }
  const etcdUrl = place.etcdUrl.replace("http:", "https:");
  const etcd = new Program(join(place.assets, "etcd"), [
    `--data-dir=${file("data")}`,
    `--listen-client-urls=${etcdUrl}`,
    `--cert-file=${file("server.crt")}`,
    `--key-file=${file("server.key")}`,
    `--trusted-ca-file=${file("etcd-ca.crt")}`,
    "--client-cert-auth",
  ]);
  const [server] = await startServer(
    { ...place, etcdUrl },
    `--etcd-cafile=${file("etcd-ca.crt")}`,
    `--etcd-certfile=${file("client.crt")}`,
    `--etcd-keyfile=${file("client.key")}`,
  );
  expect([await server.stop(), await etcd.stop()]).toEqual([0, 0]);
});

test("etcd makes a certificate of its own where it is asked to, and else wants one", async () => {
  const { assets, folder, ...place } = await newPlace();
  const etcdUrl = place.etcdUrl.replace("http:", "https:");
  const args = [`--data-dir=${join(folder, "data")}`, `--listen-client-urls=${etcdUrl}`];
  const etcd = new Program(join(assets, "etcd"), [...args, "--auto-tls"]);
  await until(async () => etcd.stderr.includes("ready to serve"), etcd);
  await expect(ask({ ...place.access, server: etcdUrl }, "/health")).rejects.toThrow(
    "unable to verify the first certificate",
  );
  expect(await etcd.stop()).toBe(0);
  const bare = new Program(join(assets, "etcd"), args);
  expect(await bare.exited).toBe(1);
  expect(bare.stderr).toContain("give --cert-file and --key-file, or --auto-tls");
});

test("the launchers answer what programs ask before they start them", () => {
  const folder = newFolder();
  expect(writeAssets(folder)).toContain(`export KUBEBUILDER_ASSETS=${folder}\n`);
  const say = (name: string, flag: string): string =>
    execFileSync(join(folder, name), [flag], { encoding: "utf8" });
  expect(say("etcd", "--help")).toMatch(/^\s*--unsafe-no-fsync\b/m);
  expect(say("etcd", "--version")).toMatch(/^etcd Version: 3\./);
  expect(say("kube-apiserver", "--help")).toMatch(/^\s*--service-account-issuer\b/m);
  expect(say("kube-apiserver", "--version")).toMatch(/^Kubernetes v1\./);
});

test("kubectl is linked where there is one, and nothing of others is replaced", () => {
  const folder = newFolder();
  const tools = join(folder, "tools");
  mkdirSync(tools);
  expect(writeAssets(join(folder, "none"), tools)).toContain("no kubectl was found in PATH");
  expect(existsSync(join(folder, "none", "kubectl"))).toBe(false);
  writeFileSync(join(tools, "kubectl"), "#!/bin/sh\n", { mode: 0o755 });
  const assets = join(folder, "with 'quotes'");
  writeAssets(assets, tools);
  writeAssets(assets, tools);
  expect(readlinkSync(join(assets, "kubectl"))).toBe(join(tools, "kubectl"));
  writeFileSync(join(assets, "etcd"), "somebody's");
  const again = spawnSync(process.execPath, [launcher, "envtest-assets", assets], {
    encoding: "utf8",
  });
  expect([again.status, again.stderr]).toEqual([
    1,
    expect.stringContaining("etcd was not written by homeostat envtest-assets"),
  ]);
  expect(readFileSync(join(assets, "etcd"), "utf8")).toBe("somebody's");
});
