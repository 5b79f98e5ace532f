import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import {
  ask,
  CommandUnderTest,
  findKubectl,
  makeBundle,
  open,
  readAccess,
} from "../command-under-test.ts";

beforeAll(makeBundle, 60_000);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "homeostat-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(...flags: string[]): CommandUnderTest {
  return new CommandUnderTest(["api-server", "--port", "0", ...flags]);
}

const configMap = JSON.stringify({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "kept" },
  data: { a: "b" },
});

test("an ephemeral server says when it is ready, serves whom the kubeconfig names, and leaves nothing", async () => {
  await using command = start("--ephemeral");
  const { url, milliseconds, kubeconfig } = await command.ready();
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(milliseconds).toBeGreaterThan(0);
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
  const access = readAccess(kubeconfig);
  expect(access.server).toBe(url);
  const { status, body } = await ask(access, "/api/v1/namespaces");
  expect(status).toBe(200);
  const names = (JSON.parse(body) as { items: { metadata: { name: string } }[] }).items;
  expect(names.map(({ metadata }) => metadata.name)).toContain("default");
  expect(await command.stop("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(command.stdout).toMatch(/stopping \(SIGTERM\)\n.*stopped\n$/);
  expect(command.stderr).toBe("");
  expect(existsSync(dirname(kubeconfig))).toBe(false);
});

const kubectl = findKubectl();

test.skipIf(kubectl === undefined)(
  "kubectl lists namespaces with the written kubeconfig",
  async () => {
    await using command = start("--ephemeral");
    const { kubeconfig } = await command.ready();
    const { stdout } = await promisify(execFile)(kubectl!, ["get", "namespaces", "--output=name"], {
      env: { ...process.env, KUBECONFIG: kubeconfig },
    });
    expect(stdout.split("\n")).toContain("namespace/default");
  },
);

test("who shows no certificate gets nothing", async () => {
  await using command = start("--ephemeral");
  const { server, ca } = readAccess((await command.ready()).kubeconfig);
  const { status } = await ask({ server, ca }, "/api/v1/namespaces/default/secrets");
  expect([401, 403]).toContain(status);
});

test("users come from the token file, strangers are refused, and tokens of accounts survive a restart", async () => {
  const folder = newFolder();
  const tokens = join(folder, "tokens.csv");
  writeFileSync(tokens, "letmein,root,1,system:masters\n");
  const flags = ["--data-dir", join(folder, "data"), "--token-auth-file", tokens];
  let token = "";
  {
    await using command = start(...flags, "--anonymous-auth=false");
    const { cert: _, key: __, ...stranger } = readAccess((await command.ready()).kubeconfig);
    expect((await ask(stranger, "/version")).status).toBe(401);
    const root = { ...stranger, token: "letmein" };
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    const account = JSON.stringify({ metadata: { name: "bot" } });
    expect((await ask(root, accounts, { method: "POST", body: account })).status).toBe(201);
    const made = await ask(root, `${accounts}/bot/token`, { method: "POST", body: "{}" });
    ({ token } = (JSON.parse(made.body) as { status: { token: string } }).status);
    expect((await ask({ ...stranger, token }, "/version")).status).toBe(200);
    expect((await ask({ ...stranger, token: "bad" }, "/version")).status).toBe(401);
    await command.stop();
    expect(command.stdout + command.stderr).not.toContain(token);
  }
  await using again = start(...flags);
  const { cert: _, key: __, ...access } = readAccess((await again.ready()).kubeconfig);
  expect((await ask({ ...access, token }, "/api")).status).toBe(200);
});

test("a restart continues where it was: objects, authority and kubeconfig", async () => {
  const folder = newFolder();
  const path = "/api/v1/namespaces/default/configmaps";
  let before: string;
  let access: ReturnType<typeof readAccess>;
  {
    await using first = start("--data-dir", join(folder, "data"));
    const { kubeconfig } = await first.ready();
    expect(kubeconfig).toBe(join(folder, "data", "kubeconfig"));
    access = readAccess(kubeconfig);
    const created = await ask(access, path, { method: "POST", body: configMap });
    expect(created.status).toBe(201);
    before = (await ask(access, `${path}/kept`)).body;
    expect(await first.stop("SIGINT")).toEqual({ code: 0, signal: null });
  }
  await using second = start("--data-dir", join(folder, "data"));
  const { url, kubeconfig } = await second.ready();
  expect(await ask({ ...access, server: url }, `${path}/kept`)).toEqual({
    status: 200,
    body: before,
  });
  expect(readAccess(kubeconfig)).toEqual({ ...access, server: url });
});

test("a killed server loses nothing it has acknowledged", async () => {
  const data = join(newFolder(), "data");
  const path = "/api/v1/namespaces/default/configmaps";
  {
    await using first = start("--data-dir", data);
    const access = readAccess((await first.ready()).kubeconfig);
    expect((await ask(access, path, { method: "POST", body: configMap })).status).toBe(201);
    expect(await first.stop("SIGKILL")).toMatchObject({ signal: "SIGKILL" });
  }
  await using second = start("--data-dir", data);
  const access = readAccess((await second.ready()).kubeconfig);
  expect((await ask(access, `${path}/kept`)).status).toBe(200);
});

test("a watch ends properly when the server is stopped", async () => {
  await using command = start("--ephemeral");
  const access = readAccess((await command.ready()).kubeconfig);
  const watch = await open(access, "/api/v1/namespaces?watch=true");
  expect(watch.statusCode).toBe(200);
  const body = text(watch);
  expect(await command.stop("SIGTERM")).toEqual({ code: 0, signal: null });
  await body;
  expect(watch.complete).toBe(true);
});

test("a server whose output nobody reads any more goes on, and stops cleanly", async () => {
  await using command = start("--ephemeral");
  const { kubeconfig } = await command.ready();
  command.child.stdout!.destroy();
  command.child.stderr!.destroy();
  expect((await ask(readAccess(kubeconfig), "/api/v1/namespaces")).status).toBe(200);
  expect(await command.stop("SIGTERM")).toEqual({ code: 0, signal: null });
});

test("the kubeconfig is written where it is asked for, and stays", async () => {
  const file = join(newFolder(), "config");
  await using command = start("--ephemeral", "--kubeconfig", file);
  expect((await command.ready()).kubeconfig).toBe(file);
  await command.stop();
  expect(existsSync(file)).toBe(true);
});

test("somebody's own kubeconfig is not replaced", async () => {
  const file = join(newFolder(), "config");
  const own = "apiVersion: v1\nclusters:\n- name: production\n";
  writeFileSync(file, own);
  await using command = start("--ephemeral", "--kubeconfig", file);
  expect(await command.exited).toEqual({ code: 1, signal: null });
  expect(command.stderr).toContain(
    `kubeconfig ${file} holds something that homeostat did not write`,
  );
  expect(readFileSync(file, "utf8")).toBe(own);
});

test("a port in use is told, with what to do", async () => {
  const occupier = createServer();
  onTestFinished(() => void occupier.close());
  await new Promise<void>((done) => void occupier.listen(0, "127.0.0.1", done));
  const { port } = occupier.address() as AddressInfo;
  await using command = new CommandUnderTest(["api-server", "--ephemeral", "--port", String(port)]);
  expect(await command.exited).toEqual({ code: 1, signal: null });
  expect(command.stderr).toBe(
    `error: port ${port} at 127.0.0.1 is in use; stop the process that listens there, or choose another port with --port (0: any free one)\n`,
  );
});

test("an address of another machine is told", async () => {
  await using command = start("--ephemeral", "--bind-address", "192.0.2.1");
  expect(await command.exited).toEqual({ code: 1, signal: null });
  expect(command.stderr).toBe(
    "error: this machine has no address 192.0.2.1; choose another with --bind-address\n",
  );
});

test("a data directory that another process uses is told by that process's number", async () => {
  const data = join(newFolder(), "data");
  await using first = start("--data-dir", data);
  const { kubeconfig } = await first.ready();
  await using second = start("--data-dir", data);
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.stderr).toContain(`data directory ${data} is in use by process ${first.child.pid}`);
  expect((await ask(readAccess(kubeconfig), "/api/v1/namespaces")).status).toBe(200);
});

test("a data directory that cannot be made is told", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  await using command = start("--data-dir", join(file, "data"));
  expect(await command.exited).toEqual({ code: 1, signal: null });
  expect(command.stderr).toContain(`error: data directory ${join(file, "data")} cannot be used`);
  expect(command.stderr).toContain("choose another with --data-dir");
});

