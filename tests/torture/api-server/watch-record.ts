import type { Violation } from "../store/violation.ts";
import type { Ledger, Settled } from "./ledger.ts";

export interface HeardEvent {
  readonly type: string;
  readonly name: string;
  readonly mark: string;
  readonly version: number;
}

/** What one watcher heard over all lives of the server, and where it goes on. */
export class WatchRecord {
  readonly name: string;
  /** Which objects it asked for. */
  readonly #concerns: (object: string) => boolean;
  readonly #heard = new Map<string, HeardEvent[]>();
  #reached: number;
  #events = 0;

  constructor(options: {
    name: string;
    from: number;
    concerns?: (object: string) => boolean;
  }) {
    this.name = options.name;
    this.#reached = options.from;
    this.#concerns = options.concerns ?? (() => true);
  }

  /** The version to resume from: all before it was heard. */
  get reached(): number {
    return this.#reached;
  }

  get events(): number {
    return this.#events;
  }

  /** A bookmark: nothing happened up to this version that was not told. */
  advance(version: number): Violation[] {
    if (version < this.#reached) return [this.#backwards(version, "a bookmark")];
    this.#reached = version;
    return [];
  }

  hear(event: HeardEvent): Violation[] {
    const { version } = event;
    const violations =
      version > this.#reached ? [] : [this.#backwards(version, `${event.type} ${event.name}`)];
    this.#reached = Math.max(this.#reached, version);
    this.#events += 1;
    const events = this.#heard.get(event.name);
    if (events === undefined) this.#heard.set(event.name, [event]);
    else events.push(event);
    return violations;
  }

  /** Compares with what happened: of each object all changes, once, in order, and no others. */
  compare(ledger: Ledger): Violation[] {
    const names = new Set([...ledger.names, ...this.#heard.keys()]);
    return [...names].flatMap((name) => {
      const expected = this.#concerns(name) ? ledger.historyOf(name) : [];
      return this.#compareObject(name, expected);
    });
  }

  #compareObject(name: string, expected: readonly Settled[]): Violation[] {
    const heard = this.#heard.get(name) ?? [];
    const length = Math.max(expected.length, heard.length);
    for (let at = 0; at < length; at += 1) {
      const [right, got] = [expected[at], heard[at]];
      if (right !== undefined && got !== undefined && isSame(right, got)) continue;
      const detail = `${this.name}: change ${at + 1} of ${name} is ${describe(right)}, heard ${describe(got)}`;
      return [{ kind: "watch-gap", detail }];
    }
    return [];
  }

  #backwards(version: number, what: string): Violation {
    const detail = `${this.name} was at version ${this.#reached}, then heard ${what} at ${version}`;
    return { kind: "watch-gap", detail };
  }
}

function isSame(expected: Settled, heard: HeardEvent): boolean {
  const { type, mark, version } = expected;
  return (
    type === heard.type &&
    mark === heard.mark &&
    (version === undefined || version === heard.version)
  );
}

function describe(change: Settled | HeardEvent | undefined): string {
  if (change === undefined) return "nothing";
  return `${change.type} ${change.mark} (version ${change.version ?? "unknown"})`;
}
