import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assetPath, cachedPath, cacheFolder, locateAsset } from "./asset-path.ts";
import type { Asset } from "./catalog.ts";

const asset: Asset = {
  name: "etcd",
  version: "3.6.16",
  about: "",
  versionArguments: ["--version"],
  linkerVariables: {},
  source: { from: "project", folder: "/" },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asset-path-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function program(path: string, mode = 0o755): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  chmodSync(path, mode);
  return path;
}

test("KUBEBUILDER_ASSETS wins where it holds the binary", () => {
  const environment = {
    KUBEBUILDER_ASSETS: join(folder, "given"),
    HOMEOSTAT_ASSETS: join(folder, "cache"),
  };
  program(join(folder, "cache/etcd/3.6.16/etcd"));
  const path = program(join(folder, "given/etcd"));
  expect(locateAsset(asset, environment)).toEqual({ path, origin: "KUBEBUILDER_ASSETS" });
});

test("the cache is used for what KUBEBUILDER_ASSETS lacks", () => {
  const environment = {
    KUBEBUILDER_ASSETS: join(folder, "given"),
    HOMEOSTAT_ASSETS: join(folder, "cache"),
  };
  program(join(folder, "given/kubectl"));
  const path = program(join(folder, "cache/etcd/3.6.16/etcd"));
  expect(locateAsset(asset, environment)).toEqual({ path, origin: "cache" });
});

test("another version in the cache, a folder or a file that cannot run is not the asset", () => {
  const environment = { HOMEOSTAT_ASSETS: folder };
  program(join(folder, "etcd/3.6.15/etcd"));
  expect(locateAsset(asset, environment)).toBeUndefined();
  program(join(folder, "etcd/3.6.16/etcd"), 0o644);
  expect(locateAsset(asset, environment)).toBeUndefined();
  rmSync(join(folder, "etcd/3.6.16/etcd"));
  mkdirSync(join(folder, "etcd/3.6.16/etcd"));
  expect(locateAsset(asset, environment)).toBeUndefined();
});

test("without a variable, or with an empty one, the cache is in the home folder", () => {
  const expected = join(homedir(), ".cache/homeostat/assets");
  expect(cacheFolder({})).toBe(expected);
  expect(cacheFolder({ HOMEOSTAT_ASSETS: "" })).toBe(expected);
  expect(cachedPath(asset, {})).toBe(join(expected, "etcd/3.6.16/etcd"));
});

test("asking for an asset that does not exist names those that do", () => {
  expect(() => assetPath("ectd")).toThrow(/no asset "ectd"; there are: .*\betcd\b/);
});
