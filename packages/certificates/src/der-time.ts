import { encodeElement } from "./der.ts";

const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const DAY = 86_400_000;

/**
 * Milliseconds since the epoch, cut to the second, as a certificate says them: with two digits of
 * the year until 2049, with four from 2050 on (RFC 5280, 4.1.2.5).
 */
export function encodeTime(instant: number): Uint8Array {
  const text = digitsOf(instant);
  const isShort = text >= "1950" && text < "2050";
  return encodeElement(
    isShort ? UTC_TIME : GENERALIZED_TIME,
    new TextEncoder().encode(isShort ? text.slice(2) : text),
  );
}

/** YYYYMMDDHHMMSSZ. */
function digitsOf(instant: number): string {
  const days = Math.floor(instant / DAY);
  const seconds = Math.floor((instant - days * DAY) / 1000);
  const { year, month, day } = civilDate(days);
  const parts = [
    month,
    day,
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return `${String(year).padStart(4, "0")}${parts.map((part) => String(part).padStart(2, "0")).join("")}Z`;
}

/**
 * The date so many days after 1970-01-01, in the Gregorian calendar. Counted in eras of 400 years
 * that begin on the 1st of March of year 0, so that the leap day is the last day of a year.
 */
function civilDate(daysSinceEpoch: number): { year: number; month: number; day: number } {
  const days = daysSinceEpoch + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}
