/** The worker of main.ts: runs the cases, and leaves the one that is under way where main.ts can see it. */
import { parentPort, workerData } from "node:worker_threads";
import { realClock } from "@homeostat/concurrency";
import { fuzz } from "./fuzzer.ts";
import { targets } from "./targets.ts";

/** The case under way: its number, the length of its input, and the input, as far as there is room. */
export interface WatchedWork {
  readonly target: string;
  readonly seed: string;
  readonly from: number;
  readonly seconds: number;
  /** Two numbers. */
  readonly head: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
}

if (parentPort !== null) {
  const work = workerData as WatchedWork;
  const head = new Uint32Array(work.head);
  const bytes = new Uint8Array(work.bytes);
  await using target = await targets.get(work.target)!();
  const end = realClock.monotonic() + work.seconds * 1000;
  const { cases, finding } = await fuzz(target, {
    seed: work.seed,
    from: work.from,
    goesOn: () => realClock.monotonic() < end,
    onCase: (number, input) => {
      bytes.set(input.subarray(0, bytes.length));
      head[1] = Math.min(input.length, bytes.length);
      head[0] = number + 1;
    },
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
  parentPort.postMessage({ cases, finding });
}
