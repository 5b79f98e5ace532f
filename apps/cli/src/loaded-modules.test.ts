import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { ask, CommandUnderTest, makeBundle, readAccess } from "./command-under-test.ts";

beforeAll(makeBundle, 60_000);

/** Notes every module that the process loads, in order; files of the bundle are scripts. */
const recorder = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  import vm from "node:vm";
  const note = (url) => appendFileSync(process.env.LOADED_MODULES, url + "\\n");
  registerHooks({
    load(url, context, next) {
      note(url);
      return next(url, context);
    },
  });
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      note(options.filename);
      super(source, options);
    }
  };
`)}`;

interface Loaded {
  /** Files of the bundle. */
  readonly files: string[];
  /** The source files in those, from the repository's root. */
  readonly sources: string[];
  readonly builtins: string[];
}

interface Recorded {
  readonly command: CommandUnderTest;
  readonly loaded: () => Loaded;
}

function record(...flags: string[]): Recorded {
  const folder = newFolder();
  const list = join(folder, "list");
  const command = new CommandUnderTest(["api-server", "--port", "0", ...flags], {
    nodeFlags: ["--import", recorder],
    env: { LOADED_MODULES: list },
  });
  return { command, loaded: () => readList(list) };
}

/** What is loaded until the ready line. */
async function loadedBy(...flags: string[]): Promise<Loaded> {
  const { command, loaded } = record(...flags);
  await using running = command;
  await running.ready();
  return loaded();
}

function readList(list: string): Loaded {
  const urls = readFileSync(list, "utf8").trimEnd().split("\n");
  const manifest = JSON.parse(
    readFileSync(new URL("../dist/manifest.json", import.meta.url), "utf8"),
  ) as { outputs: Record<string, string[]> };
  const files = urls.filter((url) => url.includes("/dist/")).map((url) => basename(url));
  return {
    files,
    sources: files.flatMap((file) => manifest.outputs[file] ?? []),
    builtins: urls.filter((url) => url.startsWith("node:")),
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "homeostat-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const makesCertificates = "packages/certificates/src/sign-certificate.ts";
/** Routes say which documents there are; the documents come with the first question. */
const isLoadedWhenNeeded = (file: string): boolean =>
  /node_modules\/yaml\/|\/openapi/.test(file) && !file.endsWith("/openapi-routes.ts");

test("an ephemeral server makes certificates, and loads neither SQLite nor what a request needs first", async () => {
  const { files, sources, builtins } = await loadedBy("--ephemeral");
  expect(files).toContainEqual(expect.stringMatching(/^homeostat-.*\.cjs$/));
  expect(sources).toContain("apps/cli/src/commands/api-server.ts");
  expect(sources).toContain(makesCertificates);
  expect(sources.filter(isLoadedWhenNeeded)).toEqual([]);
  expect(builtins).not.toContain("node:sqlite");
  expect(builtins).not.toContain("node:worker_threads");
  expect(builtins).not.toContain("node:http2");
  expect(builtins).not.toContain("node:v8");
});

test("a server that finds its certificates does not load what makes them", async () => {
  const data = newFolder();
  expect((await loadedBy("--data-dir", data)).sources).toContain(makesCertificates);
  const { sources, builtins } = await loadedBy("--data-dir", data);
  expect(sources).toContain("apps/cli/src/commands/api-server.ts");
  expect(builtins).toContain("node:sqlite");
  expect(sources).not.toContain(makesCertificates);
  expect(sources.filter((file) => file.endsWith("/der.ts"))).toEqual([]);
  expect(sources.filter(isLoadedWhenNeeded)).toEqual([]);
});

test("the store finds its log worker beside the bundle, and no start waits for it", async () => {
  const { command, loaded } = record("--data-dir", newFolder());
  await using running = command;
  const access = readAccess((await running.ready()).kubeconfig);
  expect(loaded().files).not.toContain("log-worker.cjs");
  // More than a store that closes would move out of its write-ahead log without the worker.
  for (let at = 0; at < 9; at += 1) {
    const body = JSON.stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `large-${at}` },
      data: { text: "x".repeat(1024 * 1024 - 1024) },
    });
    const path = "/api/v1/namespaces/default/configmaps";
    expect((await ask(access, path, { method: "POST", body })).status).toBe(201);
  }
  expect(await running.stop()).toEqual({ code: 0, signal: null });
  expect(loaded().files).toContain("log-worker.cjs");
  expect(running.stderr).toBe("");
});
