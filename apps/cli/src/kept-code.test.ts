import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { BundleManifest } from "../scripts/bundle.ts";
import { CommandUnderTest, makeBundle } from "./command-under-test.ts";

beforeAll(makeBundle, 60_000);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "homeostat-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const clean = { code: 0, signal: null, stderr: "" };

/** Starts a server until it is ready, and stops it: how it ended. */
async function startOnce(env: Readonly<Record<string, string>>): Promise<object> {
  await using command = new CommandUnderTest(["api-server", "--ephemeral", "--port", "0"], { env });
  await command.ready();
  return { ...(await command.stop()), stderr: command.stderr };
}

/** The files of compiled code in a cache, with their paths. */
function keptCode(cache: string): string[] {
  const names = readdirSync(cache, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".code")).map((name) => join(cache, name));
}

test("compiled code is kept for the next start, and made again where it is damaged", async () => {
  const cache = newFolder();
  expect(await startOnce({ NODE_COMPILE_CACHE: cache })).toEqual(clean);
  const server = keptCode(cache).find((file) => file.includes("api-server-")) ?? "";
  const made = statSync(server).ino;
  const code = readFileSync(server);
  expect(await startOnce({ NODE_COMPILE_CACHE: cache })).toEqual(clean);
  expect(statSync(server).ino).toBe(made);
  code[code.length >> 1]! ^= 1;
  writeFileSync(server, code);
  expect(await startOnce({ NODE_COMPILE_CACHE: cache })).toEqual(clean);
  expect(statSync(server).ino).not.toBe(made);
});

test("files of the bundle are ASCII: each character of theirs is read from one byte", () => {
  const dist = fileURLToPath(new URL("../dist/", import.meta.url));
  const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")) as BundleManifest;
  const files = Object.keys(manifest.outputs);
  expect(files.length).toBeGreaterThan(2);
  const others = files.filter((file) => readFileSync(join(dist, file)).some((byte) => byte > 0x7f));
  expect(others).toEqual([]);
});

test("a command that prints help keeps nothing: it has run too little", async () => {
  const cache = newFolder();
  await using command = new CommandUnderTest(["--help"], { env: { NODE_COMPILE_CACHE: cache } });
  expect((await command.exited).code).toBe(0);
  expect(keptCode(cache)).toEqual([]);
});

test("where nothing can be kept, a server starts all the same", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  expect(await startOnce({ NODE_COMPILE_CACHE: file })).toEqual(clean);
  expect(await startOnce({ NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual(clean);
});
