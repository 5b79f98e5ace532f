import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { LoopDelay } from "./loop-delay.ts";

test("a blocked loop shows as a delay of that length", async () => {
  const delay = new LoopDelay();
  await sleep(20);
  const end = performance.now() + 60;
  while (performance.now() < end);
  await sleep(20);
  expect(delay.stop().maxMilliseconds).toBeGreaterThan(50);
});
