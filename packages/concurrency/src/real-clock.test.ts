import { spawnSync } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { Deferred } from "./deferred.ts";
import { realClock } from "./real-clock.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => realClock.endOfTurn(resolve));
}

test("a timer never fires early, fractions of a millisecond included", async () => {
  const delays = Array.from({ length: 80 }, (_, index) => index / 10);
  const early = await Promise.all(
    delays.map((delay) => {
      const fired = new Deferred<boolean>();
      const due = realClock.monotonic() + delay;
      realClock.setTimer(delay, () => fired.resolve(realClock.monotonic() < due));
      return fired.promise;
    }),
  );
  expect(early.filter(Boolean)).toEqual([]);
});

test("a negative delay means as soon as possible, and never inside the call", async () => {
  const fired = new Deferred();
  realClock.setTimer(-5, () => fired.resolve());
  expect(fired.isSettled).toBe(false);
  await fired.promise;
});

test("a delay that is not finite is refused by name and value", () => {
  expect(() => realClock.setTimer(Number.NaN, () => {})).toThrow(
    "delay: expected a finite number of milliseconds, got NaN",
  );
});

test("a cancelled timer does not fire, and cancelling twice or after firing is harmless", async () => {
  const fired: string[] = [];
  const cancelled = realClock.setTimer(1, () => fired.push("cancelled"));
  const done = new Deferred();
  const later = realClock.setTimer(3, () => done.resolve());
  cancelled.cancel();
  cancelled.cancel();
  await done.promise;
  later.cancel();
  later.unref();
  expect(fired).toEqual([]);
});

test("an end-of-turn task runs after all promise continuations, in the order given", async () => {
  const ran: string[] = [];
  realClock.endOfTurn(() => ran.push("task 1"));
  realClock.endOfTurn(() => ran.push("task 2"));
  void (async () => {
    for (let depth = 0; depth < 100; depth++) await Promise.resolve();
    ran.push("continuation");
  })();
  await endOfTurn();
  expect(ran).toEqual(["continuation", "task 1", "task 2"]);
});

test("an end-of-turn task given by a task runs in a later turn, after its continuations", async () => {
  const ran: string[] = [];
  const done = new Deferred();
  realClock.endOfTurn(() => {
    void Promise.resolve().then(() => ran.push("continuation of the first"));
    realClock.endOfTurn(() => {
      ran.push("given by the first");
      done.resolve();
    });
  });
  realClock.endOfTurn(() => ran.push("second"));
  await done.promise;
  expect(ran).toEqual(["second", "continuation of the first", "given by the first"]);
});

test("input that arrives in one turn is handed out before the end of that turn", async () => {
  const { port1, port2 } = new MessageChannel();
  const batches: number[][] = [];
  let batch: number[] = [];
  const done = new Deferred();
  let received = 0;
  port1.onmessage = ({ data }) => {
    batch.push(data as number);
    if (batch.length === 1) {
      realClock.endOfTurn(() => {
        batches.push(batch);
        batch = [];
        if (received === 50) done.resolve();
      });
    }
    received += 1;
  };
  for (let message = 0; message < 50; message++) port2.postMessage(message);
  await done.promise;
  port1.close();
  expect(batches).toEqual([Array.from({ length: 50 }, (_, message) => message)]);
});

test("wall time is the machine's, and monotonic time does not go back", () => {
  expect(realClock.now()).toBeGreaterThan(1_700_000_000_000);
  expect(Number.isInteger(realClock.now())).toBe(true);
  const readings = Array.from({ length: 1000 }, () => realClock.monotonic());
  expect(readings).toEqual(readings.toSorted((left, right) => left - right));
});

test("replacing the globals after the import does not reach the clock", async () => {
  const refuse = (): never => {
    throw new Error("a global was used");
  };
  for (const name of ["setTimeout", "clearTimeout", "setImmediate", "queueMicrotask"]) {
    vi.stubGlobal(name, refuse);
  }
  vi.stubGlobal("Date", { now: refuse });
  vi.stubGlobal("performance", { now: refuse });
  const fired = new Deferred();
  realClock.setTimer(1, () => fired.resolve());
  realClock.setTimer(1000, refuse).cancel();
  await fired.promise;
  await endOfTurn();
  expect(realClock.now() + realClock.monotonic()).toBeGreaterThan(0);
});

function runProgram(source: string): { readonly output: string; readonly status: number | null } {
  const clock = JSON.stringify(new URL("./real-clock.ts", import.meta.url).href);
  const program = `import { realClock } from ${clock}; ${source}`;
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", program],
    { encoding: "utf8", timeout: 20_000 },
  );
  return { output: stdout, status };
}

test("a delay beyond what Node can count neither fires at once nor makes Node warn", () => {
  const { output, status } = runProgram(`
    process.on("warning", ({ name }) => console.log(name));
    const timers = [2 ** 31, 1e15].map((delay) => realClock.setTimer(delay, () => console.log("fired")));
    realClock.setTimer(10, () => { for (const timer of timers) timer.cancel(); });
  `);
  expect({ output, status }).toEqual({ output: "", status: 0 });
});

test("a timer that is let go does not keep the process alive, also beyond one of Node's", () => {
  const { status } = runProgram(
    "realClock.setTimer(60_000, () => {}).unref(); realClock.setTimer(1e12, () => {}).unref();",
  );
  expect(status).toBe(0);
});

test("an end-of-turn task that throws does not keep the others from running", () => {
  const { output, status } = runProgram(`
    process.on("uncaughtException", (error) => console.log(error.message));
    realClock.endOfTurn(() => { throw new Error("broken"); });
    realClock.endOfTurn(() => console.log("second"));
    realClock.endOfTurn(() => console.log("third"));
  `);
  expect({ output, status }).toEqual({ output: "broken\nsecond\nthird\n", status: 0 });
});
