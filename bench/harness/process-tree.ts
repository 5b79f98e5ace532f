// A process and everything it started, measured as one: a command may be a launcher, and a server may
// have helpers.
import { readdirSync, readFileSync } from "node:fs";
import { type ProcessUsage, processUsage } from "./process-usage.ts";

/** The process and its descendants that run now. */
export function processTree(root: number): number[] {
  const children = Map.groupBy(runningProcesses(), ({ parent }) => parent);
  const found: number[] = [];
  const visit = (pid: number): void => {
    found.push(pid);
    for (const child of children.get(pid) ?? []) visit(child.pid);
  };
  visit(root);
  return found;
}

/** Sums over the tree. What a process that has already ended spent is not in it. */
export function treeUsage(root: number): ProcessUsage {
  const total = { cpuSeconds: 0, residentBytes: 0, peakBytes: 0 };
  for (const pid of processTree(root)) {
    const usage = usageOf(pid, root);
    total.cpuSeconds += usage?.cpuSeconds ?? 0;
    total.residentBytes += usage?.residentBytes ?? 0;
    total.peakBytes += usage?.peakBytes ?? 0;
  }
  return total;
}

function usageOf(pid: number, root: number): ProcessUsage | undefined {
  try {
    return processUsage(pid);
  } catch (error) {
    // A child may end between being found and being looked at; the root must be there.
    if (pid === root) throw error;
    return undefined;
  }
}

function runningProcesses(): { pid: number; parent: number }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(name), parent: Number(fields[1]) }];
    } catch {
      return [];
    }
  });
}