test("a store that a newer version wrote, and a damaged authority, are told and left as they are", async () => {
  const data = join(newFolder(), "data");
  {
    await using first = start("--data-dir", data);
    await first.ready();
    await first.stop();
  }
  const certificate = join(data, "pki", "ca.crt");
  const good = readFileSync(certificate);
  writeFileSync(certificate, "");
  {
    await using second = start("--data-dir", data);
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr).toContain(`error: ${certificate} is damaged`);
    expect(second.stderr).toContain("restore it from a copy");
  }
  writeFileSync(certificate, good);
  const database = new DatabaseSync(join(data, "store.db"));
  database.exec("PRAGMA user_version = 1000");
  database.close();
  await using third = start("--data-dir", data);
  expect(await third.exited).toEqual({ code: 1, signal: null });
  expect(third.stderr).toContain("use a newer Homeostat");
});

test.each([
  [["--port", "70000"], "argument '70000' is invalid. Expected a whole number from 0"],
  [["--bind-address", "localhost"], "Expected an IP address"],
  [["--service-cluster-ip-range", "10.0.0.0/8"], "Expected an IPv4 network of /12 to /29"],
  [["--anonymous-auth=perhaps"], "Expected true or false"],
  [["--authorization-mode", "ABAC"], "Expected RBAC, Node,RBAC or AlwaysAllow"],
  [["--data-dir", "x", "--ephemeral"], "cannot be used with option"],
  [["--prot", "1"], "Did you mean --port?"],
  [["extra"], "too many arguments"],
])("bad flags %j are refused with exit code 2", async (flags, message) => {
  await using command = new CommandUnderTest(["api-server", ...flags], { cwd: newFolder() });
  expect(await command.exited).toEqual({ code: 2, signal: null });
  expect(command.stderr).toContain(message);
  expect(command.stderr).toContain("(homeostat api-server --help tells more)");
  expect(command.stdout).toBe("");
});

