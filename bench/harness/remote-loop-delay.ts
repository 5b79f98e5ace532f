// The loop delay of another Node process, asked for from outside: see report-loop-delay.ts.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoopDelayResult } from "./loop-delay.ts";

class NoLoopDelayError extends Error {
  readonly code = "NO_LOOP_DELAY";
}

const patienceMilliseconds = 10_000;

export class RemoteLoopDelay {
  readonly #file: string;

  /** `file` is where the process writes to; no other may use it. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Options for the Node that is to be asked. */
  get nodeArguments(): string[] {
    const reporter = new URL("./report-loop-delay.ts", import.meta.url);
    reporter.searchParams.set("file", this.#file);
    return ["--import", reporter.href];
  }

  /** The delay since the last time, or since the start. */
  async read(pid: number): Promise<LoopDelayResult> {
    rmSync(this.#file, { force: true });
    process.kill(pid, "SIGUSR2");
    const begin = performance.now();
    while (!existsSync(this.#file)) {
      if (performance.now() - begin > patienceMilliseconds) {
        throw new NoLoopDelayError(
          `process ${pid} told no loop delay within ${patienceMilliseconds} ms`,
        );
      }
      await sleep(5);
    }
    return JSON.parse(readFileSync(this.#file, "utf8")) as LoopDelayResult;
  }
}
