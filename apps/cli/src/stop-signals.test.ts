import { EventEmitter } from "node:events";
import { ManualClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { StopSignals } from "./stop-signals.ts";

test("the first signal asks to stop, its echo is not heard, a second one ends the process", async () => {
  const clock = new ManualClock();
  const source = new EventEmitter();
  let ended = 0;
  using signals = new StopSignals({ clock, source, onSecond: () => void (ended += 1) });
  source.emit("SIGTERM", "SIGTERM");
  expect(await signals.stopped).toBe("SIGTERM");
  await clock.advance(100);
  source.emit("SIGINT", "SIGINT");
  expect(ended).toBe(0);
  await clock.advance(1000);
  source.emit("SIGINT", "SIGINT");
  expect(ended).toBe(1);
});

test("disposed of, it leaves signals to others", () => {
  const source = new EventEmitter();
  const signals = new StopSignals({ clock: new ManualClock(), source, onSecond: () => undefined });
  expect(source.eventNames()).toEqual(["SIGINT", "SIGTERM"]);
  signals[Symbol.dispose]();
  expect(source.eventNames()).toEqual([]);
});
