import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../examples/embedded-api/main.ts", import.meta.url));

test("the embedded API example shows one object's life", () => {
  const flags = ["--conditions=@homeostat/source", program];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    "ADDED greeting at 2",
    "MODIFIED greeting at 3",
    "DELETED greeting at 4",
  ]);
  expect(stdout).toContain('404 {"kind":"Status"');
});
