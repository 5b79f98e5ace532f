// Loaded into a server with `node --import "file:///.../report-loop-delay.ts?file=PATH"`: on SIGUSR2 it
// writes the loop's delay since the last time to PATH and begins anew. The server knows nothing of it.
import { renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { LoopDelay } from "./loop-delay.ts";

const file = new URL(import.meta.url).searchParams.get("file");

// Worker threads load it as well; a signal reaches the main thread only.
if (isMainThread && file !== null) {
  let delay = new LoopDelay();
  process.on("SIGUSR2", () => {
    writeFileSync(`${file}.new`, JSON.stringify(delay.stop()));
    renameSync(`${file}.new`, file);
    delay = new LoopDelay();
  });
}