test("help has examples, the version is the package's, an unknown command is exit code 2", async () => {
  await using help = new CommandUnderTest(["api-server", "--help"]);
  expect(await help.exited).toEqual({ code: 0, signal: null });
  expect(help.stdout).toContain("Examples:\n  homeostat api-server ");
  await using version = new CommandUnderTest(["--version"]);
  expect(await version.exited).toEqual({ code: 0, signal: null });
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(version.stdout).toBe(`${(JSON.parse(manifest) as { version: string }).version}\n`);
  expect(version.stderr).toBe("");
  await using unknown = new CommandUnderTest(["frobnicate"]);
  expect(await unknown.exited).toEqual({ code: 2, signal: null });
});

/** A Node too old to run the bundle, if the machine has one. */
const oldNode = ["/usr/bin/node", "/usr/local/bin/node"].find((file) => {
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  const major = Number(/^v(\d+)/.exec(stdout ?? "")?.[1]);
  return major >= 20 && major < 24;
});

test.skipIf(oldNode === undefined)(
  "where node is old, the launcher starts the one beside it and hands signals and exit codes on",
  async () => {
    await using command = new CommandUnderTest(["api-server", "--ephemeral", "--port", "0"], {
      node: oldNode!,
    });
    const { kubeconfig } = await command.ready();
    expect((await ask(readAccess(kubeconfig), "/api/v1/namespaces")).status).toBe(200);
    expect(await command.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    await using wrong = new CommandUnderTest(["api-server", "--port", "x"], { node: oldNode! });
    expect(await wrong.exited).toEqual({ code: 2, signal: null });
  },
);
