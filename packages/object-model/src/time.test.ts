import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dateOfDay, dayOfDate } from "./civil-date.ts";
import {
  instantOfMilliseconds,
  instantToMilliseconds,
  microTimeOfMilliseconds,
  parseMicroTime,
  parseTime,
  printMicroTime,
  printTime,
  TimeError,
  timeOfMilliseconds,
  ZERO_TIME,
} from "./time.ts";

const SECOND = 1_000_000_000n;

test.each([
  ["1970-01-01T00:00:00Z", 0n, "1970-01-01T00:00:00Z"],
  ["2026-01-02T03:04:05Z", 1_767_323_045n * SECOND, "2026-01-02T03:04:05Z"],
  ["2026-01-02T03:04:05+01:30", 1_767_317_645n * SECOND, "2026-01-02T01:34:05Z"],
  ["2026-01-02T03:04:05-24:60", 1_767_413_045n * SECOND, "2026-01-03T04:04:05Z"],
  ["2026-01-02T03:04:05.678Z", 1_767_323_045_678_000_000n, "2026-01-02T03:04:05Z"],
  ["2026-01-02T03:04:05,5Z", 1_767_323_045_500_000_000n, "2026-01-02T03:04:05Z"],
  ["2026-01-02T03:04:05.0123456789Z", 1_767_323_045_012_345_678n, "2026-01-02T03:04:05Z"],
  ["2026-01-02T3:04:05Z", 1_767_323_045n * SECOND, "2026-01-02T03:04:05Z"],
  ["2024-02-29T00:00:00Z", 1_709_164_800n * SECOND, "2024-02-29T00:00:00Z"],
  ["1969-12-31T23:59:59.5Z", -500_000_000n, "1969-12-31T23:59:59Z"],
  ["0000-01-01T00:00:00Z", -62_167_219_200n * SECOND, "0000-01-01T00:00:00Z"],
  ["0000-01-01T00:00:00+24:00", -62_167_305_600n * SECOND, "-0001-12-31T00:00:00Z"],
  ["9999-12-31T23:59:59-23:00", 253_402_383_599n * SECOND, "10000-01-01T22:59:59Z"],
])("%j is the instant %d and prints as %j", (text, instant, printed) => {
  expect(parseTime(text)).toBe(instant);
  expect(printTime(instant)).toBe(printed);
});

