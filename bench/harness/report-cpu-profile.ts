// Loaded into a server with `node --import "file:///.../report-cpu-profile.ts?file=PATH"`: the first
// SIGUSR2 starts a CPU profile, the next one stops it and writes it to PATH, and so on. The server knows
// nothing of it.
import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { isMainThread } from "node:worker_threads";

const file = new URL(import.meta.url).searchParams.get("file");
const samplingMicroseconds = 250;

// Worker threads load it as well; a signal reaches the main thread only.
if (isMainThread && file !== null) {
  const session = new Session();
  session.connect();
  let isRunning = false;
  process.on("SIGUSR2", () => {
    isRunning = !isRunning;
    void (isRunning ? start(session) : stop(session, file));
  });
}

async function start(session: Session): Promise<void> {
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: samplingMicroseconds });
  await session.post("Profiler.start");
}

async function stop(session: Session, path: string): Promise<void> {
  const { profile } = await session.post("Profiler.stop");
  writeFileSync(`${path}.new`, JSON.stringify(profile));
  renameSync(`${path}.new`, path);
}
