import { KeyVersion } from "./key-version.ts";
import type {
  Checked,
  Deleted,
  DeleteOptions,
  Operation,
  Refused,
  Unchanged,
  Written,
} from "./store.ts";

/**
 * What an operation comes to against the state it found: its result, which holds once everything
 * pending is durable, and for a write the new version with the bytes to be placed.
 */
export type Decision = Write | Answer;

export interface Write {
  readonly version: KeyVersion;
  readonly bytes: Uint8Array | undefined;
  readonly result: Written | Deleted;
}

interface Answer {
  readonly version: undefined;
  readonly result: Unchanged | Checked | Refused;
}

/** Longest key in UTF-8 bytes, and largest value: what a log record can carry. */
const maxKeyBytes = 65_535;
const maxValueBytes = 256 * 1024 * 1024;

/**
 * Decides an operation against the newest version of its key, pending ones included. Pure: the
 * caller places the bytes and commits.
 */
export function decide(
  operation: Operation,
  newest: KeyVersion | undefined,
  at: { revision: number; now: number },
): Decision {
  const { key } = operation;
  const { revision } = at;
  const current = newest?.deleted ? undefined : newest;
  const answer = (result: Answer["result"]): Answer => ({ version: undefined, result });
  const refuse = (reason: Refused["reason"]): Answer =>
    answer({ outcome: "refused", reason, key, current });

  switch (operation.type) {
    case "check":
      if ((current?.revision ?? 0) === operation.expectedRevision) {
        return answer({ outcome: "checked", current });
      }
      return refuse(current === undefined ? "missing" : "stale");
    case "create": {
      if (current !== undefined) return refuse("exists");
      const expiresAt = expiryOf(operation, at.now);
      const version = new KeyVersion({
        key,
        revision,
        createRevision: revision,
        version: 1,
        expiresAt,
      });
      return {
        version,
        bytes: operation.value,
        result: { outcome: "created", revision, current: version },
      };
    }
    case "update": {
      if (current === undefined) return refuse("missing");
      if (isStale(current, operation)) return refuse("stale");
      if (isSame(current, operation)) {
        return answer({ outcome: "unchanged", revision: current.revision, current });
      }
      const expiresAt = expiryOf(operation, at.now);
      const { createRevision } = current;
      const version = new KeyVersion({
        key,
        revision,
        createRevision,
        version: current.version + 1,
        expiresAt,
      });
      return {
        version,
        bytes: operation.value,
        result: { outcome: "updated", revision, current: version },
      };
    }
    case "delete": {
      if (current === undefined) return refuse("missing");
      if (isStale(current, operation)) return refuse("stale");
      const tombstone = new KeyVersion({
        key,
        revision,
        createRevision: 0,
        version: 0,
        expiresAt: undefined,
      });
      return {
        version: tombstone,
        bytes: undefined,
        result: { outcome: "deleted", revision, previous: current },
      };
    }
  }
}

/** Throws a TypeError or RangeError that names what is wrong with the arguments of a write. */
export function validateOperation(operation: Operation): void {
  const { key } = operation;
  if (typeof key !== "string" || key.length === 0) {
    throw new TypeError(`a key must be a string that is not empty, got ${describe(key)}`);
  }
  if (!key.isWellFormed())
    throw new TypeError(`a key must be well-formed Unicode, got ${JSON.stringify(key)}`);
  if (key.length * 3 > maxKeyBytes && Buffer.byteLength(key) > maxKeyBytes) {
    throw new RangeError(`a key has at most ${maxKeyBytes} bytes, got ${Buffer.byteLength(key)}`);
  }
  if (operation.type !== "create") mustBeRevision(operation.expectedRevision);
  if (operation.type !== "create" && operation.type !== "update") return;
  const { value, timeToLive } = operation;
  if (!(value instanceof Uint8Array)) {
    throw new TypeError(`the value of ${key} must be a Uint8Array, got ${describe(value)}`);
  }
  if (value.length > maxValueBytes) {
    throw new RangeError(`a value has at most ${maxValueBytes} bytes, ${key} got ${value.length}`);
  }
  if (timeToLive !== undefined && !(timeToLive > 0 && Number.isFinite(timeToLive))) {
    throw new RangeError(`timeToLive must be a number of milliseconds above 0, got ${timeToLive}`);
  }
}

/** Throws unless the value can be a revision, or is left out. */
export function mustBeRevision(revision: number | undefined): void {
  if (revision !== undefined && !(Number.isSafeInteger(revision) && revision >= 0)) {
    throw new RangeError(`a revision is a whole number from 0 on, got ${describe(revision)}`);
  }
}

type Writing = Extract<Operation, { type: "create" | "update" }>;

function isStale(current: KeyVersion, operation: DeleteOptions): boolean {
  const { expectedRevision } = operation;
  return expectedRevision !== undefined && expectedRevision !== current.revision;
}

/** Giving a key a time to live, or taking it away, is a change even when the bytes are equal. */
function isSame(current: KeyVersion, operation: Writing): boolean {
  if (operation.timeToLive !== undefined || current.expiresAt !== undefined) return false;
  if (operation.value.length !== current.length) return false;
  return Buffer.compare(operation.value, current.value) === 0;
}

function expiryOf(operation: Writing, now: number): number | undefined {
  return operation.timeToLive === undefined ? undefined : now + operation.timeToLive;
}

function describe(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : value === null ? "null" : typeof value;
}
