import { readdirSync } from "node:fs";
import type { ProcessFigure } from "@homeostat/api-server";
import type { Clock } from "@homeostat/concurrency";

/** What /metrics tells of this process, by the names that Prometheus has for it. */
export function processFigures(clock: Clock): readonly ProcessFigure[] {
  const { user, system } = process.cpuUsage();
  const { rss, external } = process.memoryUsage();
  const heap = process.getBuiltinModule("node:v8").getHeapStatistics();
  const files = openFiles();
  return [
    counter(
      "process_cpu_seconds_total",
      "Total user and system CPU time spent in seconds.",
      (user + system) / 1e6,
    ),
    ...(files === undefined
      ? []
      : [gauge("process_open_fds", "Number of open file descriptors.", files)]),
    gauge("process_resident_memory_bytes", "Resident memory size in bytes.", rss),
    gauge(
      "process_start_time_seconds",
      "Start time of the process since unix epoch in seconds.",
      clock.now() / 1000 - process.uptime(),
    ),
    gauge(
      "nodejs_heap_size_total_bytes",
      "Process heap size from Node.js in bytes.",
      heap.total_heap_size,
    ),
    gauge(
      "nodejs_heap_size_used_bytes",
      "Process heap size used from Node.js in bytes.",
      heap.used_heap_size,
    ),
    gauge("nodejs_external_memory_bytes", "Node.js external memory size in bytes.", external),
    {
      ...gauge("nodejs_version_info", "Node.js version info.", 1),
      labels: { version: process.version },
    },
  ];
}

function gauge(name: string, help: string, value: number): ProcessFigure {
  return { name, type: "gauge", help, value };
}

function counter(name: string, help: string, value: number): ProcessFigure {
  return { name, type: "counter", help, value };
}

/** Undefined where the system does not tell. */
function openFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}
