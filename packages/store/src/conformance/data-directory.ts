import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new, empty directory that is removed when the test is over. */
export function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "homeostat-store-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
