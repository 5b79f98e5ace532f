/**
 * What is known of every object from outside: what was asked, what was answered, and so what the server
 * has promised. After a crash the server's own list settles the requests that had no answer; whatever
 * else it shows is a violation. The settled history of each object is what every watcher must have heard.
 */
import type { Violation } from "../store/violation.ts";

export interface ObjectState {
  readonly version: number;
  readonly uid: string;
  /** Which write made it: no two writes have the same. */
  readonly mark: string;
}

/** A change on its way. A worker has one per object at most. */
export type Change =
  | { readonly type: "create" | "update"; readonly mark: string }
  | { readonly type: "delete" };

/** A change that happened. The answer to a deletion does not tell its version. */
export interface Settled {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly mark: string;
  readonly version: number | undefined;
}

interface Entry {
  state: ObjectState | undefined;
  pending: Change | undefined;
  readonly history: Settled[];
}

export class Ledger {
  readonly #entries = new Map<string, Entry>();
  #highest = 0;
  #acknowledged = 0;

  /** The highest version that any answer has shown. */
  get highest(): number {
    return this.#highest;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  stateOf(name: string): ObjectState | undefined {
    return this.#entries.get(name)?.state;
  }

  historyOf(name: string): readonly Settled[] {
    return this.#entries.get(name)?.history ?? [];
  }

  /** To be called before the request is sent. */
  issue(name: string, change: Change): void {
    this.#entry(name).pending = change;
  }

  /** The server said no: nothing happened. */
  refused(name: string): void {
    this.#entry(name).pending = undefined;
  }

  /** The server acknowledged the change, with the object as it is now; undefined for a deletion. */
  answered(name: string, state: ObjectState | undefined): Violation[] {
    const entry = this.#entry(name);
    const { pending } = entry;
    this.#acknowledged += 1;
    if (pending === undefined) return [wrongAnswer(`${name} was answered, but nothing was asked`)];
    const violations: Violation[] = [];
    if (state !== undefined && entry.state !== undefined && state.version <= entry.state.version) {
      const detail = `${name} went from version ${entry.state.version} to ${state.version}`;
      violations.push({ kind: "revision-went-back", detail });
    }
    const wanted = pending.type === "delete" ? undefined : pending.mark;
    if (state?.mark !== wanted) {
      violations.push(wrongAnswer(`${name}: wrote ${wanted}, was answered ${state?.mark}`));
    }
    this.#settle(entry, state);
    return violations;
  }

  /** A list after a restart: everything promised must be in it, and nothing that was never asked. */
  compare(found: ReadonlyMap<string, ObjectState>, listVersion: number): Violation[] {
    const violations: Violation[] = [];
    if (listVersion < this.#highest) {
      const detail = `version ${this.#highest} was seen, but the list is at ${listVersion}`;
      violations.push({ kind: "revision-went-back", detail });
    }
    for (const name of found.keys()) {
      if (this.#entries.has(name)) continue;
      violations.push({ kind: "write-never-issued", detail: `${name} was never created` });
    }
    for (const [name, entry] of this.#entries) {
      const state = found.get(name);
      if (isSame(state, entry.state)) entry.pending = undefined;
      else if (isMadeBy(entry.pending, state)) this.#settle(entry, state);
      else violations.push(notKept(name, entry, state));
    }
    return violations;
  }

  #settle(entry: Entry, state: ObjectState | undefined): void {
    if (state === undefined) {
      entry.history.push({ type: "DELETED", mark: entry.state?.mark ?? "?", version: undefined });
    } else {
      const type = entry.state === undefined ? "ADDED" : "MODIFIED";
      entry.history.push({ type, mark: state.mark, version: state.version });
      this.#highest = Math.max(this.#highest, state.version);
    }
    entry.state = state;
    entry.pending = undefined;
  }

  #entry(name: string): Entry {
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      entry = { state: undefined, pending: undefined, history: [] };
      this.#entries.set(name, entry);
    }
    return entry;
  }
}

function isSame(a: ObjectState | undefined, b: ObjectState | undefined): boolean {
  return a?.version === b?.version && a?.uid === b?.uid && a?.mark === b?.mark;
}

function isMadeBy(pending: Change | undefined, state: ObjectState | undefined): boolean {
  if (pending === undefined) return false;
  return pending.type === "delete" ? state === undefined : state?.mark === pending.mark;
}

function notKept(name: string, entry: Entry, state: ObjectState | undefined): Violation {
  const pending = entry.pending === undefined ? "nothing" : `a ${entry.pending.type}`;
  const detail =
    `${name}: acknowledged was ${describe(entry.state)}, with ${pending} on its way; ` +
    `found ${describe(state)}`;
  return { kind: "acknowledged-write-lost", detail };
}

function describe(state: ObjectState | undefined): string {
  return state === undefined ? "its absence" : `${state.mark} at version ${state.version}`;
}

function wrongAnswer(detail: string): Violation {
  return { kind: "wrong-answer", detail };
}
