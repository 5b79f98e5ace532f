/**
 * One client's watch: initial state if it asks for it, then every change that concerns it, with
 * bookmarks in between, until it ends. The store delivers commits in order and without gaps; what
 * is rendered for one watcher is shared with the others (watched-change.ts).
 *
 * listing   the state at the start is told as ADDED                         -> live
 * live      commits are told as they come                                   -> ended
 * ended     by the client, its time limit, the plane's end, its right's, or falling too far behind: between
 *           lines and without an error; by lost history: with an ERROR line as the last
 */
import type { Clock, Random, Timer } from "@homeostat/concurrency";
import { ApiError, type JsonObject, type KubernetesObject } from "@homeostat/object-model";
import {
  type KeyValue,
  RevisionCompactedError,
  StoreClosedError,
  type StoreEvent,
  type Watch,
  WatchOverflowError,
} from "@homeostat/store";
import type { WatchLine } from "../answers/watch-line.ts";
import type { LastingRight } from "../authorization/lasting-right.ts";
import type { Plane } from "../registry/plane.ts";
import { refreshStates } from "../registry/refresh-states.ts";
import type { Selection } from "../registry/selection.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { stateLine, valueLine, WatchedChange } from "./watched-change.ts";

export interface WatchSessionOptions {
  readonly plane: Pick<Plane, "clock" | "random" | "store">;
  readonly served: ServedResource;
  readonly prefix: string;
  readonly selection: Selection;
  /** States to tell first; undefined to tell only changes. */
  readonly initial: readonly KeyValue[] | undefined;
  /** Changes after this revision are told. */
  readonly after: number;
  /** Whether the end of the initial state is told by a bookmark. */
  readonly markInitialEnd: boolean;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
  /** Without a time of its own it lasts so long, up to twice; 0: for ever. Default: half an hour. */
  readonly minSeconds?: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Nothing is told after it is gone. */
  readonly right?: LastingRight | undefined;
  readonly changes: ChangeCache;
  /** The sessions that have not ended: this one is among them until it does. */
  readonly sessions: Set<WatchSession>;
}

const BOOKMARK_PERIOD = 60_000;
const BOOKMARK_BEFORE_END = 2_000;
const MIN_SECONDS = 1_800;
/** How many initial states are told at a time, so that a long list does not hold up others. */
const INITIAL_STEP = 500;

export class WatchSession {
  readonly #options: Omit<WatchSessionOptions, "initial">;
  readonly #clock: Clock;
  /** Opened when the initial state has been told: history keeps what happens until then. */
  #watch: Watch | undefined;
  readonly #after: number;
  readonly #deadline: number;
  readonly #endTimer: Timer | undefined;
  /** What is still to be told of the state at the start; let go of when told. */
  #initial: readonly KeyValue[] | undefined;
  #initialAt = 0;
  #bookmarkTimer: Timer | undefined;
  #bookmarkDue = false;
  #failure: WatchLine | undefined;
  #ended = false;
  readonly #onAbort = (): void => this.end();

  constructor(options: WatchSessionOptions) {
    const { initial, ...rest } = options;
    const { plane, after, signal, sessions } = rest;
    this.#options = rest;
    this.#clock = plane.clock;
    this.#after = after;
    this.#initial = initial;
    const { timeoutSeconds = 0, minSeconds = MIN_SECONDS } = options;
    const seconds = Math.max(timeoutSeconds, 0) || randomTimeout(minSeconds, plane.random);
    this.#deadline = this.#clock.monotonic() + seconds * 1000;
    if (Number.isFinite(seconds)) {
      this.#endTimer = this.#clock.setTimer(seconds * 1000, () => this.end());
      this.#endTimer.unref();
    }
    if (options.bookmarks) this.#scheduleBookmark();
    if (initial === undefined) this.#opened();
    sessions.add(this);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    // Less than nothing is over before it begins.
    if ((options.timeoutSeconds ?? 0) < 0 || signal?.aborted === true) this.end();
  }

  get served(): ServedResource {
    return this.#options.served;
  }

