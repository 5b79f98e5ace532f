import type { Violation } from "../store/violation.ts";
import { type ApiClient, UnansweredError, type WatchLine } from "./api-client.ts";
import type { Plant } from "./plant.ts";
import type { WatchRecord } from "./watch-record.ts";
import { namespace } from "./writers.ts";

export interface WatcherOptions {
  readonly record: WatchRecord;
  /** With the query that selects, if any. */
  readonly path: string;
  readonly plant: Plant | undefined;
  readonly report: (violations: readonly Violation[]) => void;
}

/** A client that watches, and after each crash goes on at the version it had reached. */
export class Watcher {
  readonly #options: WatcherOptions;
  #resumptions = 0;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get record(): WatchRecord {
    return this.#options.record;
  }

  get resumptions(): number {
    return this.#resumptions;
  }

  /** Follows one life of the server to its end. */
  async follow(client: ApiClient): Promise<void> {
    const { path, record } = this.#options;
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${record.reached}`;
    let isFirst = true;
    try {
      const lines = await client.watch(`${path}${path.includes("?") ? "&" : "?"}${query}`);
      this.#resumptions += 1;
      for await (const line of lines) {
        this.#hear(line, isFirst);
        isFirst = false;
      }
    } catch (error) {
      if (!(error instanceof UnansweredError)) throw error;
    }
  }

  #hear(line: WatchLine, isFirst: boolean): void {
    const { record, report, plant } = this.#options;
    const { metadata, data, message } = line.object;
    const version = Number(metadata?.resourceVersion);
    if (line.type === "ERROR") {
      report([{ kind: "watch-gap", detail: `${record.name} was told ${message}` }]);
      return;
    }
    // Beside ours there may be objects of the system.
    if (line.type === "BOOKMARK" || metadata?.namespace !== namespace) {
      report(record.advance(version));
      return;
    }
    if (plant === "drop-event" && isFirst && this.#resumptions > 1) return;
    const event = {
      type: line.type,
      name: metadata.name ?? "",
      mark: data?.["mark"] ?? "",
      version,
    };
    report(record.hear(event));
    if (plant === "repeat-event" && isFirst && this.#resumptions > 1) report(record.hear(event));
  }
}
