import type { IssuedOperation, SeenEvent, SeenKey } from "./report.ts";

/** The state of every key at one revision: the store's promise in twenty lines. */
export type KeyStates = Map<string, SeenKey>;

/** Why a write cannot have been done to these states. */
export class ImpossibleWriteError extends Error {
  readonly code = "torture-impossible-write";
}

/**
 * What a write does at `revision`, as events; the states are changed by {@link replay} only.
 * Throws ImpossibleWriteError where the store would have had to refuse it.
 */
export function eventsOf(
  states: KeyStates,
  operations: readonly IssuedOperation[],
  revision: number,
): SeenEvent[] {
  return operations.flatMap((operation) => eventOf(states.get(operation.key), operation, revision));
}

function eventOf(
  previous: SeenKey | undefined,
  operation: IssuedOperation,
  revision: number,
): SeenEvent[] {
  const { type, key, hash = "", expectedRevision } = operation;
  const found = previous?.revision ?? 0;
  if (expectedRevision !== undefined && expectedRevision !== found) {
    throw new ImpossibleWriteError(
      `${type} of ${key} expected revision ${expectedRevision}, but it was at ${found}`,
    );
  }
  if (type === "check") return [];
  if (type === "create") {
    if (previous !== undefined)
      throw new ImpossibleWriteError(`create of ${key}, which existed at revision ${found}`);
    const current = { key, revision, createRevision: revision, version: 1, hash };
    return [{ type: "added", key, revision, current, previous }];
  }
  if (previous === undefined)
    throw new ImpossibleWriteError(`${type} of ${key}, which did not exist`);
  if (type === "delete") return [{ type: "deleted", key, revision, current: undefined, previous }];
  const { createRevision, version } = previous;
  const current = { key, revision, createRevision, version: version + 1, hash };
  return [{ type: "modified", key, revision, current, previous }];
}

export function replay(states: KeyStates, events: readonly SeenEvent[]): void {
  for (const { key, current } of events) {
    if (current === undefined) states.delete(key);
    else states.set(key, current);
  }
}

/** The differences between what should be there and what was found, in words. */
export function differences(expected: KeyStates, found: readonly SeenKey[]): string[] {
  const wrong: string[] = [];
  const left = new Map(expected);
  for (const state of found) {
    const wanted = left.get(state.key);
    left.delete(state.key);
    if (wanted === undefined) wrong.push(`${describe(state)} should not be there`);
    else if (describe(wanted) !== describe(state))
      wrong.push(`${describe(state)} should be ${describe(wanted)}`);
  }
  for (const state of left.values()) wrong.push(`${describe(state)} is missing`);
  return wrong;
}

function describe(state: SeenKey | undefined): string {
  if (state === undefined) return "nothing";
  const { key, revision, createRevision, version, hash } = state;
  return `${key}@${revision} (created ${createRevision}, version ${version}, value ${hash.slice(0, 8)})`;
}

export function describeEvents(events: readonly SeenEvent[]): string {
  const texts = events.map(
    ({ type, key, revision, current, previous }) =>
      `${type} ${key}@${revision}: ${describe(previous)} -> ${describe(current)}`,
  );
  return texts.length === 0 ? "no event" : texts.join("; ");
}

export function isSame(one: readonly SeenEvent[], other: readonly SeenEvent[]): boolean {
  return describeEvents(one) === describeEvents(other);
}
