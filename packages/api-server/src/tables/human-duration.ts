import { instantToMilliseconds, parseTime, TimeError, ZERO_TIME } from "@homeostat/object-model";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Two or three figures of a duration in milliseconds: `90s`, `5m30s`, `3h`, `4d2h`, `2y10d`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  // Clocks of two machines may differ by a little.
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(milliseconds / MINUTE);
  if (minutes < 10) return twoUnits([minutes, "m"], [seconds % 60, "s"]);
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(milliseconds / HOUR);
  if (hours < 8) return twoUnits([hours, "h"], [minutes % 60, "m"]);
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 24 * 8) return twoUnits([days, "d"], [hours % 24, "h"]);
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (hours < 24 * 365 * 8) return twoUnits([years, "y"], [days % 365, "d"]);
  return `${years}y`;
}

function twoUnits(large: readonly [number, string], small: readonly [number, string]): string {
  return small[0] === 0 ? large.join("") : `${large.join("")}${small.join("")}`;
}

/** How long ago, `<unknown>` where no time is given. */
export function ageOf(time: string | null | undefined, now: number): string {
  const milliseconds = millisecondsOf(time);
  return milliseconds === undefined ? "<unknown>" : humanDuration(now - milliseconds);
}

/** Undefined for no time, and for a text that is none. */
export function millisecondsOf(time: string | null | undefined): number | undefined {
  if (!time) return undefined;
  try {
    const instant = parseTime(time);
    return instant === ZERO_TIME ? undefined : instantToMilliseconds(instant);
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}