  /** The next lines, at least one; undefined when the watch is over. One caller at a time. */
  async next(): Promise<readonly WatchLine[] | undefined> {
    for (;;) {
      if (this.#failure !== undefined) return this.#lastLine();
      this.endIfForbidden();
      if (this.#ended) return undefined;
      if (this.#initial !== undefined) {
        const lines = this.#nextInitial(this.#initial);
        if (lines.length > 0) return lines;
        continue;
      }
      const lines = await this.#nextChanges();
      if (lines.length > 0 && this.#options.right?.holds !== false) return lines;
    }
  }

  endIfForbidden(): void {
    if (this.#options.right?.holds === false) this.end();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.sessions.delete(this);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#endTimer?.cancel();
    this.#bookmarkTimer?.cancel();
    this.#watch?.close();
  }

  #opened(): Watch {
    if (this.#watch === undefined) {
      const { plane, prefix } = this.#options;
      // A version that does not exist yet: nothing is told until the store has passed it.
      const after = Math.min(this.#after, plane.store.revision);
      this.#watch = plane.store.watch({ prefix, after });
      if (this.#bookmarkDue) this.#watch.requestProgress();
    }
    return this.#watch;
  }

  #lastLine(): readonly WatchLine[] {
    const line = this.#failure!;
    this.#failure = undefined;
    this.end();
    return [line];
  }

  #nextInitial(initial: readonly KeyValue[]): readonly WatchLine[] {
    const { served, markInitialEnd } = this.#options;
    const until = Math.min(initial.length, this.#initialAt + INITIAL_STEP);
    const lines: WatchLine[] = [];
    for (; this.#initialAt < until; this.#initialAt++) {
      const state = initial[this.#initialAt]!;
      lines.push(stateLine("ADDED", { state, revision: state.revision, served }));
    }
    if (this.#initialAt === initial.length) {
      this.#initial = undefined;
      if (markInitialEnd) lines.push(this.#bookmark(this.#after, true));
    }
    return lines;
  }

  async #nextChanges(): Promise<readonly WatchLine[]> {
    const lines: WatchLine[] = [];
    try {
      const { value: batch, done } = await this.#opened().next();
      if (done) {
        this.end();
        return lines;
      }
      const { changes, served, selection } = this.#options;
      for (const event of batch.events) {
        if (event.revision <= this.#after) continue;
        const change = changes.of(event, served);
        const line = (change instanceof Promise ? await change : change).lineFor(selection);
        if (line !== undefined) lines.push(line);
      }
      if (this.#bookmarkDue && batch.revision >= this.#after) {
        this.#bookmarkDue = false;
        lines.push(this.#bookmark(batch.revision, false));
        this.#scheduleBookmark();
      }
    } catch (error) {
      this.#fail(error);
    }
    return lines;
  }

  #fail(error: unknown): void {
    if (error instanceof RevisionCompactedError) {
      const { store } = this.#options.plane;
      this.#failure = expiredLine(this.#after, store.compactRevision);
      return;
    }
    // Too slow, or the plane ends: the client begins again from the last version it saw.
    this.end();
    if (!(error instanceof WatchOverflowError || error instanceof StoreClosedError)) throw error;
  }

  #scheduleBookmark(): void {
    if (this.#ended) return;
    const left = this.#deadline - this.#clock.monotonic();
    const delay =
      left > BOOKMARK_BEFORE_END
        ? Math.min(BOOKMARK_PERIOD, left - BOOKMARK_BEFORE_END)
        : BOOKMARK_PERIOD;
    this.#bookmarkTimer = this.#clock.setTimer(delay, () => {
      this.#bookmarkDue = true;
      this.#watch?.requestProgress();
    });
    this.#bookmarkTimer.unref();
  }

  #bookmark(revision: number, initialEnd: boolean): WatchLine {
    const { served } = this.#options;
    const object: KubernetesObject = {
      kind: served.definition.kind,
      apiVersion: served.apiVersion,
      metadata: {
        resourceVersion: String(revision),
        ...(initialEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
      },
    };
    // As Go prints an object with nothing in it.
    const printed = served.codec.print(object as unknown as JsonObject);
    return valueLine("BOOKMARK", printed);
  }
}

function expiredLine(wanted: number, oldest: number): WatchLine {
  const error = ApiError.expired(`too old resource version: ${wanted} (${oldest})`);
  return valueLine("ERROR", error.toStatus());
}

/** The event with its states as their kind has them now. */
function freshEvent(
  event: StoreEvent,
  { stored }: ServedResource,
): StoreEvent | Promise<StoreEvent> {
  if (stored.keeping === undefined) return event;
  const { current, previous } = event;
  const states = [current, previous].filter((state) => state !== undefined);
  const withStates = (fresh: readonly KeyValue[]): StoreEvent => {
    const rest = [...fresh];
    const { type, key, revision } = event;
    return {
      type,
      key,
      revision,
      current: current && rest.shift()!,
      previous: previous && rest.shift()!,
    };
  };
  const fresh = refreshStates(stored.keeping, states);
  return fresh instanceof Promise ? fresh.then(withStates) : withStates(fresh);
}

/** Once to twice the least, so that clients do not all come back at once. */
function randomTimeout(least: number, random: Random): number {
  return least === 0 ? Number.POSITIVE_INFINITY : least * (1 + random.float());
}

/** Changes by their event, for as long as a watcher still holds it. */
export class ChangeCache {
  readonly #byServed = new WeakMap<
    ServedResource,
    WeakMap<StoreEvent, WatchedChange | Promise<WatchedChange>>
  >();

  of(event: StoreEvent, served: ServedResource): WatchedChange | Promise<WatchedChange> {
    let changes = this.#byServed.get(served);
    if (changes === undefined) {
      changes = new WeakMap();
      this.#byServed.set(served, changes);
    }
    let change = changes.get(event);
    if (change === undefined) {
      const fresh = freshEvent(event, served);
      change =
        fresh instanceof Promise
          ? fresh.then((made) => new WatchedChange(made, served))
          : new WatchedChange(fresh, served);
      changes.set(event, change);
    }
    return change;
  }
}
