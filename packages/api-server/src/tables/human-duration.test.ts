import { expect, test } from "vitest";
import { ageOf, humanDuration } from "./human-duration.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.for([
  [-2 * SECOND, "<invalid>"],
  [-1.9 * SECOND, "0s"],
  [0, "0s"],
  [999, "0s"],
  [119 * SECOND, "119s"],
  [2 * MINUTE, "2m"],
  [9 * MINUTE + 59 * SECOND, "9m59s"],
  [10 * MINUTE + 59 * SECOND, "10m"],
  [179 * MINUTE, "179m"],
  [3 * HOUR, "3h"],
  [7 * HOUR + 59 * MINUTE, "7h59m"],
  [8 * HOUR + 59 * MINUTE, "8h"],
  [47 * HOUR, "47h"],
  [2 * DAY, "2d"],
  [7 * DAY + 23 * HOUR, "7d23h"],
  [8 * DAY + 23 * HOUR, "8d"],
  [729 * DAY, "729d"],
  [730 * DAY, "2y"],
  [731 * DAY, "2y1d"],
  [8 * 365 * DAY - 1, "7y364d"],
  [8 * 365 * DAY + 40 * DAY, "8y"],
] as const)("%d ms is %s", ([milliseconds, text]) => {
  expect(humanDuration(milliseconds)).toBe(text);
});

test("what has no time is of unknown age", () => {
  for (const time of [undefined, null, "", "0001-01-01T00:00:00Z", "yesterday"]) {
    expect(ageOf(time, 0)).toBe("<unknown>");
  }
  expect(ageOf("1970-01-01T00:00:05.500000Z", 65_500)).toBe("60s");
});
