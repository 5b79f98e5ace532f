import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Clock, Timer } from "@homeostat/concurrency";

export interface FollowedFilesOptions<T> {
  readonly files: readonly string[];
  /** What they say together; throws what is wrong with them. */
  readonly read: () => T;
  readonly clock: Clock;
  /** They say something else. What it throws counts as wrong with them too. */
  readonly onChange: (said: T) => void;
  /** They cannot be used now; what they said before goes on. */
  readonly onError: (error: unknown) => void;
}

/** As kube-apiserver looks again, for files whose folder tells nothing. */
const PERIOD = 60_000;

/** Files of flags that may change while the server runs: read again when they do, and once a minute. */
export class FollowedFiles<T> implements Disposable {
  readonly #options: FollowedFilesOptions<T>;
  readonly #watchers: readonly FSWatcher[];
  #said: T;
  #timer: Timer | undefined;
  #isAsked = false;
  #isOver = false;

  constructor(said: T, options: FollowedFilesOptions<T>) {
    this.#said = said;
    this.#options = options;
    // Folders: a file that is replaced is another one.
    const folders = new Set(options.files.map(dirname));
    this.#watchers = [...folders].flatMap((folder) => this.#watch(folder));
    this.#wait();
  }

  #watch(folder: string): FSWatcher[] {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#ask());
      watcher.on("error", () => watcher.close());
      return [watcher];
    } catch {
      // As where there are too many watchers: once a minute has to do.
      return [];
    }
  }

  #wait(): void {
    this.#timer = this.#options.clock.setTimer(PERIOD, () => {
      this.#look();
      if (!this.#isOver) this.#wait();
    });
    this.#timer.unref();
  }

  /** One write is told several times. */
  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#options.clock.endOfTurn(() => {
      this.#isAsked = false;
      this.#look();
    });
  }

  #look(): void {
    if (this.#isOver) return;
    const { read, onChange, onError } = this.#options;
    try {
      const said = read();
      if (isDeepStrictEqual(said, this.#said)) return;
      onChange(said);
      this.#said = said;
    } catch (error) {
      onError(error);
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.cancel();
    for (const watcher of this.#watchers) watcher.close();
  }
}
