// CPU time and memory of a process, read from /proc: from outside, so that a peer in another
// language is measured as ours is.
import { readFileSync } from "node:fs";

export interface ProcessUsage {
  /** User and system time of all its threads since it began. Other processes: in steps of 10 ms. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** The most that was ever resident. */
  readonly peakBytes: number;
}

export class ProcessUsageError extends Error {
  readonly code = "PROCESS_USAGE";
}

// What user space sees as a clock tick is the same on every Linux that Node runs on.
const ticksPerSecond = 100;

export function processUsage(pid: number): ProcessUsage {
  const status = readProc(pid, "status");
  return {
    cpuSeconds: pid === process.pid ? ownCpuSeconds() : cpuSecondsOf(readProc(pid, "stat")),
    residentBytes: statusBytes(status, "VmRSS"),
    peakBytes: statusBytes(status, "VmHWM"),
  };
}

/** From the text of /proc/PID/stat. The name, in parentheses, may itself hold spaces and parentheses. */
export function cpuSecondsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  if (!Number.isFinite(user) || !Number.isFinite(system)) {
    throw new ProcessUsageError(`Not the text of a /proc/PID/stat: "${stat}"`);
  }
  return (user + system) / ticksPerSecond;
}

/** From the text of /proc/PID/status, which counts in kB. */
export function statusBytes(status: string, field: string): number {
  const found = new RegExp(`^${field}:\\s*(\\d+) kB$`, "m").exec(status)?.[1];
  // A process that has ended but was not waited for has no memory, and no such line.
  return found === undefined ? 0 : Number(found) * 1024;
}

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function readProc(pid: number, file: string): string {
  const path = `/proc/${pid}/${file}`;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ProcessUsageError(
      `${path} cannot be read: the process is gone, or this is not Linux`,
      { cause: error },
    );
  }
}
