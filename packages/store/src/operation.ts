import { KeyVersion } from "./key-version.ts";
import type { Operation, Refused, Unchanged } from "./store.ts";

/** What an operation would do to the state it found. */
export type Decision =
  | { readonly kind: "write"; readonly version: KeyVersion; readonly bytes: Uint8Array | undefined }
  | { readonly kind: "unchanged"; readonly result: Unchanged }
  | { readonly kind: "checked" }
  | { readonly kind: "refused"; readonly result: Refused };

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
  const current = newest?.deleted ? undefined : newest;
  const refuse = (reason: Refused["reason"]): Decision => ({
    kind: "refused",
    result: { outcome: "refused", reason, key, current },
  });

  if (operation.type === "check") {
    const isMet = (current?.revision ?? 0) === operation.expectedRevision;
    return isMet ? { kind: "checked" } : refuse(current === undefined ? "missing" : "stale");
  }
  if (operation.type === "create") {
    if (current !== undefined) return refuse("exists");
    return write(operation, {
      revision: at.revision,
      createRevision: at.revision,
      version: 1,
      now: at.now,
    });
  }
  if (current === undefined) return refuse("missing");
  const { expectedRevision } = operation;
  if (expectedRevision !== undefined && current.revision !== expectedRevision)
    return refuse("stale");
  if (operation.type === "delete") {
    const tombstone = {
      key,
      revision: at.revision,
      createRevision: 0,
      version: 0,
      expiresAt: undefined,
    };
    return { kind: "write", version: new KeyVersion(tombstone), bytes: undefined };
  }
  if (isSame(operation, current)) {
    return {
      kind: "unchanged",
      result: { outcome: "unchanged", revision: current.revision, current },
    };
  }
  const { createRevision, version } = current;
  return write(operation, {
    revision: at.revision,
    createRevision,
    version: version + 1,
    now: at.now,
  });
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

function write(
  operation: Writing,
  next: { revision: number; createRevision: number; version: number; now: number },
): Decision {
  const { timeToLive } = operation;
  const expiresAt = timeToLive === undefined ? undefined : next.now + timeToLive;
  const { revision, createRevision, version } = next;
  const state = { key: operation.key, revision, createRevision, version, expiresAt };
  return { kind: "write", version: new KeyVersion(state), bytes: operation.value };
}

/** Giving a key a time to live, or taking it away, is a change even when the bytes are equal. */
function isSame(operation: Writing, current: KeyVersion): boolean {
  if (operation.timeToLive !== undefined || current.expiresAt !== undefined) return false;
  return (
    operation.value.length === current.length &&
    Buffer.compare(operation.value, current.value) === 0
  );
}

function describe(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : value === null ? "null" : typeof value;
}
