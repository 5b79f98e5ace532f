import {
  describeEvents,
  differences,
  eventsOf,
  ImpossibleWriteError,
  isSame,
  type KeyStates,
  replay,
} from "./key-states.ts";
import type { IssuedOperation, Observation, Report, SeenEvent } from "./report.ts";
import type { Violation } from "./violation.ts";
import type { WatcherRecord } from "./watcher-record.ts";

interface Write {
  readonly id: string;
  readonly operations: readonly IssuedOperation[];
}

/** How a store came to its present state, as far as the reports tell, completed by what was found. */
interface Truth {
  readonly states: KeyStates;
  readonly log: Map<number, readonly SeenEvent[]>;
  /** Writes that were found without having been answered. */
  readonly placed: Map<string, number>;
}

/**
 * Knows what a store must show, from what its writers reported.
 *
 * Every revision is one issued write. The answered ones are known; the last few may have been
 * written without an answer reaching anyone, and are recognized by their values. So what is found
 * after a crash must be, exactly: everything known so far, every acknowledged write at its revision,
 * then possibly writes that were issued and not answered. Everything else is a violation.
 */
export class Oracle {
  /** Verified: the state at `#revision`, that at `#oldestRevision`, and all events between. */
  #states: KeyStates = new Map();
  #revision = 0;
  #oldest: KeyStates = new Map();
  #oldestRevision = 0;
  #log = new Map<number, readonly SeenEvent[]>();
  /** Issued, and neither answered nor found. */
  readonly #open = new Map<string, Write>();
  readonly #failed = new Map<string, Write>();
  /** Acknowledged after `#revision`. */
  readonly #acknowledged = new Map<number, Write>();
  /** Found without an answer, which may still come. */
  #placed = new Map<string, number>();
  #compacted = 0;
  readonly #watchers: readonly WatcherRecord[];
  #acknowledgements = 0;

  constructor(watchers: readonly WatcherRecord[] = []) {
    this.#watchers = watchers;
  }

  /** The highest revision that anybody has heard of. */
  get revision(): number {
    return Math.max(
      this.#revision,
      ...this.#acknowledged.keys(),
      ...this.#watchers.map(({ reached }) => reached),
    );
  }

  /** How many writes were acknowledged. */
  get acknowledgements(): number {
    return this.#acknowledgements;
  }

  hear(report: Report): Violation[] {
    switch (report.type) {
      case "issued":
        this.#open.set(report.id, report);
        return [];
      case "answered":
        return this.#hearAnswer(report);
      case "failed": {
        const write = this.#open.get(report.id);
        if (write !== undefined) this.#failed.set(report.id, write);
        this.#open.delete(report.id);
        return [];
      }
      case "compacted":
        this.#compacted = Math.max(this.#compacted, report.revision);
        return [];
      case "watched":
      case "rewatched": {
        const watcher = this.#watchers.find(({ name }) => name === report.watcher);
        return watcher?.hear(report) ?? [];
      }
      case "opened": {
        const violations = this.#learn(report.found);
        // The process that issued them is gone: what is not there now never will be.
        this.#open.clear();
        this.#placed.clear();
        return violations;
      }
      case "observed":
        return this.#learn(report.found);
      case "open-failed":
        return [{ kind: "did-not-open", detail: `${report.code}: ${report.message}` }];
      case "closing":
      case "closed":
        return [];
    }
  }

  /** What is wrong with this; nothing is learnt from it. */
  check(found: Observation): Violation[] {
    return this.#compare(found).violations;
  }

