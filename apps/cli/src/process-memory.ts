import type { MemoryGauge } from "@homeostat/api-server";

/**
 * What this process may use: `limit` if given, else what its cgroup allows; and V8's heap has a limit
 * of its own. Whichever is nearer to its end is told.
 */
export function processMemory(limit: number | undefined): MemoryGauge {
  const allowed = limit ?? constrained();
  return {
    read: () => {
      // Not loaded by a start: it takes two milliseconds.
      const heap = process.getBuiltinModule("node:v8").getHeapStatistics();
      const ofHeap = { used: heap.used_heap_size, limit: heap.heap_size_limit };
      if (allowed === undefined) return ofHeap;
      const ofProcess = { used: process.memoryUsage.rss(), limit: allowed };
      const share = (reading: typeof ofHeap): number => reading.used / reading.limit;
      return share(ofHeap) > share(ofProcess) ? ofHeap : ofProcess;
    },
  };
}

/** Undefined where no limit is set: then the kernel answers with none, or with more than there is. */
function constrained(): number | undefined {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < 2 ** 50 ? limit : undefined;
}
