import { describeEvents, isSame } from "./key-states.ts";
import type { Report, SeenEvent, WatcherOrder } from "./report.ts";
import type { Violation } from "./violation.ts";

/** What a watcher heard without a break: everything after `start` up to `reached`. */
interface Stretch {
  readonly start: number;
  reached: number;
  readonly events: SeenEvent[];
}

/**
 * One watcher over all incarnations of its store: it resumes where it was, however the process
 * before it ended. What it heard must be the truth, whole and once.
 */
export class WatcherRecord {
  readonly name: string;
  readonly #prefix: string;
  readonly #isSlow: boolean;
  #stretches: Stretch[] = [{ start: 0, reached: 0, events: [] }];
  #resumptions = 0;

  constructor(options: { name: string; prefix: string; isSlow: boolean }) {
    this.name = options.name;
    this.#prefix = options.prefix;
    this.#isSlow = options.isSlow;
  }

  /** The revision up to which it has heard everything. */
  get reached(): number {
    return this.#stretches.at(-1)!.reached;
  }

  /** How often it went on where it was. */
  get resumptions(): number {
    return this.#resumptions;
  }

  /** How the next incarnation has to go on. */
  resume(): WatcherOrder {
    this.#resumptions += 1;
    const { name, reached } = this;
    return { name, prefix: this.#prefix, isSlow: this.#isSlow, after: reached };
  }

  hear(report: Extract<Report, { type: "watched" | "rewatched" }>): Violation[] {
    const stretch = this.#stretches.at(-1)!;
    if (report.type === "watched") {
      stretch.events.push(...report.events);
      if (report.revision < stretch.reached) {
        const detail = `${this.name} was at revision ${stretch.reached}, then told ${report.revision}`;
        return [{ kind: "watch-gap", detail }];
      }
      stretch.reached = report.revision;
      return [];
    }
    this.#resumptions += 1;
    if (report.reason === "compacted") {
      this.#stretches.push({ start: report.revision, reached: report.revision, events: [] });
      return [];
    }
    if (report.revision === stretch.reached) return [];
    const detail = `${this.name} was cut: delivered up to ${stretch.reached}, but the store says ${report.revision}`;
    return [{ kind: "watch-gap", detail }];
  }

  /** Hears what is meant for it. */
  hearAll(reports: readonly Report[]): void {
    for (const report of reports) {
      const isWatch = report.type === "watched" || report.type === "rewatched";
      if (isWatch && report.watcher === this.name) this.hear(report);
    }
  }

  /** Compares what was heard with what happened. */
  compare(log: ReadonlyMap<number, readonly SeenEvent[]>): Violation[] {
    return this.#stretches.flatMap((stretch) => {
      const expected: SeenEvent[] = [];
      for (let revision = stretch.start + 1; revision <= stretch.reached; revision += 1) {
        const events = log.get(revision) ?? [];
        expected.push(...events.filter(({ key }) => key.startsWith(this.#prefix)));
      }
      if (isSame(expected, stretch.events)) return [];
      const at = expected.findIndex((event, index) => {
        const heard = stretch.events[index];
        return heard === undefined || !isSame([event], [heard]);
      });
      const first = at < 0 ? expected.length : at;
      const detail =
        `${this.name} after revision ${stretch.start}, event ${first}: should be ` +
        `[${describeEvents(expected.slice(first, first + 1))}], heard [${describeEvents(stretch.events.slice(first, first + 1))}]`;
      return [{ kind: "watch-gap", detail }];
    });
  }

  /** What was heard so far has been compared and found true. */
  verified(): void {
    const { reached } = this;
    this.#stretches = [{ start: reached, reached, events: [] }];
  }
}
