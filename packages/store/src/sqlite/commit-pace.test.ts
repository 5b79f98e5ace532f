import { expect, test } from "vitest";
import { CommitPace } from "./commit-pace.ts";

function take(pace: CommitPace, times: { count: number; each: number }): CommitPace["mode"] {
  for (let commit = 0; commit < times.count; commit += 1) pace.took(times.each);
  return pace.mode;
}

test("commits are on the loop at first, and stay there while their median is a millisecond", () => {
  const pace = new CommitPace();
  expect(pace.mode).toBe("loop");
  expect(take(pace, { count: 1_000, each: 1 })).toBe("loop");
});

test("slow commits leave the loop after few, and single slow ones do not move them", () => {
  const pace = new CommitPace();
  expect(take(pace, { count: 30, each: 3 })).toBe("loop");
  expect(take(pace, { count: 1, each: 3 })).toBe("worker");
  const spiky = new CommitPace();
  for (let round = 0; round < 100; round += 1) {
    take(spiky, { count: 15, each: 200 });
    expect(take(spiky, { count: 16, each: 0.1 })).toBe("loop");
  }
});

test("commits come back to the loop only when the worker is fast for long", () => {
  const pace = new CommitPace();
  take(pace, { count: 31, each: 3 });
  expect(take(pace, { count: 1_000, each: 0.9 })).toBe("worker");
  const slowAgain = new CommitPace();
  take(slowAgain, { count: 31, each: 3 });
  expect(take(slowAgain, { count: 126, each: 0.2 })).toBe("worker");
  expect(take(slowAgain, { count: 1, each: 0.2 })).toBe("loop");
});
