import { DURATION, INT, STRING, TIMESTAMP } from "../expression-types/type.ts";
import { type CalendarFields, calendarFields } from "../values/time-text.ts";
import { isDuration, isTimestamp, type Timestamp } from "../values/time-value.ts";
import { zoneOffset } from "../values/time-zone.ts";
import type { Value } from "../values/value.ts";
import type { FunctionDeclaration, Overload } from "./library.ts";

const MILLISECOND = 1_000_000n;
const SECOND = 1000n * MILLISECOND;

export const STANDARD_TIMES: readonly FunctionDeclaration[] = [
  getter("getFullYear", "timestamp_to_year", ({ year }) => year),
  getter("getMonth", "timestamp_to_month", ({ month }) => month - 1),
  getter("getDayOfYear", "timestamp_to_day_of_year", ({ dayOfYear }) => dayOfYear),
  getter("getDayOfMonth", "timestamp_to_day_of_month", ({ day }) => day - 1),
  getter("getDate", "timestamp_to_day_of_month_1_based", ({ day }) => day),
  getter("getDayOfWeek", "timestamp_to_day_of_week", ({ dayOfWeek }) => dayOfWeek),
  withDuration(
    getter("getHours", "timestamp_to_hours", ({ hours }) => hours),
    "duration_to_hours",
    3600n * SECOND,
  ),
  withDuration(
    getter("getMinutes", "timestamp_to_minutes", ({ minutes }) => minutes),
    "duration_to_minutes",
    60n * SECOND,
  ),
  withDuration(
    getter("getSeconds", "timestamp_to_seconds", ({ seconds }) => seconds),
    "duration_to_seconds",
    SECOND,
  ),
  withDuration(
    getter("getMilliseconds", "timestamp_to_milliseconds", (_, { nanos }) =>
      Math.floor(nanos / 1e6),
    ),
    "duration_to_milliseconds",
    MILLISECOND,
  ),
];

function getter(
  name: string,
  id: string,
  field: (fields: CalendarFields, timestamp: Timestamp) => number,
): FunctionDeclaration {
  const call = ([timestamp, zone]: readonly Value[]): Value => {
    if (timestamp === undefined || !isTimestamp(timestamp)) return 0n;
    const offset = zoneOffset(typeof zone === "string" ? zone : "UTC", timestamp);
    if (typeof offset !== "number") return offset;
    return BigInt(field(calendarFields(timestamp, offset), timestamp));
  };
  const zoned = id === "timestamp_to_seconds" ? "timestamp_to_seconds_tz" : `${id}_with_tz`;
  return {
    name,
    overloads: [
      { id, member: true, params: [TIMESTAMP], result: INT, call },
      { id: zoned, member: true, params: [TIMESTAMP, STRING], result: INT, call },
    ],
  };
}

/** The same name gives a duration in whole units. */
function withDuration(
  declared: FunctionDeclaration,
  id: string,
  unit: bigint,
): FunctionDeclaration {
  const overload: Overload = {
    id,
    member: true,
    params: [DURATION],
    result: INT,
    call: ([duration]) =>
      duration !== undefined && isDuration(duration) ? duration.nanoseconds / unit : 0n,
  };
  return { ...declared, overloads: [...declared.overloads, overload] };
}
