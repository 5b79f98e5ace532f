import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildCommand } from "./build-asset.ts";
import { catalog, sourceVersion } from "./catalog.ts";

function goModule(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "catalog-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("the version of our own program follows everything its build reads, and nothing else", () => {
  const files = { "main.go": "package main", "go.mod": "module m", "go.sum": "" };
  const version = sourceVersion(goModule(files));
  expect(version).toMatch(/^source-[0-9a-f]{12}$/);
  expect(sourceVersion(goModule({ ...files, "README.md": "hello" }))).toBe(version);
  expect(sourceVersion(goModule({ ...files, "main.go": "package main " }))).not.toBe(version);
  expect(sourceVersion(goModule({ ...files, "go.sum": "x" }))).not.toBe(version);
  expect(sourceVersion(goModule({ ...files, "other.go": "package main" }))).not.toBe(version);
});

test("no two assets share a name, and each module is pinned to the version it is kept under", () => {
  const assets = catalog();
  expect(new Set(assets.map((asset) => asset.name)).size).toBe(assets.length);
  const pinned = assets.flatMap(({ source, version }) =>
    source.from === "module" ? [[source.moduleVersion, `v${version}`]] : [],
  );
  expect(pinned.length).toBeGreaterThan(0);
  for (const [moduleVersion, expected] of pinned) expect(moduleVersion).toBe(expected);
});

test("our own program is told its version by the linker", () => {
  const driver = catalog().find((asset) => asset.name === "etcd-driver")!;
  expect(buildCommand(driver, "/out/etcd-driver")).toEqual([
    "build",
    "-v",
    "-trimpath",
    "-ldflags",
    `-s -w -X main.version=${driver.version}`,
    "-o",
    "/out/etcd-driver",
  ]);
});
