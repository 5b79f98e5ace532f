import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cachedPath } from "./asset-path.ts";
import { type BuildOptions, buildAsset } from "./build-asset.ts";
import type { Asset } from "./catalog.ts";
import { goVersion } from "./go-command.ts";

// A program without dependencies: these builds need Go but no network.
const program = `package main

import "fmt"

var version = "none"

func main() { fmt.Println("toy", version) }
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "build-asset-"));
  mkdirSync(join(folder, "source"));
  writeFileSync(join(folder, "source/main.go"), program);
  writeFileSync(join(folder, "source/go.mod"), "module toy\n\ngo 1.24\n");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function toy(changes: Partial<Asset> = {}): Asset {
  return {
    name: "toy",
    version: "1.2.3",
    about: "",
    versionArguments: ["--version"],
    linkerVariables: { "main.version": "1.2.3" },
    source: { from: "project", folder: join(folder, "source") },
    ...changes,
  };
}

function options(signal: AbortSignal = new AbortController().signal): BuildOptions {
  return {
    environment: { HOMEOSTAT_ASSETS: join(folder, "cache") },
    signal,
    onProgress: () => undefined,
  };
}

test.skipIf(goVersion() === undefined)(
  "a build leaves the binary and nothing else, also where a killed run left something",
  { timeout: 120_000 },
  async () => {
    const dead = spawnSync("true").pid;
    const alive = `.building-${process.pid}-other`;
    mkdirSync(join(folder, `cache/.building-${dead}-abc`), { recursive: true });
    mkdirSync(join(folder, "cache", alive));
    const path = await buildAsset(toy(), options());
    expect(path).toBe(cachedPath(toy(), options().environment));
    expect(spawnSync(path, { encoding: "utf8" }).stdout).toBe("toy 1.2.3\n");
    expect(readdirSync(join(folder, "cache")).sort()).toEqual([alive, "toy"].sort());
  },
);

test.skipIf(goVersion() === undefined)(
  "sources that do not compile are reported with the compiler's words and leave nothing",
  { timeout: 120_000 },
  async () => {
    writeFileSync(join(folder, "source/main.go"), "package main\n\nfunc main() { missing() }\n");
    await expect(buildAsset(toy(), options())).rejects.toThrow(/undefined: missing/);
    expect(readdirSync(join(folder, "cache"))).toEqual([]);
  },
);

test.skipIf(goVersion() === undefined)(
  "a binary that says another version is not kept",
  { timeout: 120_000 },
  async () => {
    const built = buildAsset(toy({ linkerVariables: { "main.version": "9.9.9" } }), options());
    await expect(built).rejects.toThrow(/says "toy 9.9.9"; expected version 1.2.3/);
    expect(readdirSync(join(folder, "cache"))).toEqual([]);
  },
);

test("a build that is stopped leaves nothing", async () => {
  const stopped = buildAsset(toy(), options(AbortSignal.abort()));
  await expect(stopped).rejects.toThrow(/abort/i);
  expect(existsSync(cachedPath(toy(), options().environment))).toBe(false);
  expect(readdirSync(join(folder, "cache"))).toEqual([]);
});
