/** Signals that end a container; which there are depends on the operating system. */
import type { Place } from "@homeostat/schema";
import type { PodFacts } from "../pod-facts.ts";

const LINUX: readonly string[] = [
  ..."ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT".split(" "),
  ..."SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ".split(
    " ",
  ),
  "RTMIN",
  ...Array.from({ length: 15 }, (_, index) => `RTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `RTMAX-${index + 1}`),
  "RTMAX",
]
  .map((name) => `SIG${name}`)
  .sort();
const WINDOWS: readonly string[] = ["SIGKILL", "SIGTERM"];

export function checkStopSignal(signal: string, place: Place<PodFacts>): void {
  const { os } = place.context.spec;
  if (!os) place.forbidden("may not be set for containers with empty `spec.os.name`");
  else if (os.name === "windows") {
    if (!WINDOWS.includes(signal)) place.notSupported(signal, WINDOWS);
  } else if (os.name === "linux" && !LINUX.includes(signal)) place.notSupported(signal, LINUX);
}
