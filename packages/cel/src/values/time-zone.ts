import { Failure } from "./failure.ts";
import type { Timestamp } from "./time-value.ts";

const FIXED = /^([+-]?)(\d+)$/;

/**
 * Seconds east of UTC of a zone at a time. A zone is an offset (`05:30`, `-08:00`), `UTC`, nothing
 * (UTC) or a name of the IANA database.
 */
export function zoneOffset(zone: string, timestamp: Timestamp): number | Failure {
  if (zone === "" || zone === "UTC" || zone === "Local") return 0;
  const colon = zone.indexOf(":");
  return colon === -1 ? namedOffset(zone, timestamp) : fixedOffset(zone, colon);
}

function fixedOffset(zone: string, colon: number): number | Failure {
  const parts = [zone.slice(0, colon), zone.slice(colon + 1)];
  for (const part of parts) {
    if (FIXED.test(part)) continue;
    return new Failure(`strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`);
  }
  const [hours = 0, minutes = 0] = parts.map(Number);
  const total = zone.startsWith("-") ? hours * 60 - minutes : hours * 60 + minutes;
  return total * 60;
}

function namedOffset(zone: string, { seconds }: Timestamp): number | Failure {
  const format = formatOf(zone);
  if (format === undefined) return new Failure(`unknown time zone ${zone}`);
  const part = format.formatToParts(seconds * 1000).find(({ type }) => type === "timeZoneName");
  const [, sign, hours, minutes, rest] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(part?.value ?? "") ?? [];
  const offset = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0);
  return sign === "-" ? -offset : offset;
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();
/** Names come from users: as many are remembered as there are zones, not more. */
const MAX_FORMATS = 512;

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (formats.has(zone)) return formats.get(zone);
  if (formats.size >= MAX_FORMATS) formats.clear();
  let format: Intl.DateTimeFormat | undefined;
  try {
    // Intl also takes offsets and ignores case; Go's database does neither.
    if (/^[A-Z][A-Za-z0-9_+\-/]*$/.test(zone)) {
      format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  formats.set(zone, format);
  return format;
}
