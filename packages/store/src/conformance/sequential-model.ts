import type { Operation, Refused } from "../store.ts";
import type { OperationOutcome, RecordedEvent, Snapshot } from "./recorded-run.ts";

/** What an operation does to a state, as the seam's words say, and nothing cleverer. */
export type Verdict =
  | ({ readonly type: "passed"; readonly changes: boolean } & OperationOutcome)
  | {
      readonly type: "refused";
      readonly reason: Refused["reason"];
      readonly current: Snapshot | undefined;
    };

type State = ReadonlyMap<string, Snapshot>;

/** The store as one caller at a time would have it: the whole state at every revision. */
export class SequentialModel {
  readonly #states: State[] = [new Map()];
  readonly #events: RecordedEvent[][] = [[]];

  get revision(): number {
    return this.#states.length - 1;
  }

  stateAt(revision: number): State {
    return this.#states[revision] ?? new Map<string, Snapshot>();
  }

  /** The events that made `revision`, in the order of its operations. */
  eventsAt(revision: number): readonly RecordedEvent[] {
    return this.#events[revision] ?? [];
  }

  /** What each operation would come to at `revision`, called at the wall time `now`. */
  judge(operations: readonly Operation[], at: { revision: number; now: number }): Verdict[] {
    const state = this.stateAt(at.revision);
    const next = { revision: at.revision + 1, now: at.now };
    return operations.map((operation) => verdictOf(operation, state.get(operation.key), next));
  }

  /** Makes the next revision by operations that all pass; returns what each came to. */
  apply(operations: readonly Operation[], now: number): Verdict[] {
    const verdicts = this.judge(operations, { revision: this.revision, now });
    const state = new Map(this.stateAt(this.revision));
    const events: RecordedEvent[] = [];
    for (const [index, verdict] of verdicts.entries()) {
      if (verdict.type === "refused" || !verdict.changes) continue;
      const { key } = operations[index]!;
      const previous = state.get(key);
      const current = verdict.outcome === "deleted" ? undefined : verdict.state;
      if (current === undefined) state.delete(key);
      else state.set(key, current);
      const type =
        current === undefined ? "deleted" : previous === undefined ? "added" : "modified";
      events.push({ type, key, revision: this.revision + 1, current, previous });
    }
    this.#states.push(state);
    this.#events.push(events);
    return verdicts;
  }
}

function verdictOf(
  operation: Operation,
  current: Snapshot | undefined,
  next: { revision: number; now: number },
): Verdict {
  const refused = (reason: Refused["reason"]): Verdict => ({ type: "refused", reason, current });
  const passed = (changes: boolean, outcome: OperationOutcome): Verdict => ({
    type: "passed",
    changes,
    ...outcome,
  });
  const { revision } = next;
  switch (operation.type) {
    case "check": {
      const isMet = (current?.revision ?? 0) === operation.expectedRevision;
      if (!isMet) return refused(current === undefined ? "missing" : "stale");
      return passed(false, { outcome: "checked", revision: undefined, state: current });
    }
    case "create": {
      if (current !== undefined) return refused("exists");
      const state = written(operation, { ...next, createRevision: revision, version: 1 });
      return passed(true, { outcome: "created", revision, state });
    }
    case "update":
    case "delete": {
      if (current === undefined) return refused("missing");
      const { expectedRevision } = operation;
      if (expectedRevision !== undefined && expectedRevision !== current.revision) {
        return refused("stale");
      }
      if (operation.type === "delete") {
        return passed(true, { outcome: "deleted", revision, state: current });
      }
      const { createRevision, version } = current;
      const state = written(operation, { ...next, createRevision, version: version + 1 });
      const expires = state.expiresAt !== undefined || current.expiresAt !== undefined;
      if (state.text === current.text && !expires) {
        return passed(false, { outcome: "unchanged", revision: current.revision, state: current });
      }
      return passed(true, { outcome: "updated", revision, state });
    }
  }
}

function written(
  operation: Extract<Operation, { value: unknown }>,
  next: { revision: number; createRevision: number; version: number; now: number },
): Snapshot {
  const { key, timeToLive } = operation;
  const { revision, createRevision, version, now } = next;
  const text = Buffer.from(operation.value).toString("latin1");
  const expiresAt = timeToLive === undefined ? undefined : now + timeToLive;
  return { key, text, revision, createRevision, version, expiresAt };
}
