// Holds a process to an amount of memory from outside: what passes it is killed, as the kernel does in a
// container of that size.
import { processTree, treeUsage } from "./process-tree.ts";

export interface MemoryWardenOptions {
  readonly pid: number;
  readonly limitBytes: number;
}

const lookMilliseconds = 10;

export class MemoryWarden implements Disposable {
  #peakBytes = 0;
  #hasKilled = false;
  readonly #timer: NodeJS.Timeout;

  constructor(options: MemoryWardenOptions) {
    this.#timer = setInterval(() => this.#look(options), lookMilliseconds);
  }

  /** The most that was seen. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  get hasKilled(): boolean {
    return this.#hasKilled;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look({ pid, limitBytes }: MemoryWardenOptions): void {
    try {
      const { residentBytes } = treeUsage(pid);
      this.#peakBytes = Math.max(this.#peakBytes, residentBytes);
      if (residentBytes <= limitBytes) return;
      this.#hasKilled = true;
      for (const each of processTree(pid)) process.kill(each, "SIGKILL");
    } catch {
      // It is gone.
    }
    this[Symbol.dispose]();
  }
}
