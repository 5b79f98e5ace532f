import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { MemoryWarden } from "./memory-warden.ts";

// Takes 8 MiB of memory twenty times a second, and uses it.
const greedy = "const kept = []; setInterval(() => kept.push(Buffer.alloc(8 << 20, 1)), 50)";

test("a process is killed as soon as it takes more than it may", async () => {
  const child = spawn(process.execPath, ["--eval", greedy]);
  onTestFinished(() => void child.kill("SIGKILL"));
  using warden = new MemoryWarden({ pid: child.pid!, limitBytes: 150 * 2 ** 20 });
  expect(warden.hasKilled).toBe(false);
  const [, signal] = (await once(child, "exit")) as [null, string];
  expect(signal).toBe("SIGKILL");
  expect(warden.hasKilled).toBe(true);
  expect(warden.peakBytes).toBeGreaterThan(150 * 2 ** 20);
});