  #hearAnswer(report: Extract<Report, { type: "answered" }>): Violation[] {
    const write = this.#open.get(report.id);
    this.#open.delete(report.id);
    if (report.revision === 0) return [];
    this.#acknowledgements += 1;
    const placed = this.#placed.get(report.id);
    if (placed !== undefined) {
      this.#placed.delete(report.id);
      if (placed === report.revision) return [];
    }
    const other = this.#acknowledged.get(report.revision);
    if (write === undefined || other !== undefined || report.revision <= this.#revision) {
      const instead = other === undefined ? "used before" : `that of write ${other.id}`;
      return [
        {
          kind: "wrong-answer",
          detail: `write ${report.id} was answered with revision ${report.revision}, which was ${instead}`,
        },
      ];
    }
    this.#acknowledged.set(report.revision, write);
    return [];
  }

  #learn(found: Observation): Violation[] {
    const { violations, truth } = this.#compare(found);
    if (violations.length > 0) return violations;
    for (const revision of this.#acknowledged.keys()) {
      if (revision <= found.revision) this.#acknowledged.delete(revision);
    }
    for (const [id, revision] of truth.placed) {
      this.#open.delete(id);
      this.#placed.set(id, revision);
    }
    this.#oldest = statesAt(this.#oldest, truth.log, [this.#oldestRevision, found.compactRevision]);
    this.#oldestRevision = found.compactRevision;
    this.#compacted = found.compactRevision;
    this.#states = truth.states;
    this.#revision = found.revision;
    this.#log = truth.log;
    for (const watcher of this.#watchers) watcher.verified();
    const needed = Math.min(found.compactRevision, ...this.#watchers.map(({ reached }) => reached));
    for (const revision of this.#log.keys()) if (revision <= needed) this.#log.delete(revision);
    return [];
  }

  #compare(found: Observation): { violations: Violation[]; truth: Truth } {
    const violations: Violation[] = [...this.#lost(found)];
    const truth: Truth = {
      states: new Map(this.#states),
      log: new Map(this.#log),
      placed: new Map(),
    };
    // What is missing would be complained about once more by every other comparison.
    if (violations.length > 0) return { violations, truth };
    const history = Map.groupBy(found.events, ({ revision }) => revision);
    for (let revision = this.#revision + 1; revision <= found.revision; revision += 1) {
      const isKept = revision > found.compactRevision;
      const events = isKept ? (history.get(revision) ?? []) : undefined;
      violations.push(...this.#advance({ truth, revision, events }));
    }
    for (let revision = found.compactRevision + 1; revision <= this.#revision; revision += 1) {
      const expected = this.#log.get(revision) ?? [];
      const seen = history.get(revision) ?? [];
      if (!isSame(expected, seen)) violations.push(wrongHistory(revision, expected, seen));
    }
    for (const detail of differences(truth.states, found.current))
      violations.push({ kind: "wrong-state", detail });
    if (found.compactRevision >= this.#oldestRevision) {
      const range = [this.#oldestRevision, found.compactRevision] as const;
      const oldest = statesAt(this.#oldest, truth.log, range);
      for (const detail of differences(oldest, found.oldest))
        violations.push({ kind: "wrong-state", detail: `at ${found.compactRevision}: ${detail}` });
    }
    for (const watcher of this.#watchers) violations.push(...watcher.compare(truth.log));
    return { violations, truth };
  }

  #lost(found: Observation): Violation[] {
    const violations: Violation[] = [];
    for (const [revision, write] of this.#acknowledged) {
      if (revision <= found.revision) continue;
      violations.push({
        kind: "acknowledged-write-lost",
        detail: `${describeWrite(write)} was acknowledged with revision ${revision}, but the store is at ${found.revision}`,
      });
    }
    if (found.revision < this.revision) {
      violations.push({
        kind: "revision-went-back",
        detail: `revision ${this.revision} was seen, but the store is at ${found.revision}`,
      });
    }
    const compacted = Math.max(this.#compacted, this.#oldestRevision);
    if (found.compactRevision < compacted) {
      violations.push({
        kind: "compaction-undone",
        detail: `revision ${compacted} was compacted, but the store says ${found.compactRevision}`,
      });
    }
    return violations;
  }

  /** One revision further: which write is it, and did it do what it had to? */
  #advance(step: {
    truth: Truth;
    revision: number;
    events: readonly SeenEvent[] | undefined;
  }): Violation[] {
    const { truth, revision, events } = step;
    const acknowledged = this.#acknowledged.get(revision);
    const write = acknowledged ?? this.#recognize(truth, events ?? []);
    if (write === undefined) {
      replay(truth.states, events ?? []);
      truth.log.set(revision, events ?? []);
      return [this.#unknown(revision, events)];
    }
    if (acknowledged === undefined) truth.placed.set(write.id, revision);
    try {
      const expected = eventsOf(truth.states, write.operations, revision);
      replay(truth.states, expected);
      truth.log.set(revision, expected);
      if (events === undefined || isSame(expected, events)) return [];
      return [wrongHistory(revision, expected, events)];
    } catch (error) {
      if (!(error instanceof ImpossibleWriteError)) throw error;
      const detail = `${describeWrite(write)} has revision ${revision}: ${error.message}`;
      return [{ kind: "impossible-write", detail }];
    }
  }

  #recognize(truth: Truth, events: readonly SeenEvent[]): Write | undefined {
    for (const write of this.#open.values()) {
      if (!truth.placed.has(write.id) && isMadeBy(write, events)) return write;
    }
    return undefined;
  }

  #unknown(revision: number, events: readonly SeenEvent[] | undefined): Violation {
    if (events === undefined) {
      const detail = `revision ${revision} was compacted before its write was answered`;
      return { kind: "wrong-history", detail };
    }
    const failed = [...this.#failed.values()].find((write) => isMadeBy(write, events));
    if (failed === undefined) {
      const detail = `revision ${revision} (${describeEvents(events)}) is no write that was issued and unanswered`;
      return { kind: "write-never-issued", detail };
    }
    const detail = `${describeWrite(failed)} failed, but is there with revision ${revision}`;
    return { kind: "failed-write-is-there", detail };
  }
}

/** Whether these could be a write's events. */
function isMadeBy(write: Write, events: readonly SeenEvent[]): boolean {
  const writing = write.operations.filter(({ type }) => type !== "check");
  return (
    events.length > 0 &&
    writing.length === events.length &&
    writing.every(({ type, key, hash }, index) => {
      const event = events[index]!;
      if (event.key !== key) return false;
      return type === "delete" ? event.current === undefined : event.current?.hash === hash;
    })
  );
}

function statesAt(
  states: KeyStates,
  log: ReadonlyMap<number, readonly SeenEvent[]>,
  [from, to]: readonly [number, number],
): KeyStates {
  const later = new Map(states);
  for (let revision = from + 1; revision <= to; revision += 1)
    replay(later, log.get(revision) ?? []);
  return later;
}

function wrongHistory(
  revision: number,
  expected: readonly SeenEvent[],
  seen: readonly SeenEvent[],
): Violation {
  const detail = `revision ${revision} should be [${describeEvents(expected)}], found [${describeEvents(seen)}]`;
  return { kind: "wrong-history", detail };
}

function describeWrite(write: Write): string {
  const texts = write.operations.map(({ type, key, hash }) =>
    hash === undefined ? `${type} ${key}` : `${type} ${key} = ${hash.slice(0, 8)}`,
  );
  return `write ${write.id} (${texts.join(", ")})`;
}
