import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { cpuSecondsOf, ProcessUsageError, processUsage, statusBytes } from "./process-usage.ts";

test("CPU time is found behind any process name", () => {
  const fields = "S 1 2 3 0 -1 4194560 10 20 30 40 150 25 7 8 20 0 9 0 555 1000 200";
  expect(cpuSecondsOf(`42 (etcd) ${fields}`)).toBe(1.75);
  expect(cpuSecondsOf(`42 (a (b) c) d) ${fields}`)).toBe(1.75);
  expect(() => cpuSecondsOf("nonsense")).toThrow(ProcessUsageError);
});

test("memory is counted in bytes, and is none where the process has ended", () => {
  const status = "Name:\tetcd\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n";
  expect(statusBytes(status, "VmRSS")).toBe(1024 * 1024);
  expect(statusBytes(status, "VmHWM")).toBe(2048 * 1024);
  expect(statusBytes("Name:\tetcd\nState:\tZ (zombie)\n", "VmRSS")).toBe(0);
});

test.runIf(process.platform === "linux")("another process is measured from outside", async () => {
  const busy = spawn(process.execPath, [
    "-e",
    "const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end); console.log('done'); setInterval(() => {}, 1000)",
  ]);
  onTestFinished(() => void busy.kill("SIGKILL"));
  await once(busy.stdout, "data");
  const usage = processUsage(busy.pid!);
  expect(usage.cpuSeconds).toBeGreaterThanOrEqual(0.18);
  expect(usage.residentBytes).toBeGreaterThan(10 * 2 ** 20);
  expect(usage.peakBytes).toBeGreaterThanOrEqual(usage.residentBytes);
});

test("a process that is not there is reported as such", () => {
  expect(() => processUsage(2 ** 30)).toThrow(/\/proc\/1073741824\/\w+ cannot be read/);
});
