// The experiment that settled how values are kept (docs/decisions/0001): 100,000 values of 1.5 KB
// and 100,000 of 4.5 KB, minutes of random updates with slab compaction and bounded history, then a
// scan of everything, in a process of its own. The other side keeps one Buffer per value.
import { fileURLToPath } from "node:url";
import type { BenchContext } from "../harness/bench-context.ts";
import { runDriver } from "../harness/driver-process.ts";
import type { SlabsOutcome } from "./slabs-load.ts";

const program = fileURLToPath(new URL("./slabs-load.ts", import.meta.url));

export async function run(context: BenchContext): Promise<void> {
  const seconds = context.quick ? 20 : 600;
  const rows: (string | number)[][] = [];
  for (const shape of ["slabs", "buffers"] as const) {
    context.progress(`${shape}: ${seconds} s of updates`);
    const outcome = (await runDriver({
      command: process.execPath,
      commandArguments: [
        "--conditions=@homeostat/source",
        "--expose-gc",
        program,
        shape,
        String(seconds),
      ],
      onPhase: () => undefined,
      signal: context.signal,
    })) as SlabsOutcome;
    rows.push([
      shape,
      outcome.valueMiB,
      outcome.loadedMiB,
      outcome.settledMiB,
      outcome.peakMiB,
      outcome.updates,
      outcome.cpuUsPerUpdate,
      outcome.loopDelayP99,
      outcome.loopDelayMax,
      outcome.scanMilliseconds,
    ]);
  }
  context.table({
    title: `200,000 values, ${seconds} s of updates at 5,000/s`,
    columns: [
      "shape",
      "values MiB",
      "resident loaded MiB",
      "resident after updates MiB",
      "peak MiB",
      "updates",
      "CPU us/update",
      "loop delay p99 ms",
      "max ms",
      "scan ms",
    ],
    rows,
  });
}
