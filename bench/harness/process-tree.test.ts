import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { processTree, treeUsage } from "./process-tree.ts";

test("a launcher's child belongs to its tree and to its usage", async () => {
  // The child tells its number itself, and stops: what it takes of memory does not change any more.
  const child = 'sh -c "echo \\$\\$; kill -STOP \\$\\$"';
  const launcher = spawn("sh", ["-c", `${child} & wait`], { detached: true });
  onTestFinished(() => void process.kill(-launcher.pid!, "SIGKILL"));
  const [line] = (await once(launcher.stdout, "data")) as [Buffer];
  const pid = Number(String(line));
  expect(processTree(launcher.pid!)).toEqual([launcher.pid!, pid]);
  expect(treeUsage(launcher.pid!).residentBytes).toBeGreaterThan(treeUsage(pid).residentBytes);
});

test("a process that is gone has no usage", async () => {
  const short = spawn("true");
  await once(short, "exit");
  expect(() => treeUsage(short.pid!)).toThrow("cannot be read");
});
