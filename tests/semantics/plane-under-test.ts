/**
 * The tests of the numbered semantics, written once and run over each way into a plane.
 *
 * `topics/` holds them, a file per topic, as functions of a PlaneUnderTest; `https.test.ts` and
 * `in-process.test.ts` run them all. A plane under test is fresh and empty, lives as long as one
 * test and stands on a clock that only the test moves. The numbers are those of the list of
 * semantics that this server promises; expected texts are kube-apiserver's.
 */
import type { JsonValue, WatchFrame } from "@homeostat/object-model";
import type { Store } from "@homeostat/store";
import type { HandClock } from "./hand-clock.ts";

/** One way into one plane. */
export interface PlaneUnderTest extends AsyncDisposable {
  readonly clock: HandClock;
  /** For what no request can show: how much history is kept. */
  readonly store: Store;
  send(request: PlaneRequest): Promise<PlaneAnswer>;
  /** Rejects with {@link RefusedError} when the plane does not begin a watch. */
  watch(path: string, query: Query): Promise<PlaneWatch>;
}

export type Query = Readonly<Record<string, string>>;

export interface PlaneRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes out as it is, anything else as JSON. */
  readonly body?: JsonValue | Shown;
}

export interface PlaneAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The texts of the Warning headers. */
  readonly warnings: readonly string[];
  /** The object in the body; a text where it is none. */
  readonly object: Shown;
  readonly text: string;
}

/** What an answer shows. Which of these fields there are depends on the kind. */
export interface Shown {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ShownMetadata;
  readonly items: readonly Shown[];
  readonly data: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, JsonValue>>;
  readonly status: Readonly<Record<string, JsonValue>>;
  readonly message: string;
  readonly reason: string;
  readonly details: Readonly<Record<string, JsonValue>>;
}

interface ShownMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly managedFields: readonly ShownEntry[];
  readonly continue: string;
}

/** Who manages which fields. */
interface ShownEntry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly time: string;
  readonly fieldsV1: JsonValue;
}

export class RefusedError extends Error {
  readonly code = "refused";
  override readonly name = "RefusedError";
  readonly answer: PlaneAnswer;

  constructor(what: string, answer: PlaneAnswer) {
    super(`${what} was answered ${answer.status}: ${answer.text}`);
    this.answer = answer;
  }
}

/** A watch that is read from its first moment on, so that the plane never waits for the test. */
export class PlaneWatch implements AsyncDisposable {
  readonly status: number;
  readonly headers: PlaneAnswer["headers"];
  readonly #frames: WatchFrame[] = [];
  readonly #stop: () => void;
  readonly #reading: Promise<void>;
  #ended = false;
  #failure: unknown;
  #wake: () => void = () => undefined;

  constructor(
    head: Pick<PlaneAnswer, "headers" | "status">,
    source: { readonly frames: AsyncIterable<WatchFrame>; readonly stop: () => void },
  ) {
    this.status = head.status;
    this.headers = head.headers;
    this.#stop = source.stop;
    this.#reading = this.#read(source.frames);
  }

  /** The next frame; undefined when the watch has ended. */
  async next(): Promise<WatchFrame | undefined> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return frame;
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async take(count: number): Promise<readonly WatchFrame[]> {
    const frames: WatchFrame[] = [];
    while (frames.length < count) {
      const frame = await this.next();
      if (frame === undefined) break;
      frames.push(frame);
    }
    return frames;
  }

  /** All that is left, once the plane has ended the watch. */
  rest(): Promise<readonly WatchFrame[]> {
    return this.take(Number.POSITIVE_INFINITY);
  }

  /** `take`, each frame as `ADDED a`. */
  async changes(count: number): Promise<readonly string[]> {
    return (await this.take(count)).map(({ type, object }) =>
      `${type} ${object.metadata?.name ?? ""}`.trimEnd(),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    await this.#reading;
  }

  async #read(frames: AsyncIterable<WatchFrame>): Promise<void> {
    try {
      for await (const frame of frames) {
        this.#frames.push(frame);
        this.#wake();
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#ended = true;
    this.#wake();
  }
}

/** The texts of Warning headers, however a client joins headers of one name. */
export function warningsOf(header: string | readonly string[] | undefined): readonly string[] {
  const joined = [header ?? []].flat().join(", ");
  return [...joined.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
    text.replaceAll(/\\(.)/g, "$1"),
  );
}
