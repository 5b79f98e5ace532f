import { DURATION, TIMESTAMP, type Type } from "../expression-types/type.ts";
import type { ObjectValue, Value } from "./value.ts";

/** A point in time to the nanosecond; `offset` (seconds east of UTC) is only how it prints itself. */
export class Timestamp implements ObjectValue {
  readonly celType: Type = TIMESTAMP;
  /** Since 1970-01-01T00:00:00Z; a safe integer. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
  readonly offset: number;

  constructor(seconds: number, nanos: number, offset = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A span in nanoseconds, within int64. */
export class Duration implements ObjectValue {
  readonly celType: Type = DURATION;
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

export function isTimestamp(value: Value): value is Timestamp {
  return value instanceof Timestamp;
}

export function isDuration(value: Value): value is Duration {
  return value instanceof Duration;
}
