import { expect, test } from "vitest";
import { timeZoneProblems } from "./time-zones.ts";

test.each(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "GB-Eire"])(
  "%s is a time zone",
  (name) => {
    expect(timeZoneProblems(name)).toEqual([]);
  },
);

test.each([
  ["", "timeZone must be nil or non-empty string"],
  ["europe/berlin", "unknown time zone europe/berlin"],
  ["Europe", "unknown time zone Europe"],
  ["Europe//Berlin", "unknown time zone Europe//Berlin"],
  ["../etc", "unknown time zone ../etc"],
  ["a..b", "time: invalid location name"],
  ["Local", "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"],
])("%s is refused", (name, problem) => {
  expect(timeZoneProblems(name)).toEqual([problem]);
});
