import { ManualClock } from "@homeostat/concurrency";
import { afterEach, expect, test, vi } from "vitest";
import { etcdLog, kubeLog } from "./program-log.ts";

afterEach(() => vi.restoreAllMocks());

function printed(use: (clock: ManualClock) => void, now: number): string {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  use(new ManualClock({ startAt: now }));
  return String(write.mock.calls[0]![0]);
}

test.for([
  [1_794_811_506_123, "1116 06:45:06.123000"],
  [951_782_399_999, "0228 23:59:59.999000"],
  [951_782_400_000, "0229 00:00:00.000000"],
  [1_767_225_599_000, "1231 23:59:59.000000"],
] as const)("%d is %s", ([now, text]) => {
  const line = printed((clock) => kubeLog(clock).warn("careful"), now);
  expect(line).toMatch(new RegExp(`^W${text} +\\d+ \\S+:\\d+\\] careful\\n$`));
});

test("etcd says an object a line", () => {
  const line = printed((clock) => etcdLog(clock).info("ready"), 1_767_225_600_000);
  expect(JSON.parse(line)).toMatchObject({
    level: "info",
    ts: "2026-01-01T00:00:00.000000Z",
    msg: "ready",
  });
});
