import { EventEmitter } from "node:events";
import type { Clock } from "@homeostat/concurrency";
import { timeOfMilliseconds } from "@homeostat/object-model";

interface LogLine {
  readonly at: number;
  readonly text: string;
}

/** What one container has printed. */
export class ContainerLog {
  readonly #clock: Clock;
  readonly #lines: LogLine[] = [];
  readonly #changes = new EventEmitter();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#changes.setMaxListeners(0);
  }

  append(text: string): void {
    const line = { at: this.#clock.now(), text };
    this.#lines.push(line);
    this.#changes.emit("line", line);
  }

  /** Followers see the end. */
  end(): void {
    this.#ended = true;
    this.#changes.emit("end");
  }

  /** As the kubelet's parameters want it. What is returned stops following. */
  write(query: URLSearchParams, out: { write(text: string): void; end(): void }): () => void {
    const stamped = query.get("timestamps") === "true";
    const print = ({ at, text }: LogLine): string =>
      `${stamped ? `${timeOfMilliseconds(at)} ` : ""}${text}\n`;
    const since = Number(query.get("sinceSeconds") ?? Number.POSITIVE_INFINITY) * 1000;
    const recent = this.#lines.filter(({ at }) => this.#clock.now() - at <= since);
    const tail = query.get("tailLines");
    const last = tail === null ? recent : recent.slice(recent.length - Number(tail));
    const limit = Number(query.get("limitBytes") ?? Number.POSITIVE_INFINITY);
    const text = last.map(print).join("");
    out.write(limit < text.length ? text.slice(0, limit) : text);
    if (query.get("follow") !== "true" || this.#ended) {
      out.end();
      return () => undefined;
    }
    const onLine = (line: LogLine): void => out.write(print(line));
    const onEnd = (): void => out.end();
    this.#changes.on("line", onLine);
    this.#changes.once("end", onEnd);
    return () => {
      this.#changes.off("line", onLine);
      this.#changes.off("end", onEnd);
    };
  }
}
