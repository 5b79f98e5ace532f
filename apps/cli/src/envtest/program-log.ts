import type { Clock } from "@homeostat/concurrency";
import { printError } from "../output.ts";

/** What the stand-ins have to say, in the manner of the programs they stand for. */
export interface ProgramLog {
  info(message: string): void;
  warn(message: string): void;
}

/** As klog prints: `W1116 06:45:06.123000   12345 homeostat.mjs:1] message`, in UTC. */
export function kubeLog(clock: Clock): ProgramLog {
  const print = (level: string, message: string): void => {
    const { month, day, time } = civil(clock.now());
    const pid = String(process.pid).padStart(7);
    printError(`${level}${month}${day} ${time}000 ${pid} homeostat.mjs:1] ${message}`);
  };
  return { info: (message) => print("I", message), warn: (message) => print("W", message) };
}

/** As etcd prints: an object a line. */
export function etcdLog(clock: Clock): ProgramLog {
  const print = (level: string, msg: string): void => {
    const { year, month, day, time } = civil(clock.now());
    const ts = `${year}-${month}-${day}T${time}000Z`;
    printError(JSON.stringify({ level, ts, caller: "homeostat.mjs:1", msg }));
  };
  return { info: (message) => print("info", message), warn: (message) => print("warn", message) };
}

const DAY = 86_400_000;

/** The parts of an instant in UTC. Years begin in March here, so that the leap day is the last. */
function civil(now: number): Record<"year" | "month" | "day" | "time", string> {
  const days = Math.floor(now / DAY) + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524);
  const yearOfEra = Math.floor((dayOfEra - leaps - Math.floor(dayOfEra / 146_096)) / 365);
  const yearDays = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - yearDays;
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const rest = now - Math.floor(now / DAY) * DAY;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const seconds = `${two((rest / 1000) % 60)}.${String(Math.floor(rest % 1000)).padStart(3, "0")}`;
  return {
    year: String(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)),
    month: two(month),
    day: two(dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1),
    time: `${two(rest / 3_600_000)}:${two((rest / 60_000) % 60)}:${seconds}`,
  };
}
