import { assert, constantFrom, integer, property, string, tuple } from "fast-check";
import { expect, test } from "vitest";
import { scheduleProblem } from "./cron-schedule.ts";

test.each([
  "* * * * *",
  "*/5 0-12/3 1,15 jan-mar MON",
  "? ? ? ? ?",
  ", * * * *",
  "+5 01 1 1 0",
  "@hourly",
  "@every 1h30m",
  "TZ=Europe/Berlin 0 0 * * *",
])("%s is a schedule", (schedule) => {
  expect(scheduleProblem(schedule)).toBeUndefined();
});

test.each([
  ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
  ["60 * * * *", "end of range (60) above maximum (59): 60"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
  ["*/0 * * * *", "step of range should be a positive number: */0"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["1/2/3 * * * *", "too many slashes: 1/2/3"],
  ["a * * * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
  ["@soon", "unrecognized descriptor: @soon"],
  ["@every 1x", 'failed to parse duration @every 1x: time: unknown unit "x" in duration "1x"'],
  ["TZ=Nope * * * * *", "provided bad location Nope: unknown time zone Nope"],
  ["TZ=0", "invalid schedule format: runtime error: slice bounds out of range [:-1]"],
])("%s is refused in the words of the cron library", (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});

test("every time within the bounds can be asked for, by itself and in steps", () => {
  const minute = integer({ min: 0, max: 59 });
  const hour = integer({ min: 0, max: 23 });
  const day = integer({ min: 1, max: 31 });
  const month = integer({ min: 1, max: 12 });
  const weekday = integer({ min: 0, max: 6 });
  const step = constantFrom("", "/1", "/7");
  assert(
    property(tuple(minute, hour, day, month, weekday), step, (times, every) => {
      expect(scheduleProblem(times.map((time) => `${time}${every}`).join(" "))).toBeUndefined();
    }),
  );
});

test("any text is a schedule or refused", () => {
  const parts = string({ unit: constantFrom(..."*?,-/0159az @T=Z\t".split("")) });
  assert(
    property(parts, (text) => {
      expect(["string", "undefined"]).toContain(typeof scheduleProblem(text));
    }),
  );
});
