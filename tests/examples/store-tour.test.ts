import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../examples/store-tour/main.ts", import.meta.url));

function tour(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const flags = ["--conditions=@homeostat/source", program, ...args];
  return spawnSync(process.execPath, flags, { encoding: "utf8" });
}

test("the store tour goes on where it was, and says what is wrong with its arguments", () => {
  const directory = mkdtempSync(join(tmpdir(), "store-tour-"));
  try {
    const first = tour("--data-dir", directory);
    expect(first.stderr).toBe("");
    expect(first.stdout).toContain("opened at revision 0\n");
    expect(first.stdout).toContain("now at revision 4, 1 key\n");
    expect(tour("--data-dir", directory).stdout).toContain("opened at revision 4\n");
    const wrong = tour("--dta-dir", directory);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain("Unknown option '--dta-dir'");
    const unusable = tour("--data-dir", "/proc/nowhere");
    expect(unusable.status).toBe(1);
    expect(unusable.stderr).toContain("data directory /proc/nowhere cannot be used");
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("an ephemeral tour leaves nothing behind", () => {
  expect(tour("--ephemeral").stdout).toContain("now at revision 4, 1 key\n");
  expect(tour("--ephemeral").stdout).toContain("opened at revision 0\n");
});
