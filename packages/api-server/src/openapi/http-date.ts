import { timeOfMilliseconds } from "@homeostat/object-model";

const DAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY = 86_400_000;

/** `Mon, 16 Nov 2026 05:39:32 GMT`, of milliseconds since 1970. */
export function httpDate(time: number, zone: "GMT" | "UTC" = "GMT"): string {
  const [date = "", clock = ""] = timeOfMilliseconds(time).replace("Z", "").split("T");
  const [year = "", month = "", day = ""] = date.split("-");
  const weekday = DAYS[Math.floor(time / DAY) % 7];
  return `${weekday}, ${day} ${MONTHS[Number(month) - 1]} ${year} ${clock} ${zone}`;
}
