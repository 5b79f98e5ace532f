import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "./failure.ts";
import { printDouble } from "./print-double.ts";
import { calendarFields, parseTimestamp, printTimestamp } from "./time-text.ts";
import { Timestamp } from "./time-value.ts";
import { zoneOffset } from "./time-zone.ts";

const seconds = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
const nanos = fc.integer({ min: 0, max: 999_999_999 });

test("a printed time is read as that time", () => {
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 }).map((minutes) => minutes * 60);
  fc.assert(
    fc.property(seconds, nanos, offset, (second, nano, east) => {
      fc.pre(second + east > -62_135_596_800 && second + east < 253_402_300_800);
      const time = new Timestamp(second, nano, east);
      expect(parseTimestamp(printTimestamp(time))).toEqual(time);
    }),
  );
});

test("calendar fields are those of the calendar", () => {
  const leapDay = parseTimestamp("2020-12-31T23:59:58.5Z");
  expect(calendarFields(leapDay, 0)).toEqual({
    year: 2020,
    month: 12,
    day: 31,
    hours: 23,
    minutes: 59,
    seconds: 58,
    dayOfYear: 365,
    dayOfWeek: 4,
  });
  expect(calendarFields(leapDay, 60)).toMatchObject({ year: 2021, dayOfYear: 0, dayOfWeek: 5 });
  expect(calendarFields(parseTimestamp("0001-01-01T00:00:00Z"), 0)).toMatchObject({
    year: 1,
    dayOfYear: 0,
  });
});

test("zones are offsets or names of the database", () => {
  const winter = parseTimestamp("2024-01-15T12:00:00Z");
  const summer = parseTimestamp("2024-07-15T12:00:00Z");
  expect(zoneOffset("Europe/Berlin", winter)).toBe(3600);
  expect(zoneOffset("Europe/Berlin", summer)).toBe(7200);
  expect(zoneOffset("-08:30", winter)).toBe(-30_600);
  expect(zoneOffset("", winter)).toBe(0);
  expect(zoneOffset("Mars/Base", winter)).toEqual(new Failure("unknown time zone Mars/Base"));
  expect(zoneOffset("a:00", winter)).toEqual(
    new Failure('strconv.Atoi: parsing "a": invalid syntax'),
  );
});

test("doubles are printed with the shortest digits that read back", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Number(printDouble(value))).toBe(value);
    }),
  );
  expect([1e6, 123456.5, 1e-5, 0.0001, -0, Infinity].map(printDouble)).toEqual([
    "1e+06",
    "123456.5",
    "1e-05",
    "0.0001",
    "-0",
    "+Inf",
  ]);
});