test.each([
  ["", 'as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
  ["null", 'as "2006-01-02T15:04:05Z07:00": cannot parse "null" as "2006"'],
  ["2026-1-02T03:04:05Z", 'as "2006-01-02T15:04:05Z07:00": cannot parse "1-02T03:04:05Z" as "01"'],
  ["2026-01-02 03:04:05Z", 'as "2006-01-02T15:04:05Z07:00": cannot parse " 03:04:05Z" as "T"'],
  ["2026-01-02t03:04:05Z", 'as "2006-01-02T15:04:05Z07:00": cannot parse "t03:04:05Z" as "T"'],
  ["2026-01-02T03:04:05", 'as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'],
  ["2026-01-02T03:04:05z", 'as "2006-01-02T15:04:05Z07:00": cannot parse "z" as "Z07:00"'],
  ["2026-01-02T03:04:05+0100", 'as "2006-01-02T15:04:05Z07:00": cannot parse "+0100" as "Z07:00"'],
  ["2026-13-02T03:04:05Z", ": month out of range"],
  ["2026-02-29T03:04:05Z", ": day out of range"],
  ["2026-01-00T03:04:05Z", ": day out of range"],
  ["2026-01-02T24:04:05Z", ": hour out of range"],
  ["2026-01-02T03:60:05Z", ": minute out of range"],
  ["2026-01-02T03:04:60Z", ": second out of range"],
  ["2026-01-02T03:04:05+25:00", ": time zone offset hour out of range"],
  ["2026-01-02T03:04:05+01:61", ": time zone offset minute out of range"],
  ["2026-01-02T03:04:05Zx", ': extra text: "x"'],
])("%j is refused in Go's words", (text, why) => {
  const message = why.startsWith(":")
    ? `parsing time "${text}"${why}`
    : `parsing time "${text}" ${why}`;
  expect(() => parseTime(text)).toThrow(new TimeError(message, text));
});

test("a micro time has exactly six decimals", () => {
  expect(parseMicroTime("2026-01-02T03:04:05.678901Z")).toBe(1_767_323_045_678_901_000n);
  for (const text of ["05Z", "05.678Z", "05.6789012Z"]) {
    expect(() => parseMicroTime(`2026-01-02T03:04:${text}`)).toThrow(TimeError);
  }
  expect(() => parseMicroTime("2026-01-02T03:04:05.-78901Z")).toThrow(
    'parsing time "2026-01-02T03:04:05.-78901Z": fractional second out of range',
  );
  expect(printMicroTime(1_767_323_045_000_001_999n)).toBe("2026-01-02T03:04:05.000001Z");
});

test("the zero time is not set and prints as null", () => {
  expect(parseTime("0001-01-01T00:00:00Z")).toBe(ZERO_TIME);
  expect(printTime(ZERO_TIME)).toBeNull();
  expect(printMicroTime(ZERO_TIME)).toBeNull();
  expect(printTime(ZERO_TIME + SECOND)).toBe("0001-01-01T00:00:01Z");
});

test("a clock's milliseconds become times, micros kept", () => {
  expect(timeOfMilliseconds(1_767_323_045_999)).toBe("2026-01-02T03:04:05Z");
  expect(microTimeOfMilliseconds(1_767_323_045_678.901)).toBe("2026-01-02T03:04:05.678901Z");
  expect(microTimeOfMilliseconds(-1)).toBe("1969-12-31T23:59:59.999000Z");
  expect(instantToMilliseconds(instantOfMilliseconds(1_767_323_045_678))).toBe(1_767_323_045_678);
});

test("printing and parsing again gives the same instant, to the precision printed", () => {
  const instant = fc.bigInt({ min: ZERO_TIME + SECOND, max: 253_402_300_799n * SECOND });
  fc.assert(
    fc.property(instant, (when) => {
      const seconds = parseTime(printTime(when)!);
      expect(seconds).toBeLessThanOrEqual(when);
      expect(when - seconds).toBeLessThan(SECOND);
      const micros = parseMicroTime(printMicroTime(when)!);
      expect(when - micros).toBeLessThan(1000n);
      expect(micros).toBeLessThanOrEqual(when);
    }),
  );
});

test("times of four-digit years sort as texts", () => {
  const instant = fc.bigInt({ min: 0n, max: 253_402_300_799n }).map((value) => value * SECOND);
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      expect(printTime(a)! < printTime(b)!).toBe(a < b);
    }),
  );
});

test("an offset shifts the instant and nothing else", () => {
  const offset = fc.integer({ min: -1439, max: 1439 });
  fc.assert(
    fc.property(offset, (minutes) => {
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
      const text = `${minutes < 0 ? "-" : "+"}${pad(hours)}:${pad(rest)}`;
      expect(parseTime(`2026-01-02T03:04:05${text}`)).toBe(
        parseTime("2026-01-02T03:04:05Z") - BigInt(minutes) * 60n * SECOND,
      );
    }),
  );
});

test("every day follows the one before it", () => {
  fc.assert(
    fc.property(fc.integer({ min: -800_000, max: 3_000_000 }), (day) => {
      const date = dateOfDay(day);
      expect(dayOfDate(date)).toBe(day);
      const next = dateOfDay(day + 1);
      const follows =
        (next.day === date.day + 1 && next.month === date.month && next.year === date.year) ||
        (next.day === 1 && next.month === date.month + 1 && next.year === date.year) ||
        (next.day === 1 && next.month === 1 && next.year === date.year + 1);
      expect(follows).toBe(true);
    }),
  );
});

function pad(value: number): string {
  return value.toString().padStart(2, "0");
}
