import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import type { Clock, Timer } from "./clock.ts";
import { InvalidOptionError } from "./invalid-option-error.ts";
import { TurnTasks } from "./turn-tasks.ts";

// The only file that touches real time. The primitives are captured when it is imported, so that
// replacing the globals afterwards (fake timers, stubs that throw) does not reach in here.
const wallTime = Date.now;
const monotonicTime = performance.now.bind(performance);
const startTimeout = setTimeout;
const stopTimeout = clearTimeout;
const startImmediate = setImmediate;

/** Node fires at once what waits longer than this, so longer delays are waited for in parts. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * The clock of this machine. `endOfTurn` runs in the check phase of the event loop, after all input
 * that arrived in this turn was handed out: what came in together is committed together.
 */
export const realClock: Clock = {
  now: (): number => wallTime(),
  monotonic: (): number => monotonicTime(),
  setTimer: (delay: number, fire: () => void): Timer => new RealTimer(delay, fire),
  endOfTurn,
};

/** Never early: Node's timeouts count whole milliseconds and may fire up to one too soon. */
class RealTimer implements Timer {
  readonly #due: number;
  readonly #fire: () => void;
  #timeout: ReturnType<typeof startTimeout> | undefined;
  #isUnref = false;

  constructor(delay: number, fire: () => void) {
    if (!Number.isFinite(delay)) {
      throw new InvalidOptionError({
        option: "delay",
        got: delay,
        expected: "a finite number of milliseconds",
      });
    }
    const wait = Math.max(0, delay);
    this.#due = monotonicTime() + wait;
    this.#fire = fire;
    this.#wait(wait);
  }

  cancel(): void {
    stopTimeout(this.#timeout);
    this.#timeout = undefined;
  }

  unref(): void {
    this.#isUnref = true;
    this.#timeout?.unref();
  }

  #wait(remaining: number): void {
    this.#timeout = startTimeout(this.#wake, Math.min(Math.ceil(remaining), LONGEST_TIMEOUT));
    if (this.#isUnref) this.#timeout.unref();
  }

  readonly #wake = (): void => {
    const remaining = this.#due - monotonicTime();
    if (remaining > 0) {
      this.#wait(remaining);
    } else {
      this.#timeout = undefined;
      this.#fire();
    }
  };
}

const tasks = new TurnTasks();
let isTurnEndAwaited = false;

/** One immediate for all tasks of a turn. */
function endOfTurn(task: () => void): void {
  tasks.add(task);
  awaitTurnEnd();
}

function awaitTurnEnd(): void {
  if (isTurnEndAwaited) return;
  isTurnEndAwaited = true;
  startImmediate(runTasks);
}

function runTasks(): void {
  isTurnEndAwaited = false;
  try {
    tasks.run();
  } finally {
    // Reached with tasks left when one threw, or when tasks gave new ones.
    if (tasks.size > 0) awaitTurnEnd();
  }
}
