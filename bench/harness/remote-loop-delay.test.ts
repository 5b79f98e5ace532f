import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RemoteLoopDelay } from "./remote-loop-delay.ts";

// Blocks its loop for 80 ms once, then says so and idles.
const program = `
  setTimeout(() => {
    const end = performance.now() + 80;
    while (performance.now() < end);
    setTimeout(() => console.log("blocked"), 30);
  }, 50);
  setInterval(() => {}, 1000);
`;

test("a process tells what its loop was kept waiting, and only since the last time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loop-delay-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const delay = new RemoteLoopDelay(join(folder, "delay.json"));
  const child = spawn(process.execPath, [...delay.nodeArguments, "--eval", program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const first = await delay.read(child.pid!);
  expect(first.maxMilliseconds).toBeGreaterThan(70);
  // A machine may keep any process waiting for that long again, but not each time; and what is never
  // forgotten would never be less.
  let next = await delay.read(child.pid!);
  while (next.maxMilliseconds >= first.maxMilliseconds) next = await delay.read(child.pid!);
  expect(next.maxMilliseconds).toBeLessThan(first.maxMilliseconds);
});
