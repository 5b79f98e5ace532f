/**
 * The end-of-turn tasks of a clock, in the order they were given. A task that is given while tasks
 * run belongs to the next turn; when a task throws, the ones behind it keep their place in front.
 */
export class TurnTasks {
  #tasks: (() => void)[] = [];

  get size(): number {
    return this.#tasks.length;
  }

  add(task: () => void): void {
    this.#tasks.push(task);
  }

  /** Runs the tasks given so far. Throws what a task throws; the tasks behind it are still there. */
  run(): void {
    const running = this.#tasks;
    this.#tasks = [];
    let next = 0;
    try {
      while (next < running.length) running[next++]!();
    } finally {
      if (next < running.length) this.#tasks = [...running.slice(next), ...this.#tasks];
    }
  }
}
