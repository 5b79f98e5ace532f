import { Place } from "@homeostat/schema";
import { expect, test } from "vitest";
import { atMost100Percent, intOrPercent, numberOf } from "./int-or-percent.ts";

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

test.each([
  [1, 1, []],
  ["25%", 25, []],
  [-1, -1, ["Invalid value: -1: must be greater than or equal to 0"]],
  ["5", 5, [`Invalid value: "5": ${PERCENT}`]],
  ["x", 0, [`Invalid value: "x": ${PERCENT}`]],
  ["101%", 101, ['Invalid value: "101%": must not be greater than 100%']],
])("%s stands for %s", (value, number, problems) => {
  const place = Place.root(undefined);
  intOrPercent(value, place);
  atMost100Percent(value, place);
  expect(place.errors.map(({ body }) => body)).toEqual(problems);
  expect(numberOf(value)).toBe(number);
});
