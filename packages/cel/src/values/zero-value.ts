import { isList } from "./list-value.ts";
import { isMap } from "./map-value.ts";
import { isDuration, isTimestamp } from "./time-value.ts";
import { isUint } from "./uint-value.ts";
import type { Value } from "./value.ts";

const ZERO_TIME_SECONDS = -62_135_596_800;

/** Whether a value is what its type starts from: 0, "", [], null. */
export function isZeroValue(value: Value): boolean {
  if (value === null || value === 0n || value === 0 || value === "" || value === false) return true;
  if (typeof value !== "object") return false;
  if (value instanceof Uint8Array) return value.length === 0;
  if (isList(value) || isMap(value)) return value.size === 0;
  if (isUint(value)) return value.value === 0n;
  if (isDuration(value)) return value.nanoseconds === 0n;
  return isTimestamp(value) && value.seconds === ZERO_TIME_SECONDS && value.nanos === 0;
}
